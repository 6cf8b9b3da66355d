"""JSON as Python has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar, cast

T = TypeVar("T")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Whatever JSON can say."""

Body: TypeAlias = Mapping[str, object]
"""A JSON object that was read and not yet looked into."""


def body(value: object) -> Body:
    """A JSON object; raises TypeError for anything else."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no object")
    return value


def whole(value: object) -> int:
    """A whole number; raises TypeError for anything else."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def members(kind: type[T], *sources: object, **more: object) -> T:
    """A JSON object of that kind, a TypedDict: each member as in `more`, else as one of the `sources` has it.

    A source is a value or a JSON object; the first that has the name counts, and a tuple becomes a list.
    Raises AttributeError for a name that none has.
    """
    for name in kind.__annotations__:
        if name not in more:
            more[name] = _member(name, sources)
    return cast(T, more)


_NONE = object()


def _member(name: str, sources: tuple[object, ...]) -> object:
    for one in sources:
        if isinstance(one, dict):
            if name in one:
                return one[name]
        elif (value := getattr(one, name, _NONE)) is not _NONE:
            return list(value) if isinstance(value, tuple) else value
    raise AttributeError(name)
