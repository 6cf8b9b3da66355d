"""Checks of dice that were read: how they lie beside one another, and aces that may be other dots.

Two dice may be too near to each other: nearer than dice can lie, as a top and its side, or edge to edge. The
latter are doubted in line and of one hue: a domino's halves, or a top and a side seen steeply.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import Floats
from vision.checks.check import Change, Check, Checked
from vision.picture.colour import lab
from vision.values import ONE_THING, Die

TOUCHING = 0.9
"""Minimum distance of the middles of two tops, in sides: those of dice that touch lie one side apart, and
sides are read up to a tenth too large."""

ABUTTING, STRAIGHT_DEG, ONE_HUE = 1.12, 10.0, 15.0
"""Two dice nearer than this many sides, as straight in line and in CIE a*b* of as like a colour, may be one
domino, or the top and a side of one die seen steeply, whose light differs. Of 47 certain pairs of such in
photographs 13 are doubted so, of 191 pairs of neighbours 4, and no photograph is less certain. In the light
of the darker 24 more of 2 403 certain dice of `pool` are doubted, 13 of them wrong; none of other sets."""


def in_line(read: Checked) -> Change:
    """Dice that are too near to another, or in line with a neighbour: neither is certain by itself."""
    return Change(tuple({die: None for pair in pairs(read.dice) for die in pair}), why=ONE_THING)


def pairs(dice: Sequence[Die]) -> list[tuple[int, int]]:
    """Every two dice that may be one thing, by their places."""
    apart = gaps(dice)
    near = [(k, n) for k, n in np.argwhere(apart <= ABUTTING).tolist() if k < n]
    return [(k, n) for k, n in near if apart[k, n] < TOUCHING or _halves(dice[k], dice[n])]


def gaps(dice: Sequence[Die]) -> Floats:
    """How far each two middles lie apart, (n, n), over what it is when the dice touch; no die to itself."""
    x, y, side = np.array([(die.x_px, die.y_px, die.size_px) for die in dice]).reshape(-1, 3).T
    gaps = np.hypot(x[:, None] - x, y[:, None] - y) / (side[:, None] + side) * 2
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(gaps)


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


SPECK_PX = 28.0
"""In a picture a lone dot in a patch narrower than this may be a printed flower as well as an ace."""
SPOTS = 16
"""Where so many aces are doubtful, or places look like dice that nobody reads, a dot on a patch is no ace for
certain: a board of tiles with discs on them has them by the dozen, the photographs of `dev` 13 at most."""


def specks(read: Checked) -> Change:
    """Aces that are specks, and all where the picture is full of what looks like some."""
    ones = [k for k, die in enumerate(read.dice) if die.face == 1]
    small = [k for k in ones if read.dice[k].size_px < SPECK_PX]
    uncertain = sum(not read.dice[k].certain or k in small for k in ones)
    left = sum(doubt.x_px is not None for doubt in read.doubts)
    if left + uncertain < SPOTS:
        return Change(tuple(small))
    return Change((*small, *(k for k in ones if read.dice[k].certain)))


OF_DICE: Mapping[str, Check] = {"in_line": in_line, "aces": specks}
"""These checks by name, in the order in which they run."""
