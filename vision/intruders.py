"""Pips that a guess does not explain: the check that matters most.

On a real top face no further pip of the same kind lies, and few lie round it: those of the side faces and of
neighbours. Dots of a cloth have more of their kind on all sides.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.faces import Faces, mean_of_pips
from vision.pips import Pips

FACE_REACH = 0.86
"""Of half the face's side: like pips inside this square belong to the face or speak against it."""

ROUND_REACH = 2.2
"""Of half the face's side: like pips from there out to here are the company."""

LIKE_RADIUS = (0.5, 1.8)
LIKE_CONTRAST = 0.4
"""A like pip has a radius and a contrast of these multiples of the guess's own pips."""


def count_intruders(pips: Pips, faces: Faces) -> tuple[Floats, Floats]:
    """Number of unexplained like pips inside each face (M,), and round it (M,)."""
    owner, guest = _near(pips, faces)
    offset = pips.xy_px[guest] - faces.middle_px[owner]
    out = _reach(offset, faces.across_px[owner], faces.down_px[owner])
    foreign = ~(faces.pips[owner] == guest[:, None]).any(axis=1) & _alike(pips, faces, owner, guest)
    inside = foreign & (out < FACE_REACH)
    around = foreign & ~inside & (out < ROUND_REACH)
    counts = [
        np.bincount(owner[which], minlength=len(faces)).astype(np.float32) for which in (inside, around)
    ]
    return counts[0], counts[1]


def _alike(pips: Pips, faces: Faces, owner: Ints, guest: Ints) -> Bools:
    """Whether each guest looks like the pips of the guess that owns the place."""
    seed = faces.pips[owner, 0]
    ratio = pips.radius_px[guest] / pips.radius_px[seed]
    return np.asarray(
        (pips.light[guest] == pips.light[seed])
        & (pips.contrast[guest] > LIKE_CONTRAST * pips.contrast[seed])
        & (ratio > LIKE_RADIUS[0])
        & (ratio < LIKE_RADIUS[1])
    )


def _near(pips: Pips, faces: Faces) -> tuple[Ints, Ints]:
    """Pairs (guess, pip) that lie within the guess's reach in x and y."""
    order = np.argsort(pips.xy_px[:, 0], kind="stable")
    x = pips.xy_px[order, 0]
    reach = faces.half_px * ROUND_REACH * 1.42
    start = np.searchsorted(x, faces.middle_px[:, 0] - reach)
    counts = np.searchsorted(x, faces.middle_px[:, 0] + reach) - start
    owner = np.repeat(np.arange(len(faces)), counts)
    inner = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    guest = order[start[owner] + inner]
    close = np.abs(pips.xy_px[guest, 1] - faces.middle_px[owner, 1]) <= reach[owner]
    return owner[close], guest[close]


def _reach(offset: Floats, across: Floats, down: Floats) -> Floats:
    """How far out each offset (N, 2) lies in the frame of its face: 1 on the border of the face."""
    area = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
    area = np.where(np.abs(area) < 1e-6, 1e-6, area)
    s = (offset[:, 0] * down[:, 1] - offset[:, 1] * down[:, 0]) / area
    t = (across[:, 0] * offset[:, 1] - across[:, 1] * offset[:, 0]) / area
    return np.asarray(np.maximum(np.abs(s), np.abs(t)))


MOST_GUESSES = 350
"""The body of more is not looked for: bounds the cost on cloths that are all dots."""


def unspoilt(pips: Pips, faces: Faces) -> Faces:
    """The guesses without intruders (one is forgiven from four up: a glare), the most promising ones."""
    inside, around = count_intruders(pips, faces)
    allowed = np.where(faces.face >= 4, 1, 0)
    good = np.nonzero(inside <= allowed)[0]
    quality = mean_of_pips(pips.quality, faces)
    promise = quality + faces.least_pip - faces.most_body - faces.misfit + 0.15 * faces.face - 0.05 * around
    best = good[np.argsort(-promise[good], kind="stable")[:MOST_GUESSES]]
    return faces.take(np.sort(best))
