"""Whether the camera looks straight down, from the sizes of equal dice over the picture. Pure.

A die's width in pixels goes inversely with its distance. Over a table seen by a camera that leans by an
angle, the widths rise towards the side it is nearer to: relative to the middle, for every pixel, by the
angle's tangent over the focal length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, degrees, hypot

import numpy as np

LEAST_DICE = 4
LEAST_SPREAD = 0.12
"""Dice must be spread this far, as standard deviation in widths of the picture, both ways."""

_FOCAL_WIDTHS = 0.8
"""Focal length in widths of the picture: that of a lens which sees 64 degrees, as most Pi modules do."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """How many degrees the camera is off the vertical, and the side of the picture it is nearer to."""

    degrees: float
    nearer: str


def leaning(dice: Sequence[tuple[float, float, float]], width_px: int) -> Leaning | None:
    """How the camera leans, from dice as (x, y, size) in pixels; None when they are too few or too close."""
    if len(dice) < LEAST_DICE:
        return None
    x, y, size = (np.array(column, dtype=np.float64) for column in zip(*dice, strict=True))
    across, along = (x - x.mean()) / width_px, (y - y.mean()) / width_px
    if min(across.std(), along.std()) < LEAST_SPREAD:
        return None
    matrix = np.column_stack((np.ones_like(size), across, along))
    (middle, right, down), *_ = np.linalg.lstsq(matrix, size, rcond=None)
    slope = hypot(right, down) / middle
    sides = ("right", "left") if abs(right) >= abs(down) else ("bottom", "top")
    return Leaning(degrees(atan(slope * _FOCAL_WIDTHS)), sides[0 if max(right, down, key=abs) > 0 else 1])
