"""Dice nearer to each other than dice can lie: a side face was read beside its top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats
from vision.checks.check import Change, Checked
from vision.values import Die

TOUCHING = 0.95
"""Tops of dice that touch lie one side apart, a side face nearer."""


def check(read: Checked) -> Change:
    """Dice of which another lies too near."""
    return Change(tuple(np.flatnonzero((gaps(read.dice) < TOUCHING).any(axis=1)).tolist()))


def gaps(dice: Sequence[Die]) -> Floats:
    """How far each two middles lie apart, (n, n), over what it is when the dice touch; no die to itself."""
    x, y, side = np.array([(die.x_px, die.y_px, die.size_px) for die in dice]).reshape(-1, 3).T
    gaps = np.hypot(x[:, None] - x, y[:, None] - y) / (side[:, None] + side) * 2
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(gaps)
