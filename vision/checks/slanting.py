"""Slant check: in a slanting view all fours and fives are squeezed along one direction.

Without fours and fives, the axes of the pips are used.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.checks.check import Change, Checked
from vision.values import Die

SQUEEZED = 0.86
"""Cosine of a tilt of 31 degrees: what it leaves of lengths is measured on all clear fours and fives."""

CLEAR_CHANCE = 0.5
"""Minimum probability of those fours and fives."""

FLAT_PIPS = 0.75
"""Maximum median ratio of the axes of large pips, used without fours and fives. Drilled pips lit from one
side are flat from above, too."""

LARGE_PIP = 0.0047
"""Minimum radius of those pips, over the long side of the picture: of smaller ones the axes are noise."""


def check(read: Checked) -> Change:
    """Whether the dice that show pips are seen aslant."""
    return Change(keys=("slanting",) if _aslant(read) else ())


def _aslant(read: Checked) -> bool:
    clear = (die for die in read.dice if die.confidence > CLEAR_CHANCE and die.face in (4, 5))
    squares = [die for die in clear if len(die.pips) == die.face]
    if squares:
        return squeeze(np.array([_square(die) for die in squares])) < SQUEEZED
    least_px = LARGE_PIP * max(read.image_bgr.shape)
    seen = [np.mean([(pip.radius_px, pip.flat) for pip in die.pips], axis=0) for die in read.dice if die.pips]
    flat = [flat for radius_px, flat in seen if radius_px > least_px]
    return bool(flat and np.median(flat) < FLAT_PIPS)


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
