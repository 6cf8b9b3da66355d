"""Whether the light shows dice: a picture too dark, too bright, or dark on one side."""

from __future__ import annotations

import math

import numpy as np

from vision.arrays import Floats
from vision.checks.check import Change, Checked
from vision.picture.working import Working, for_colours

DARK = 0.12
"""Of the brightest hundredth of the picture, linear in [0, 1]: nothing in it is lit."""

DARK_SIDE, DARK_SIDE_RATIO = 0.2, 0.3
"""A side whose brightest hundredth is darker than this, and than this share of the other side's."""

PLAINLY_LIT = 0.03
"""Where more than this share of each side is not dark, nothing is; to find the brightest hundredth takes ten
times as long."""

BRIGHT_SHARE = 0.2
"""Of the picture burnt out: a white die may be lost in it, pips and all. Photographs that can be read have
less than a sixth of that."""

BURNT = 0.985
"""Threshold of saturation: square root of the smallest of the three colours."""


def check(read: Checked) -> Change:
    """Too dark, too dark on one side, too bright."""
    return Change(keys=tuple(_exposure(for_colours(read.image_bgr))))


def _exposure(working: Working) -> list[str]:
    """Too dark, too dark on one side, too bright."""
    colours = [np.ascontiguousarray(plane) for plane in np.moveaxis(working.colour[::2, ::2], 2, 0)]
    value = np.maximum.reduce(colours)
    if min(value.shape) < 4:
        return []
    if np.mean(np.minimum.reduce(colours) > BURNT) > BRIGHT_SHARE:
        return ["too_bright"]
    if min(side.mean() for side in _sides(value > math.sqrt(DARK_SIDE))) > PLAINLY_LIT:
        return []
    if _brightest(value) < DARK:
        return ["too_dark"]
    left, right, top, bottom = map(_brightest, _sides(value))
    sides = {
        "dark_left": (left, right),
        "dark_right": (right, left),
        "dark_top": (top, bottom),
        "dark_bottom": (bottom, top),
    }
    return [key for key, (one, other) in sides.items() if one < DARK_SIDE and one < DARK_SIDE_RATIO * other]


def _sides(value: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The left, right, upper and lower half."""
    half_y, half_x = value.shape[0] // 2, value.shape[1] // 2
    return value[:, :half_x], value[:, half_x:], value[:half_y], value[half_y:]


def _brightest(value: Floats) -> float:
    """Stored value, in [0, 1], of the brightest hundredth."""
    return float(np.percentile(value, 99)) ** 2
