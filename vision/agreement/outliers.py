"""What no agreement on faces can tell: dice nearer than dice can lie, specks.

A side face was read beside its top, a domino as two dice, a printed flower or a tile of a board as one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats
from vision.picture.colour import lab
from vision.values import Die

MOST_SIZES = 1.75
"""Sets of 12 and of 20 mm may be mixed; what is so many times larger or smaller is none of them."""
TOUCHING = 0.95
"""Tops of dice that touch lie one side apart, a side face nearer."""
ABUTTING, STRAIGHT_DEG, ONE_HUE = 1.12, 10.0, 15.0
"""Two dice nearer than this many sides, as straight in line and in CIE a*b* of as like a colour, may be one
domino, or the top and a side of one die seen steeply, whose lightness differs. Of 47 certain pairs of such in
photographs 13 are doubted so, of 191 pairs of neighbours 4, and no photograph is less certain."""
SPECK_PX = 28.0
"""In a picture a lone dot in a patch narrower than this may be a printed flower as well as an ace."""
SPOTS = 16
"""Where so many aces are doubtful, or places look like dice that nobody reads, a dot on a patch is no ace for
certain: a board of tiles with discs on them has them by the dozen, the photographs of `dev` 13 at most."""
LESS = 0.9
"""What is doubted is no likelier than that."""


def doubting_aces(dice: Sequence[Die], left: int) -> list[Die]:
    """The dice, aces uncertain where the picture is full of what looks like some: doubtful aces, and `left`
    places that nobody reads."""
    if left + sum(die.face == 1 and not die.certain for die in dice) < SPOTS:
        return list(dice)
    return [doubted(die, "low_confidence" if die.certain and die.face == 1 else None) for die in dice]


def doubting_outliers(dice: Sequence[Die]) -> list[Die]:
    """The dice, uncertain where two lie nearer than dice can (one is a side), or an ace is a speck."""
    apart = gaps(dice)
    near = [[dice[k] for k in np.flatnonzero(row <= ABUTTING).tolist()] for row in apart]
    return [
        doubted(die, _outlier(die, others, bool((row < TOUCHING).any())))
        for die, others, row in zip(dice, near, apart, strict=True)
    ]


def _outlier(die: Die, near: Iterable[Die], too_near: bool) -> str | None:
    unlike = _is_speck(die) or too_near or any(_halves(die, other) for other in near)
    return "low_confidence" if unlike else None


def _is_speck(die: Die) -> bool:
    return die.face == 1 and die.size_px < SPECK_PX


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
    # a two does not tell which diagonal it lies on, so that its turn is known but for an eighth
    straight = all(abs((way - die.angle_deg + 22.5) % 45 - 22.5) < STRAIGHT_DEG for die in (one, other))
    return straight and _hues_apart(one.rgb, other.rgb) < ONE_HUE


def _hues_apart(*rgb: tuple[int, int, int]) -> float:
    """How far two colours lie apart in CIE a*b*, however light they are."""
    one, other = lab(np.array(rgb, np.float32))[:, 1:]
    return math.dist(one, other)


def doubted(die: Die, why: str | None) -> Die:
    """The die, uncertain for one reason more; as it is without a reason, or where that was told before."""
    if why is None or why in die.why:
        return die
    return replace(die, certain=False, confidence=min(die.confidence, LESS), why=(*die.why, why))
