"""Whether the camera's view is fit for a picture: still, moving, a hand above it, dark, empty."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

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
