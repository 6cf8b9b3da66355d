"""Whether the camera's view is fit for a picture: still, moving, a hand above it, dark, empty;
and its exposure, locked for the pictures of a reveal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import HardwareError
from vision.arrays import Image
from vision.picture.settle import Settler, small

EMPTY_S = 4.0
"""So long a table that looks empty is left alone."""


class Stillness:
    """Watches small pictures one after the other; `empty` is what the calibration found of the bare table."""

    def __init__(self) -> None:
        self._settler = Settler()
        self._empty: NDArray[np.float32] | None = None

    def know_empty(self, empty_grey: NDArray[np.uint8] | None) -> None:
        """The picture of the empty table, (height, width) uint8, or None."""
        self._empty = None if empty_grey is None else small(empty_grey)

    def feed(self, image_bgr: Image, at_s: float) -> str:
        """The word for the view after one more picture, (height, width, 3) uint8, taken at `at_s`."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._settler = replace(self._settler, empty=self._empty).feed(grey, at_s)
        return self._word(at_s)

    def _word(self, now_s: float) -> str:
        """The preview's word. A table that stays empty is read all the same: one small die changes little."""
        since_s = self._settler.since_s
        patient = since_s is not None and now_s - since_s > EMPTY_S
        return "still" if self._settler.word == "empty" and patient else str(self._settler.word)


class LockableCamera(Protocol):
    """The part of the camera's port that the exposure lock uses."""

    def lock_exposure(self) -> object: ...

    def unlock_exposure(self) -> object: ...


class ExposureLock:
    """Locks the camera's automatics once, and leaves the light to them again once."""

    def __init__(self, camera: LockableCamera) -> None:
        self._camera = camera
        self._locked = False

    def lock(self) -> None:
        """Keep exposure and colours as they are: hands would move automatics. Raises HardwareError."""
        if not self._locked:
            self._camera.lock_exposure()
            self._locked = True

    def release(self) -> None:
        """Automatics again; a camera that fails here begins anew when it is used."""
        if self._locked:
            self._locked = False
            with suppress(HardwareError):
                self._camera.unlock_exposure()
