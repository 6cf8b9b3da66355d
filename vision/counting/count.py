"""Counting pips: the classical second opinion on a face that the net has detected.

Of n spots that are clearly stronger than the next one, lie like the pips of a face and about its middle, n is
the count. The net's own opinion of the face is not asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Floats, Image
from vision.counting.face import PIP, Spots, body, spots
from vision.picture.working import once
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
        return tuple(Pip(x, y, radius_px) for x, y in places)

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
    most = dict(zip(FACES, but_layout(found), strict=True))
    best = [(0.0, 0), (0.0, 0)]
    for number in sorted(FACES, key=lambda number: -most[number]):
        if most[number] <= best[1][0]:
            break
        best = sorted([*best, (most[number] * as_laid_out(found, number), number)], reverse=True)[:2]
    return best


def as_laid_out(found: Spots, number: int) -> float:
    """How well the strongest `number` of spots lie like the pips of that face, 0 to 1."""
    return max(0.0, 1 - misfit(found.middles[:number]) / MOST_MISFIT)


def but_layout(found: Spots) -> list[float]:
    """The fits of all faces by gap, contrast and middle alone, which are at least as good."""
    strength = [*found.strength[: len(FACES) + 1].tolist(), *[0.0] * (len(FACES) + 1)]
    fits, x, y = list[float](), 0.0, 0.0
    places = [*found.middles[: len(FACES)].tolist(), *[[0.0, 0.0]] * len(FACES)]
    for number, (to_x, to_y) in zip(FACES, places, strict=False):
        x, y = x + to_x, y + to_y
        gap = strength[number - 1] - strength[number]
        shares = (
            gap / strength[0] if gap > 0 else 0.0,
            min(1.0, strength[0] / CLEAR),
            1 - math.hypot(x, y) / number / MOST_OFF,
        )
        fits.append(math.prod(max(0.0, share) for share in shares))
    return fits


ROWS = (0.75, 0.87, 1.0, 1.15, 1.3)
"""Width of a six over its length: makes differ, and so do views."""
STEP_DEG = 3.75


def _turned(places: list[tuple[float, float]], again_deg: float = 180.0) -> Floats:
    """A layout in every turn, (T, n, 2), until it looks the same again."""
    angle = np.radians(np.arange(0, again_deg, STEP_DEG))
    turns = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1).reshape(-1, 2, 2)
    return np.asarray(np.einsum("tij,nj->tni", turns, np.array(places)), np.float32)


def _six(wide: float) -> list[tuple[float, float]]:
    """A six so wide for its length, its pips as far from the middle on the whole as those of a square one."""
    scale = math.sqrt(10 / (4 + 6 * wide**2))
    return [(x * scale, y * scale * wide) for x in (-1, 0, 1) for y in (-1, 1)]


_CORNERS = [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]
_MIDDLE = (0.0, 0.0)
LAYOUTS = {
    1: _turned([_MIDDLE], STEP_DEG),
    2: _turned(_CORNERS[:2]),
    3: _turned([*_CORNERS[:2], _MIDDLE]),
    4: _turned(_CORNERS, 90.0),
    5: _turned([*_CORNERS, _MIDDLE], 90.0),
    6: np.concatenate([_turned(_six(wide)) for wide in ROWS]),
}
"""For each face its pips in every turn, (T, n, 2), in distances of a row from the middle."""
_BY_PLACE = {face: np.ascontiguousarray(layouts.transpose(2, 1, 0)) for face, layouts in LAYOUTS.items()}
"""The same as (2, n, T): sums over n are quick where turns come last."""
_SPREAD = {face: max(1.0, float((layouts[0] ** 2).sum())) for face, layouts in LAYOUTS.items()}
"""For each face the sum of squares of its pips' distances from the middle."""


def misfit(middles: Floats) -> float:
    """How far the worst of n spots (n, 2) lies from its place in the best layout of n pips, in sides."""
    layouts, about = _BY_PLACE[len(middles)], middles - middles.mean(axis=0)
    scale = math.sqrt(float((about**2).sum()) / _SPREAD[len(middles)])
    off_x, off_y = (about[:, way, None, None] - scale * layouts[way] for way in (0, 1))
    squares = off_x * off_x + off_y * off_y
    worst = np.maximum(squares.min(axis=0).max(axis=0), squares.min(axis=1).max(axis=0))
    return math.sqrt(float(worst.min()))
