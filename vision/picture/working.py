"""The picture at the size at which it is read, and the channels in which pips stand out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.picture.shrink import averaged, resized

LONG_SIDE_PX = 960
"""700 to 1000 px read as well as 1600 px, at a third of the time."""

MAX_UPSCALING = 1.5
"""Small pictures are enlarged so that a pip of 2 px has a ring of pixels around it; more adds only blur."""


@dataclass(frozen=True, slots=True)
class Working:
    """A picture ready to be read.

    `colour` is (h, w, 3) float32 in [0, 1], blue, green, red, each the square root of the stored value: it
    evens out noise and opens shadows. `factor` is working pixels per pixel of the picture as it came,
    `die_px` the side of a die in working pixels where it is known.
    """

    colour: Floats
    factor: float
    die_px: float | None = None

    @property
    def height_px(self) -> int:
        return int(self.colour.shape[0])

    @property
    def width_px(self) -> int:
        return int(self.colour.shape[1])

    def channels(self) -> Iterator[Floats]:
        """Grey, where most pips show, and the least of the three colours, where red and blue pips show."""
        yield np.asarray(cv2.cvtColor(self.colour, cv2.COLOR_BGR2GRAY), np.float32)
        least = cv2.min(cv2.min(self.colour[..., 0], self.colour[..., 1]), self.colour[..., 2])
        yield np.asarray(least, np.float32)


def prepare(image_bgr: Image, scale_px: float | None = None) -> Working:
    """The picture at working size. `scale_px`, the known side of a die, only ever makes it smaller."""
    longest = max(image_bgr.shape[:2])
    factor = min(LONG_SIDE_PX / longest, MAX_UPSCALING)
    if scale_px:
        factor = min(factor, max(KNOWN_DIE_PX / scale_px, COLOURS_LONG_PX / longest))
    return Working(_roots(_for_pips(image_bgr, factor)), factor, scale_px and scale_px * factor)


def _for_pips(image_bgr: Image, factor: float) -> Image:
    if factor < 1:
        return averaged(image_bgr, factor)
    height, width = image_bgr.shape[:2]
    size = round(width * factor), round(height * factor)
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def for_colours(image_bgr: Image) -> Working:
    """The picture scaled down for measuring colours, which is five times as fast."""
    return sized(image_bgr, min(COLOURS_LONG_PX / max(image_bgr.shape), 1.0))


def sized(image_bgr: Image, factor: float) -> Working:
    """The picture `factor` times as large."""
    return Working(_roots(resized(image_bgr, factor)), factor)


def _roots(image_bgr: Image) -> Floats:
    """The square root of every value."""
    return np.asarray(cv2.LUT(image_bgr, _ROOTS), np.float32)


COLOURS_LONG_PX = 480
"""A die is a dozen pixels wide there, and its middle colour is that of its body."""

KNOWN_DIE_PX = 33.0
"""A die of known size needs no more than this to be read; in a picture smaller than that a scale that is
wrong makes dice look like the pips of one."""

_ROOTS: Floats = np.sqrt(np.arange(256, dtype=np.float32) / 255).astype(np.float32)[None]
