"""What the distances between pips tell against a face: holes of a button lie too far apart, what is left of a
larger face under a finger too near together.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Floats, lengths
from vision.counting.dice import Found
from vision.counting.faces import mean_of_pips

HOLES = 12.0
"""Radii between opposite pips of a four beyond which they may be the holes of a button; such small ones
are rare on dice."""

NEAR_FOUR = 3.0
"""Radii between neighbouring pips of a four below which they may be four of a six: its rows have 2.8, fours 4
to 6. Of 621 certain fours of photographs and drawn pictures 23 lie so near, all of them small and coarse."""

NEAR_TWO, LARGE_PIPS = 3.7, 0.125
"""Likewise for the two pips of a two, where their radius is more than this share of its side: two of a three.
Twos that are set close have a body beside them. Of 642 certain twos 11 look so, small ones."""


def like_holes(found: Found) -> Bools:
    """Which of the K dice are fours that may be the holes of a button."""
    opposite = _diagonal_px(found, 1) + _diagonal_px(found, -1)
    return np.asarray((found.faces.face == 4) & (opposite > HOLES * _radius_px(found)))


def like_part(found: Found) -> Bools:
    """Which of the K dice are fours and twos that may be what is seen of a six or a three."""
    radius_px, nearer_px = _radius_px(found), 2 * lengths(found.faces.row_px)
    four = (found.faces.face == 4) & (nearer_px < NEAR_FOUR * radius_px)
    near = 2 * _diagonal_px(found, 1) < NEAR_TWO * radius_px
    return np.asarray(four | (found.faces.face == 2) & near & (radius_px > LARGE_PIPS * 2 * found.half_px))


def _diagonal_px(found: Found, way: int) -> Floats:
    """Half of each rectangle's diagonal, the first or the other (K,)."""
    return lengths(found.faces.row_px + way * found.faces.column_px)


def _radius_px(found: Found) -> Floats:
    return mean_of_pips(found.pips.radius_px, found.faces)
