"""The members of a command as typed values, within bounds: everything else raises TypeError or ValueError."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST_TEXT = 200
LARGEST_NUMBER = 1_000_000
MOST_PLAYERS = 40
"""More than any rules allow, so that the rules say what is wrong with thirteen."""


def text(value: object) -> str:
    """A text that can be written as UTF-8; raises TypeError, ValueError."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if len(value) > LONGEST_TEXT:
        raise ValueError("the text is too long")
    value.encode()  # half of a pair of surrogates is no character
    return value


def whole(value: object) -> int:
    """A whole number of a size that people use; raises TypeError, ValueError."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    if abs(value) > LARGEST_NUMBER:
        raise ValueError("the number is too large")
    return value


def share(value: object) -> float:
    """A fraction from 0 to 1; raises TypeError, ValueError."""
    if type(value) not in (int, float):
        raise TypeError(f"{value!r} is no number")
    if not 0 <= value <= 1:  # type: ignore[operator]  # neither is it a NaN
        raise ValueError(f"{value!r} is not within 0 to 1")
    return float(value)  # type: ignore[arg-type]


def flag(value: object) -> bool:
    """True or false, false where it is missing; raises TypeError."""
    if value is not None and type(value) is not bool:
        raise TypeError(f"{value!r} is neither true nor false")
    return bool(value)


def maybe(read: Callable[[object], T], value: object) -> T | None:
    """`read(value)`, or None where the value is missing."""
    return None if value is None else read(value)


def listed(value: object, most: int = MOST_PLAYERS) -> Sequence[Any]:
    """A list of at most so many; raises TypeError, ValueError."""
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is no list")
    if len(value) > most:
        raise ValueError("the list is too long")
    return value


def mapped(value: object, most: int = MOST_PLAYERS) -> Mapping[str, Any]:
    """An object of at most so many members; raises TypeError, ValueError."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no object")
    if len(value) > most:
        raise ValueError("the object is too large")
    return value


def scalar(value: object) -> str | int | bool | None:
    """The value of a switch of the rules; raises TypeError, ValueError."""
    if value is None or type(value) is bool:
        return value
    return text(value) if isinstance(value, str) else whole(value)
