"""Makes values of frozen dataclasses fast, where a game makes thousands of them.

A frozen dataclass sets each field by a call of its own: a round of nine fields takes 0.8 us. A twin with the
same slots that is not frozen takes half of that, and becomes the frozen class before anybody holds it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, field, fields, make_dataclass
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


def quick(kind: Callable[P, T]) -> Callable[P, T]:
    """A constructor of a frozen dataclass with slots and plain defaults, about twice as fast as its own."""
    frozen = cast(type, kind)

    def become_frozen(value: object) -> None:
        value.__class__ = frozen

    members = [
        (one.name, object) if one.default is MISSING else (one.name, object, field(default=one.default))
        for one in fields(frozen)
    ]
    twin = make_dataclass(frozen.__name__, members, namespace={"__post_init__": become_frozen}, slots=True)
    return cast(Callable[P, T], twin)
