"""Dice on a table come in sets: a guess that looks like a die already found is likelier to be one.

Size is a soft preference only: sets of several sizes lie on one table, and a lone die has no family.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Floats
from vision.body import Bodies
from vision.faces import Faces, mean_of_pips
from vision.pips import Pips

ANCHOR_CHANCE = 0.75
"""Dice at least this likely speak for others like them."""

SAME_SIZE = 0.13
"""Difference of the logarithms of two dice's sides at which likeness falls to 0.6."""

SAME_SHADE = 0.09
"""Distance of square-root colours at which likeness falls to 0.6: light falls unevenly on a table."""

SAME_PIP = 0.16
"""Difference of the logarithms of two dice's pip radii; aces may be big, so theirs is not compared."""

FAMILY_GAIN, STRANGER_LOSS = 4.0, 1.5
"""What a perfect likeness adds to the logarithm of the odds, and what none at all takes away."""


def with_family(pips: Pips, faces: Faces, bodies: Bodies, chance: Floats, anchors: Bools) -> Floats:
    """Chances (M,) given the likeness of each guess to the anchors (M,) that it does not overlap."""
    which = np.nonzero(anchors)[0]
    if not len(which):
        return chance
    likeness = _likeness(pips, faces, bodies, which).max(axis=1)
    odds = np.log(np.clip(chance, 1e-6, 1 - 1e-6) / np.clip(1 - chance, 1e-6, 1))
    odds = odds + FAMILY_GAIN * likeness - STRANGER_LOSS * (1 - likeness)
    lone = anchors & (len(which) == 1)
    return np.asarray(np.where(lone, chance, 1 / (1 + np.exp(-odds))), np.float32)


def _likeness(pips: Pips, faces: Faces, bodies: Bodies, which: Floats) -> Floats:
    """Likeness (M, A) in [0, 1] of each guess to each anchor, 0 to itself and to what it overlaps."""
    half = np.log(faces.half_px * bodies.scale)
    radius = np.log(mean_of_pips(pips.radius_px, faces))
    size = ((half[:, None] - half[which]) / SAME_SIZE) ** 2
    shade = (np.linalg.norm(bodies.shade[:, None] - bodies.shade[which], axis=2) / SAME_SHADE) ** 2
    pip = ((radius[:, None] - radius[which]) / SAME_PIP) ** 2
    pip[(faces.face == 1)[:, None] | (faces.face[which] == 1)] = 1.0
    apart = np.linalg.norm(faces.middle_px[:, None] - faces.middle_px[which], axis=2)
    free = apart > np.exp(half)[:, None] + np.exp(half[which]) * 0.5
    return np.asarray(np.exp(-0.5 * (size + shade + pip)) * free)
