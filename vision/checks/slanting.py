"""Slant check: in a slanting view all fours and fives are squeezed along one direction. Without any, and
where some die is uncertain, the tilt decides that the crop classifier sees at each die."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.checks.check import Change, Checked
from vision.values import Die, is_strong

SQUEEZED = 0.86
"""Cosine of a tilt of 31 degrees: what it leaves of lengths is measured on all fours and fives."""
MAX_TILT_DEG = 32.0
"""Of the view, by what each die tells."""
MIN_EXCESS_DEG = 5.0
"""Sum of what the tilts at all dice exceed it by: a lone die tells the tilt worse than several."""


def check(read: Checked) -> Change:
    """Whether the dice that show pips are seen aslant: no die is certain where the tilt tells it."""
    squares = [die for die in read.dice if die.face in (4, 5) and len(die.pips) == die.face]
    if squares and squeeze(np.array([_square(die) for die in squares])) < SQUEEZED:
        return Change(keys=("slanting",))
    if squares and all(is_strong(die) for die in read.dice):
        return Change()
    excess_deg = sum(read.tilt_deg(die) - MAX_TILT_DEG for die in read.dice if die.pips)
    if excess_deg < MIN_EXCESS_DEG:
        return Change()
    return Change(tuple(range(len(read.dice))), ("slanting",))


def _square(die: Die) -> Floats:
    """The corner pips of a four or five less their middle, (4, 2)."""
    places = np.array([(pip.x_px, pip.y_px) for pip in die.pips])
    off = places - places.mean(axis=0)
    return np.asarray(off[np.argsort(-np.hypot(*off.T))[:4]])


def squeeze(corners_px: Floats) -> float:
    """What the view leaves of lengths along the direction it shortens most, over those across it.

    `corners_px` (M, 4, 2): the corners of M squares about their middles, turned in any way. A view from above
    leaves 1, however ill each is measured; a tilt shortens all along one direction, whatever their turns.
    """
    spread = np.einsum("msi,msj->mij", corners_px, corners_px)
    mean = (spread / np.trace(spread, axis1=1, axis2=2)[:, None, None]).mean(axis=0)
    least, most = np.linalg.eigvalsh(mean)
    return float(np.sqrt(max(least, 0.0) / most))
