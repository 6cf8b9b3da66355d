"""Light check: in a picture that is dark, dark on one side or burnt out, dice may be lost."""

from __future__ import annotations

import numpy as np

from vision.arrays import BURNT, Floats
from vision.checks.check import Change, Checked
from vision.picture.working import for_colours

DARK = 0.12
"""Minimum of the brightest hundredth of each half of the picture, linear in [0, 1]."""

DARK_SIDE, SIDE_RATIO = 0.2, 0.3
"""The same of a half that is less than this many times as bright as the brightest half."""

BRIGHT_SHARE = 0.2
"""Maximum share of the picture that is burnt out: a white die may be lost in it, pips and all. Photographs
that can be read have less than a sixth of that."""


def check(read: Checked) -> Change:
    """Whether the picture is too bright, or a half of it too dark."""
    colours = np.ascontiguousarray(np.moveaxis(for_colours(read.image_bgr).colour[::2, ::2], 2, 0))
    if np.mean(colours.min(axis=0) ** 2 > BURNT / 255) > BRIGHT_SHARE:
        return Change(keys=("too_bright",))
    lit = [float(np.percentile(half, 99)) ** 2 for half in _halves(colours.max(axis=0))]
    dark = min(lit) < max(DARK, min(DARK_SIDE, SIDE_RATIO * max(lit)))
    return Change(keys=("too_dark",) if dark else ())


def _halves(value: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The left, right, upper and lower half."""
    y, x = value.shape[0] // 2, value.shape[1] // 2
    return value[:, :x], value[:, x:], value[:y], value[y:]
