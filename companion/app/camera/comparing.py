"""What is computed of the camera's pictures beside reading them: whether they lie still, and are in the same
light or show the same as others. Numpy and OpenCV come in with it, so that a start, and an evening without
a camera, take the memory of neither."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.app.camera.early_reading import EarlyReading
from companion.app.camera.still_things import ExposureLock, StillThings
from companion.reveal.capture_loop import STILL
from hardware.calibration.calibration import EmptyTable
from hardware.ports import Camera
from vision.arrays import Image
from vision.picture.settle import Grey, Settler, small


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
