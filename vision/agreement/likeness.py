"""Whether what lies at a place has the colour of dice that were read: one of them that shows no face to read.

An emblem or a numeral may look like a face to nobody, and still its body is that of the other dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Image, lengths, medians
from vision.learned.sights import Spot, usual_side_px
from vision.picture.working import Working, for_colours
from vision.values import Doubt

BODY, GROUND = (0.27, 0.48), (0.9, 1.2)
"""Between these shares of a side from a die's middle its body shows round whatever its face bears, and what
it lies on."""
MIDDLE = (0.0, 0.2)
"""And within this much of the middle of what may be left of a die."""
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
    colours = _colours(image_bgr, dice)
    at = ((spot, (spot.x_px, spot.y_px)) for spot in spots)
    return [spot for spot, xy in at if colours.alike(xy, BODY) and not colours.alike(xy, GROUND)]


def in_their_colour(image_bgr: Image, left: Sequence[Doubt], dice: Sequence[Spot]) -> list[Doubt]:
    """Those of the places that have the colour of one of the dice in their middle: what may be left of a die
    that something covers, whatever lies round it."""
    if not left or not dice:
        return []
    colours = _colours(image_bgr, dice)
    return [place for place in left if colours.alike((place.x_px or 0.0, place.y_px or 0.0), MIDDLE)]


@dataclass(frozen=True, slots=True)
class _Colours:
    """A picture, the usual side of its dice in pixels, and the colours (n, 3) of their bodies."""

    working: Working
    side_px: float
    bodies: Floats

    def alike(self, xy_px: tuple[float, float], shares: tuple[float, float]) -> bool:
        """Whether what lies between two shares of a side round a place has the colour of one of the dice."""
        colour = colour_round(self.working, xy_px, self.side_px, shares)
        return bool(lengths(colour - self.bodies).min() <= ALIKE)


def _colours(image_bgr: Image, dice: Sequence[Spot]) -> _Colours:
    working = for_colours(image_bgr)
    bodies = [colour_round(working, (die.x_px, die.y_px), die.size_px, BODY) for die in dice]
    return _Colours(working, usual_side_px(dice), np.stack(bodies))


def colour_round(
    working: Working, xy_px: tuple[float, float], side_px: float, shares: tuple[float, float]
) -> Floats:
    """The usual colour (3,) between two distances from a place."""
    height, width = working.colour.shape[:2]
    x, y = (min(at * working.factor, most - 1) for at, most in zip(xy_px, (width, height), strict=True))
    inner, outer = (share * side_px * working.factor for share in shares)
    outer = max(outer, inner + LEAST_PX)
    top, left = max(0, int(y - outer)), max(0, int(x - outer))
    part = working.colour[top : int(y + outer) + 2, left : int(x + outer) + 2]
    across, down = np.arange(left, left + part.shape[1]) - x, np.arange(top, top + part.shape[0]) - y
    far = np.hypot(across, down[:, None])
    ring = part[(inner <= far) & (far <= outer)]
    return np.asarray(medians(ring if len(ring) else part.reshape(-1, 3)), np.float32)
