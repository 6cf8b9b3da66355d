"""Whether what lies at a place has the colour of dice that were read: one of them that shows no face to read.

An emblem or a numeral may look like a face to nobody, and still its body is that of the other dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Floats, Image, lengths
from vision.learned.sights import Spot
from vision.picture.working import Working, for_colours

BODY, GROUND = (0.27, 0.48), (0.9, 1.2)
"""Between these shares of a side from a die's middle its body shows round whatever its face bears, and what
it lies on."""
LEAST_PX = 1.5
"""A ring so wide has pixels in it."""
ALIKE = 0.12
"""Two colours so near each other, as square roots of blue, green and red, are one. Of 1 400
photographs and drawn pictures six are less certain for such a place, three of them rightly. Chosen on these
very pictures."""


def of_their_colour(image_bgr: Image, spots: Sequence[Spot], dice: Sequence[Spot]) -> list[Spot]:
    """Those of the spots whose body has the colour of one of the dice, while what they lie on has not."""
    if not spots or not dice:
        return []
    working = for_colours(image_bgr)
    side_px = float(np.median([die.size_px for die in dice]))
    bodies = [_ring(working, die, die.size_px, BODY) for die in dice]
    return [
        spot
        for spot in spots
        if _near(_ring(working, spot, side_px, BODY), bodies)
        and not _near(_ring(working, spot, side_px, GROUND), bodies)
    ]


def _near(colour: Floats, others: Iterable[Floats]) -> bool:
    return bool(lengths(np.stack([colour - other for other in others])).min() <= ALIKE)


def _ring(working: Working, spot: Spot, side_px: float, shares: tuple[float, float]) -> Floats:
    """The usual colour (3,) between two distances from the middle of a spot."""
    height, width = working.colour.shape[:2]
    x, y = min(spot.x_px * working.factor, width - 1), min(spot.y_px * working.factor, height - 1)
    inner, outer = (share * side_px * working.factor for share in shares)
    outer = max(outer, inner + LEAST_PX)
    top, left = max(0, int(y - outer)), max(0, int(x - outer))
    part = working.colour[top : int(y + outer) + 2, left : int(x + outer) + 2]
    rows, columns = np.indices(part.shape[:2])
    far = np.hypot(columns + left - x, rows + top - y)
    ring = part[(inner <= far) & (far <= outer)]
    return np.asarray(np.median(ring if len(ring) else part.reshape(-1, 3), axis=0), np.float32)
