"""What is computed of the camera's pictures beside reading them: whether they lie still, and are in the same
light or show the same as others. Numpy and OpenCV come in with it, so that a start, and an evening without
a camera, take the memory of neither.

A picture read before anybody asked for one has the reading of a later picture that shows the same. Nothing is
believed of the time in between: the picture that counts is taken after the press and compared with the one
that was read. A die turned, a cup lifted or a lamp lit meanwhile costs the early reading and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.app.camera.still_things import ExposureLock, StillThings
from companion.app.reading.reader_process import Seen
from companion.reveal.capture_loop import STILL
from hardware.calibration.calibration import EmptyTable
from hardware.ports import Camera
from vision.arrays import Image
from vision.picture.settle import Grey, Settler, small
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


class Comparing:
    """Of one camera, for the thread that takes its pictures."""

    def __init__(self, camera: Camera) -> None:
        self.exposure, self.still_things, self.early = ExposureLock(camera), StillThings(), EarlyReading()
        self._settler = Settler()
        self._empty: Grey | None = None

    def know_empty(self, empty: EmptyTable | None) -> None:
        """The picture of the empty table, or None."""
        grey = None if empty is None else np.asarray(empty.grey())
        self._empty = None if grey is None else small(grey)
        self.still_things.know_empty(grey)

    def word(self, preview_bgr: Image, at_s: float) -> str:
        """What the newest preview, (height, width, 3) uint8, is fit for."""
        grey = np.asarray(cv2.cvtColor(preview_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._settler = replace(self._settler, empty=self._empty).feed(grey, at_s)
        word = str(self._settler.word)
        self.early.heed(word == STILL)
        self.exposure.heed(word in ("dark", "bright"))
        return word
