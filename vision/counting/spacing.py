"""What the distances between pips tell against a face: holes of a button lie too far apart."""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Floats, lengths
from vision.counting.dice import Found
from vision.counting.faces import mean_of_pips

HOLES = 12.0
"""Radii between opposite pips of a four beyond which they may be the holes of a button; such small ones
are rare on dice."""


def like_holes(found: Found) -> Bools:
    """Which of the K dice are fours that may be the holes of a button."""
    opposite = _diagonal_px(found, 1) + _diagonal_px(found, -1)
    return np.asarray((found.faces.face == 4) & (opposite > HOLES * _radius_px(found)))


def _diagonal_px(found: Found, way: int) -> Floats:
    """Half of each rectangle's diagonal, the first or the other (K,)."""
    return lengths(found.faces.row_px + way * found.faces.column_px)


def _radius_px(found: Found) -> Floats:
    return mean_of_pips(found.pips.radius_px, found.faces)
