"""Counting pips: the classical second opinion on a face that the net has detected.

Of n spots that are clearly stronger than the next one, lie like the pips of a face and about its middle, n is
the count. The net's own opinion of the face is not asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Floats, Image
from vision.counting.face import PIP, Spots, body, flatness, spots
from vision.counting.layouts import misfit
from vision.picture.once import once
from vision.values import Pip

MOST_MISFIT, MOST_OFF = 0.16, 0.25
"""In sides: how far a pip may lie from its place in the layout, and the middle of all from the face's."""
CLEAR = 0.06
"""Contrast of a clear pip, in square roots of light: more makes no count surer."""


@dataclass(frozen=True, slots=True)
class Count:
    """The face that was counted.

    `confidence`: how much better it fits than the next best, 0 to 1. Pips and body are measured when they are
    asked for: most counts serve a comparison only.
    """

    face: int
    confidence: float
    x_px: float
    y_px: float
    size_px: float
    found: Spots = field(compare=False, repr=False)

    @property
    def pips(self) -> tuple[Pip, ...]:
        """The pips in the picture."""
        middles, radius_px = self.found.middles[: self.face], PIP * self.size_px
        places = (middles * self.size_px + (self.x_px, self.y_px)).tolist()
        flat = [flatness(self.found.contrast, middle) for middle in middles]
        return tuple(Pip(x, y, radius_px, f) for (x, y), f in zip(places, flat, strict=True))

    @property
    def body(self) -> Floats:
        """The body's colour (3,), square roots of blue, green and red light."""
        return body(self.found.face, self.found.middles[: self.face])


def counted(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Count | None:
    """The pips on the face of `size_px` at a place of the picture; None where no number of them is a face.

    Within a reading each face is counted once.
    """
    face = x_px, y_px, size_px
    return once(image_bgr, ("count", face), lambda: _counted(image_bgr, *face))


def _counted(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Count | None:
    found = spots(image_bgr, x_px, y_px, size_px)
    fits = [fit(found, number) for number in range(1, 7)]
    face, (next_best, best) = int(np.argmax(fits)) + 1, sorted(fits)[-2:]
    return Count(face, best - next_best, x_px, y_px, size_px, found) if best > next_best else None


def fit(found: Spots, number: int) -> float:
    """How well the strongest `number` of spots are the pips of that face, 0 to 1."""
    if len(found.strength) < number:
        return 0.0
    strongest, last = found.strength[0], found.strength[number - 1]
    following = found.strength[number] if len(found.strength) > number else 0.0
    off = math.hypot(*found.middles[:number].mean(axis=0))
    shares = (
        (last - following) / strongest,
        min(1.0, strongest / CLEAR),
        1 - misfit(found.middles[:number]) / MOST_MISFIT,
        1 - off / MOST_OFF,
    )
    return float(np.prod(np.maximum(shares, 0.0)))
