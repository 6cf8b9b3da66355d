"""Blur check by the steepest edges of the picture: in a blurred one dice may be blots.

An edge that a lens drew `s` wide has, after a further blur of `t`, a slope that is smaller by the square
root of (s² + t²) / s². So the slopes before and after give the width of the edges, whatever their contrast.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.checks.check import Change, Checked
from vision.picture.shrink import resized

LONG_PX = 320
"""Long side at which a picture is looked at: its noise has gone there, and a blur that matters has not."""

BLUR_PX = 2.0
"""Of the second look."""

SLOPE_PX = 0.7
"""What taking a slope (Sobel's) blurs by itself."""

STEEPEST, SHARPEST = 0.01, 0.75
"""The share of pixels with the steepest slopes after the blur, and the quantile of their sharpness that
counts: what lies near the lens, or is out of focus behind, is wide in sharp pictures, too."""

LEAST_SLOPE = 1.0
"""Grey levels for a pixel: where nothing is so steep there is nothing to be sharp."""

BLURRED_PX = 2.1
"""Standard deviation of the edges of a picture that is not to be believed, of LONG_PX: a blur of 8 px in
1200. Of 1 341 photographs and drawn pictures none is so wide, the widest 2.04."""


def check(read: Checked) -> Change:
    """Whether the picture is sharp."""
    return Change(keys=("blurred",) if is_blurred(read.image_bgr) else ())


def is_blurred(image_bgr: Image) -> bool:
    """Whether even the sharpest edges of a picture (h, w, 3) uint8 are wide."""
    small = resized(image_bgr, min(1.0, LONG_PX / max(image_bgr.shape)))
    return edge_px(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)) > BLURRED_PX


def edge_px(grey: Floats) -> float:
    """Standard deviation of the sharpest strong edges of a picture (h, w) in grey levels, 0 where nothing
    stands out."""
    before, after = _slopes(grey), _slopes(np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32))
    steep = after >= max(LEAST_SLOPE, float(np.quantile(after[::3, ::3], 1 - STEEPEST)))
    if not steep.any():
        return 0.0
    gone = float(np.quantile(before[steep] / after[steep], SHARPEST)) ** 2
    wide = (BLUR_PX**2 - SLOPE_PX**2 * (gone - 1)) / max(gone - 1, 1e-6)
    return math.sqrt(max(wide, 0.0))


def _slopes(grey: Floats) -> Floats:
    """Grey levels for a pixel (h, w), whichever way it is steepest."""
    slopes = (cv2.Sobel(grey, cv2.CV_32F, *along, scale=1 / 8) for along in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(*slopes), np.float32)
