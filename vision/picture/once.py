"""What several steps of one reading make of its picture, made once.

A reading wants its picture smaller four to six times, and to halve 12 Mpx takes 5 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

from vision.arrays import Image

T = TypeVar("T")

_MADE: ContextVar[tuple[Image, dict[Hashable, object]] | None] = ContextVar("made", default=None)
"""The picture that is being read, and what was made of it so far."""


@contextmanager
def reading(image: Image) -> Iterator[None]:
    """Within, what is made of this very picture is kept for all who want it; it must not change meanwhile."""
    before = _MADE.set((image, {}))
    try:
        yield
    finally:
        _MADE.reset(before)


def once(image: Image, what: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives; of the picture that is being read, what it gave when `what` was asked for first."""
    made = _MADE.get()
    if made is None or made[0] is not image:
        return make()
    if what not in made[1]:
        made[1][what] = make()
    return cast(T, made[1][what])
