"""The tilt of the camera, from the sizes of equal dice over the picture. Pure.

A die's width in pixels is inverse to its distance, so dice look larger on the side that a tilted camera is
nearer to. Relative to the middle the width grows per pixel by tan(tilt) / focal length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, degrees, hypot

import numpy as np

MIN_DICE = 4
MIN_SPREAD = 0.12
"""Minimum standard deviation of the dice in each direction, in widths of the picture."""

_FOCAL_WIDTHS = 0.8
"""Focal length in widths of the picture: that of a field of view of 64 degrees, as most Pi modules have."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """Degrees off the vertical, and the side of the picture that the camera is nearer to."""

    degrees: float
    nearer: str


def tilt(dice: Sequence[tuple[float, float, float]], width_px: int) -> Tilt | None:
    """The tilt from dice as (x, y, size) in pixels; None when they are too few or too close together."""
    if len(dice) < MIN_DICE:
        return None
    x, y, size = (np.array(column, dtype=np.float64) for column in zip(*dice, strict=True))
    across, along = (x - x.mean()) / width_px, (y - y.mean()) / width_px
    if min(across.std(), along.std()) < MIN_SPREAD:
        return None
    matrix = np.column_stack((np.ones_like(size), across, along))
    (middle, right, down), *_ = np.linalg.lstsq(matrix, size, rcond=None)
    slope = hypot(right, down) / middle
    sides = ("right", "left") if abs(right) >= abs(down) else ("bottom", "top")
    return Tilt(degrees(atan(slope * _FOCAL_WIDTHS)), sides[0 if max(right, down, key=abs) > 0 else 1])
