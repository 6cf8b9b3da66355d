"""Frozen values that take half the time to make.

A frozen dataclass fills every field through `object.__setattr__`, which looks for the field by its name each
time. A game makes two or three such values a call, and that is most of what a call costs. Here they hand
their arguments straight to their slots; in everything else they stay the dataclasses they are.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(value: type[T]) -> type[T]:
    """The frozen dataclass `value`, whose fields are slots without factories, with a quicker `__init__`."""
    own: Any = value.__init__
    names = [field.name for field in fields(value)]  # type: ignore[arg-type]
    fill = "\n".join(f"    fill_{name}(self, {name})" for name in names)
    scope: dict[str, Any] = {f"fill_{name}": getattr(value, name).__set__ for name in names}
    exec(f"def __init__(self, {', '.join(names)}):\n{fill}", scope)  # as dataclasses writes its own
    made = scope["__init__"]
    made.__defaults__, made.__annotations__ = own.__defaults__, own.__annotations__
    made.__qualname__, made.__module__ = own.__qualname__, value.__module__
    value.__init__ = made  # type: ignore[method-assign]
    return value
