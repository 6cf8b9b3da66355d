"""Counting pips: the classical second opinion on a face that the net has detected.

Of n spots that are clearly stronger than the next one, lie like the pips of a face and about its middle, n is
the count. The net's own opinion of the face is not asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from vision.arrays import Floats, Image
from vision.counting.face import PIP, Spots, body, flatness, spots
from vision.counting.layouts import misfit
from vision.picture.once import once
from vision.values import FACES, Pip

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
    (best, face), (next_best, _) = _two_best(found)
    return Count(face, best - next_best, x_px, y_px, size_px, found) if best > next_best else None


def _two_best(found: Spots) -> list[tuple[float, int]]:
    """The two best fits of all faces, the best first, each with its face. Layouts take the most time, so they
    are compared only where the rest of the fit is good enough."""
    most = {number: _but_layout(found, number) for number in FACES}
    best = [(0.0, 0), (0.0, 0)]
    for number in sorted(FACES, key=lambda number: -most[number]):
        if most[number] <= best[1][0]:
            break
        best = sorted([*best, (fit(found, number), number)], reverse=True)[:2]
    return best


def fit(found: Spots, number: int) -> float:
    """How well the strongest `number` of spots are the pips of that face, 0 to 1."""
    rest = _but_layout(found, number)
    return rest * max(0.0, 1 - misfit(found.middles[:number]) / MOST_MISFIT) if rest else 0.0


def _but_layout(found: Spots, number: int) -> float:
    """The same by gap, contrast and middle alone, which is at least as much."""
    if len(found.strength) < number:
        return 0.0
    strongest, last = found.strength[0], found.strength[number - 1]
    following = found.strength[number] if len(found.strength) > number else 0.0
    off = math.hypot(*found.middles[:number].mean(axis=0))
    shares = (
        (last - following) / strongest,
        min(1.0, strongest / CLEAR),
        1 - off / MOST_OFF,
    )
    return math.prod(max(0.0, float(share)) for share in shares)
