"""What speaks against believing a reading. Being wrong for certain is the one unforgivable fault."""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools
from vision.dice import Found
from vision.pips import Pips
from vision.values import Doubt

CERTAIN_CHANCE = 0.97
"""A die's least chance to be called certain."""

UNREAD_QUALITY = 0.55
UNREAD_RADIUS = (0.55, 1.8)
"""A pip left over counts when it is as round and as large as the pips of the dice that were read."""

OWN_REACH = 1.9
"""Pips within this many half sides of a die's middle are its own: they lie on its side faces."""


def unread_pips(found: Found) -> list[Doubt]:
    """Pips like those of the dice read, away from all of them: a die may lie there unread."""
    pips = found.pips
    if not len(pips):
        return []
    lonely = _lonely(found) & (pips.quality > UNREAD_QUALITY)
    if len(found):
        read = found.faces.pips[found.faces.pips >= 0]
        usual = float(np.median(pips.radius_px[read]))
        lonely &= (pips.radius_px > UNREAD_RADIUS[0] * usual) & (pips.radius_px < UNREAD_RADIUS[1] * usual)
    return [_at(pips, int(i)) for i in np.nonzero(lonely)[0][:MOST_NAMED]]


MOST_NAMED = 8
"""Doubts of one kind that are listed; more help nobody."""


def _lonely(found: Found) -> Bools:
    """Which pips lie away from every die read."""
    pips = found.pips
    if not len(found):
        return np.ones(len(pips), bool)
    apart = np.linalg.norm(pips.xy_px[:, None] - found.faces.middle_px[None], axis=2)
    return np.asarray((apart > OWN_REACH * found.half_px[None]).all(axis=1))


def _at(pips: Pips, index: int) -> Doubt:
    """A doubt at a pip, the size of the die it would be on."""
    x, y = (float(v) for v in pips.xy_px[index])
    return Doubt("unread_pips", x, y, float(pips.radius_px[index]) * 10)
