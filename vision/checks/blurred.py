"""Blur check by the steepest edges of the picture: in a blurred one dice may be blots.

A further blur of `t` makes an edge that a lens drew `s` wide less steep by the square root of
(s² + t²) / s², whatever its contrast. So a wide edge loses little.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.checks.check import Change, Checked
from vision.picture.shrink import resized

LONG_PX = 320
"""Long side of the picture that is checked: its noise has gone, and a blur that matters has not."""

BLUR_PX = 2.0
"""Standard deviation of the further blur."""

STEEPEST, QUANTILE = 0.01, 0.75
"""Share of pixels that are steepest after it, and the quantile of what these lose: in sharp pictures, too,
edges near the lens or out of focus behind are wide."""

MIN_SLOPE = 1.0
"""Grey levels per pixel: where nothing is so steep, no edge is there to be sharp."""

MIN_LOSS = 1.35
"""Minimum ratio of the slopes before and after in a sharp picture: edges 2.1 px of LONG_PX wide, a blur of
8 px in 1200. In 1 341 photographs and drawn pictures the widest are 2.04 px."""


def check(read: Checked) -> Change:
    """Whether the picture is sharp."""
    return Change(keys=("blurred",) if is_blurred(read.image_bgr) else ())


def is_blurred(image_bgr: Image) -> bool:
    """Whether even the sharpest edges of a picture (h, w, 3) uint8 are wide."""
    small = resized(image_bgr, min(1.0, LONG_PX / max(image_bgr.shape)))
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    before, after = _slopes(grey), _slopes(np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32))
    steep = after >= max(MIN_SLOPE, float(np.quantile(after[::3, ::3], 1 - STEEPEST)))
    return bool(steep.any() and np.quantile(before[steep] / after[steep], QUANTILE) < MIN_LOSS)


def _slopes(grey: Floats) -> Floats:
    """Grey levels per pixel (h, w) in the steepest direction."""
    slopes = (cv2.Sobel(grey, cv2.CV_32F, *along, scale=1 / 8) for along in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(*slopes), np.float32)
