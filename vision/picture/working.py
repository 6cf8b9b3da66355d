"""The picture at the size at which colours are measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Image
from vision.picture.once import once
from vision.picture.shrink import resized


@dataclass(frozen=True, slots=True)
class Working:
    """A picture in which colours are measured.

    `colour` is (h, w, 3) float32 in [0, 1], blue, green, red, each the square root of the stored value: it
    evens out noise and opens shadows. `factor` is its pixels per pixel of the picture as it came.
    """

    colour: Floats
    factor: float


def for_colours(image_bgr: Image) -> Working:
    """The picture scaled down for measuring colours, which is five times as fast."""
    factor = min(COLOURS_LONG_PX / max(image_bgr.shape), 1.0)
    return once(image_bgr, "colours", lambda: sized(image_bgr, factor))


def sized(image_bgr: Image, factor: float) -> Working:
    """The picture `factor` times as large."""
    return Working(roots(resized(image_bgr, factor)), factor)


def roots(image_bgr: Image) -> Floats:
    """The square root of every value, from 0 to 1."""
    return np.sqrt(image_bgr / np.float32(255))


COLOURS_LONG_PX = 480
"""A die is a dozen pixels wide there, and its middle colour is that of its body."""
