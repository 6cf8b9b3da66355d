"""A picture read before anybody asked for one. Its reading is that of a later picture that shows the same.

Nothing is believed of the time in between: the picture that counts is taken after the press and compared with
the one that was read. A die turned, a cup lifted or a lamp lit meanwhile costs the early reading and nothing
else.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.reading.reader_process import Seen
from vision.arrays import Image
from vision.picture.unchanged import is_same, made_small

MAX_READINGS = 3
"""Of one state of the table: hands come and go above it while people think, and a small board gets warm."""


@dataclass(frozen=True, slots=True)
class Early:
    """A reading, its picture made small, and how the reader was asked."""

    seen: Seen
    small: Image
    asked: object


class EarlyReading:
    """At most one, handed out once: a second picture of one place must be read by itself to count. For the
    thread that takes pictures."""

    def __init__(self) -> None:
        self._early: Early | None = None
        self._fresh, self._state, self._left = False, object(), 0
        self._given_up: tuple[int, ...] = ()

    def heed(self, still: bool) -> None:
        """One more preview: whatever moves makes the reading worthless, and the next stillness worth one."""
        if not still:
            self._drop()
            self._fresh = True

    def is_due(self, state: object) -> bool:
        """Whether this stillness may be read now; `state` is the table's."""
        if state is not self._state:
            self._state, self._left = state, MAX_READINGS
        return self._fresh and self._left > 0

    def keep(self, seen: Seen, image_bgr: Image, asked: object) -> None:
        """Keep the reading of a picture (height, width, 3) uint8."""
        self._early, self._fresh = Early(seen, made_small(image_bgr), asked), False
        self._left -= 1

    def take(self, image_bgr: Image, asked: object) -> Seen | None:
        """The reading of this picture, if it was made early and in the same way; it is not kept any more."""
        early, self._fresh = self._early, False
        if early and early.asked == asked and is_same(early.small, made_small(image_bgr)):
            self._early = None
            return early.seen
        self._drop()
        return None

    def given_up(self) -> tuple[int, ...]:
        """Numbers of readings that came to nothing since this was asked last, for the reader to forget."""
        numbers, self._given_up = self._given_up, ()
        return numbers

    def _drop(self) -> None:
        if self._early:
            self._given_up, self._early = (*self._given_up, self._early.seen.number), None
