"""Two dice edge to edge, in line and of one hue: a domino's halves, or a top and a side seen steeply."""

from __future__ import annotations

import math

import numpy as np

from vision.checks.check import Change, Checked
from vision.checks.crowded import gaps
from vision.picture.colour import lab
from vision.values import Die

ABUTTING, STRAIGHT_DEG, ONE_HUE = 1.12, 10.0, 15.0
"""Two dice nearer than this many sides, as straight in line and in CIE a*b* of as like a colour, may be one
domino, or the top and a side of one die seen steeply, whose light differs. Of 47 certain pairs of such in
photographs 13 are doubted so, of 191 pairs of neighbours 4, and no photograph is less certain. In the light
of the darker 24 more of 2 403 certain dice of `pool` are doubted, 13 of them wrong; none of other sets."""


def check(read: Checked) -> Change:
    """Dice that are in line with a neighbour."""
    near = np.argwhere(gaps(read.dice) <= ABUTTING).tolist()
    return Change(tuple(dict.fromkeys(k for k, other in near if _halves(read.dice[k], read.dice[other]))))


def _halves(one: Die, other: Die) -> bool:
    """Whether two dice that lie edge to edge are straight in line and of one colour, as a domino's halves."""
    if one.rgb is None or other.rgb is None:
        return False
    way = math.degrees(math.atan2(other.y_px - one.y_px, other.x_px - one.x_px))
    # the turn of a two is known up to an eighth: it may lie on either diagonal
    straight = all(abs((way - die.angle_deg + 22.5) % 45 - 22.5) < STRAIGHT_DEG for die in (one, other))
    return straight and _hues_apart(one.rgb, other.rgb) < ONE_HUE


def _hues_apart(*rgb: tuple[int, int, int]) -> float:
    """How far two colours lie apart in CIE a*b* in the light of the darker.

    In less light a* and b* of one surface shrink as the cube root of the light does, and so does L* + 16
    (source: CIE 15).
    """
    colours = lab(np.array(rgb, np.float32))
    light = colours[:, :1] + 16
    one, other = colours[:, 1:] * (light.min() / light)
    return math.dist(one, other)
