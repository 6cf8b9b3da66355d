"""JSON as Python has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

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
