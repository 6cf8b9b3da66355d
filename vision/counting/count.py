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
from vision.values import Pip

MOST_MISFIT, MOST_OFF = 0.16, 0.25
"""In sides: how far a pip may lie from its place in the layout, and the middle of all from the face's."""
CLEAR = 0.06
"""Contrast of a clear pip, in square roots of light: more makes no count surer."""


@dataclass(frozen=True, slots=True)
class Count:
    """The face that was counted.

    `confidence`: how much better it fits than the next best, 0 to 1. `body` is the body's colour, square
    roots of blue, green and red light.
    """

    face: int
    confidence: float
    pips: tuple[Pip, ...]
    body: Floats = field(compare=False, repr=False)


def counted(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Count | None:
    """The pips on the face of `size_px` at a place of the picture; None where no number of them is a face."""
    found = spots(image_bgr, x_px, y_px, size_px)
    fits = [fit(found, number) for number in range(1, 7)]
    face, (next_best, best) = int(np.argmax(fits)) + 1, sorted(fits)[-2:]
    if best <= next_best:
        return None
    places = (found.middles[:face] * size_px + (x_px, y_px)).tolist()
    flat = [flatness(found.contrast, middle) for middle in found.middles[:face]]
    pips = tuple(Pip(x, y, PIP * size_px, f) for (x, y), f in zip(places, flat, strict=True))
    return Count(face, best - next_best, pips, body(found.face, found.middles[:face]))


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
