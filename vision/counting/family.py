"""Dice on a table come in sets: what lies round a candidate tells whether it is one of them.

A candidate that looks like dice already found is likelier to be a die, one among many stray pips is less
likely, and so is one that overlaps a better one. A perceptron weighs this together with the candidate's own
features. Likeness counts softly only: sets of several sizes lie on one table, and a lone die has no family.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.counting.body import Bodies
from vision.counting.faces import Faces, mean_of_pips
from vision.counting.pips import Pips
from vision.counting.scrutiny import Weighed, fitted

NAMES = (
    "anchors", "likest", "likeness", "size", "shade", "pip", "contrast", "usual_size", "rival",
    "fuller_rival", "pips", "loose_pips", "lone", "usual_flat", "usual_squeezed", "alone",
)  # fmt: skip
"""One word per column of `company`, in its order."""

SAME_SIZE = 0.13
"""Difference of the logarithms of two dice's sides at which likeness falls to 0.6."""

SAME_SHADE = 0.09
"""Distance of square-root colours at which likeness falls to 0.6: light falls unevenly on a table."""

SAME_PIP = 0.16
"""Difference of the logarithms of two dice's pip radii; aces may be big, so theirs is not compared."""

CLOSEST = 0.78
"""Middles of the top faces of two dice lie at least this share of their half sides' sum apart; touching
dice seen from above have 1.0, a side face and its top face at most 0.7."""

MOST_ODDS = 8.0
"""Logarithms of odds count no more than that, either way."""

RIVAL_ODDS = -5.0
"""By itself, of a candidate that may be a rival to another."""

CLEAR_QUALITY, OWN_REACH = 0.3, 1.95
"""A pip this clear is loose when it lies farther than so many half sides from every anchor."""

FAR = (1.2, 0.6, 1.0, 1.2)
"""Differences of size, shade, pip and contrast count no more than that."""

UNKNOWN = (0.3, 0.15, 0.2, 0.2, 0.0, 0.85, 0.1)
"""Size, shade, pip, contrast, usual size, flat and squeezed where no anchor tells."""


def weigh_among(pips: Pips, faces: Faces, bodies: Bodies, weighed: Weighed, anchors: Ints) -> Floats:
    """Logarithm of the odds (M,) that each candidate is a die showing its face; `anchors` are numbers of
    candidates that are dice by themselves."""
    if not len(faces):
        return np.zeros(0, np.float32)
    round_it = company(pips, faces, bodies, weighed, anchors)
    return fitted("among").odds(np.column_stack([weighed.features, round_it]))


def company(pips: Pips, faces: Faces, bodies: Bodies, weighed: Weighed, anchors: Ints) -> Floats:
    """What lies round each candidate, (M, len(NAMES))."""
    half = faces.half_px * bodies.scale
    near = _near_anchors(pips, faces, bodies, half, anchors)
    rival, fuller = _rivals(faces, half, weighed.alone)
    clear = pips.xy_px[pips.quality > CLEAR_QUALITY]
    apart = np.linalg.norm(clear[:, None] - faces.middle_px[anchors], axis=2)
    loose = (apart > OWN_REACH * half[anchors]).all(axis=1).sum()
    columns = [near[:, :8], rival, fuller, np.full(len(faces), np.log1p(len(clear)))]
    columns += [np.full(len(faces), np.log1p(loose)), near[:, 8:]]
    columns += [np.clip(weighed.alone, -MOST_ODDS, MOST_ODDS)]
    return np.column_stack(columns).astype(np.float32)


def _near_anchors(pips: Pips, faces: Faces, bodies: Bodies, half: Floats, anchors: Ints) -> Floats:
    """How like the anchors that it does not overlap each candidate is, (M, 11): the columns of NAMES that
    tell of them, in their order."""
    size, shade, pip, contrast, usual, flat, squeezed = UNKNOWN
    alone = np.tile([0, 0, 0, size, shade, pip, contrast, usual, 1, flat, squeezed], (len(faces), 1))
    if not len(anchors):
        return alone
    apart = np.linalg.norm(faces.middle_px[:, None] - faces.middle_px[anchors], axis=2)
    free = apart > half[:, None] + half[anchors] * 0.5
    differences = _differences(pips, faces, bodies, half, anchors)
    flats = mean_of_pips(pips.flat, faces)[anchors], _squeezed(faces)[anchors]
    usual_of = [_mean(np.broadcast_to(values, free.shape), free) for values in flats]
    found = np.column_stack(
        [_likeness(faces, differences, free, anchors), np.zeros(len(faces)), *usual_of],
    )
    return np.where(free.any(axis=1)[:, None], found, alone)


def _likeness(
    faces: Faces, differences: tuple[Floats, Floats, Floats, Floats], free: Bools, anchors: Ints
) -> Floats:
    """(M, 8): number of free anchors, largest and mean likeness, how far the likest differs, usual size."""
    size, shade, pip, _ = differences
    ace = (faces.face == 1)[:, None] | (faces.face[anchors] == 1)
    strange = (size / SAME_SIZE) ** 2 + (shade / SAME_SHADE) ** 2 + np.where(ace, 1.0, (pip / SAME_PIP) ** 2)
    like, number = np.exp(-0.5 * strange) * free, free.sum(axis=1)
    best = np.where(free, strange, np.inf).argmin(axis=1)
    off = [
        np.minimum(np.abs(d[np.arange(len(best)), best]), most)
        for d, most in zip(differences, FAR, strict=True)
    ]
    usual = np.clip(_mean(size, free), -1.5, 1.5)
    return np.column_stack([np.log1p(number), like.max(axis=1), _mean(like, free), *off, usual])


def _squeezed(faces: Faces) -> Floats:
    """How far each lattice (M,) is from a square."""
    row, column = np.linalg.norm(faces.row_px, axis=1), np.linalg.norm(faces.column_px, axis=1)
    return np.asarray(np.abs(np.log(row / column)))


def _differences(
    pips: Pips, faces: Faces, bodies: Bodies, half: Floats, anchors: Ints
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each candidate and each anchor (M, A): in the logarithm of the side, in shade, and in the logarithms
    of the pips' radius and contrast."""
    side, radius, contrast = (
        np.log(values)
        for values in (half, *(mean_of_pips(v, faces) for v in (pips.radius_px, pips.contrast)))
    )
    shade = np.linalg.norm(bodies.shade[:, None] - bodies.shade[anchors], axis=2)
    return (
        side[:, None] - side[anchors],
        shade,
        radius[:, None] - radius[anchors],
        contrast[:, None] - contrast[anchors],
    )


def _mean(values: Floats, free: Bools) -> Floats:
    """Mean (M,) of values (M, A) over the free anchors of each candidate."""
    return np.asarray((values * free).sum(axis=1) / np.maximum(free.sum(axis=1), 1))


def _rivals(faces: Faces, half: Floats, alone: Floats) -> tuple[Floats, Floats]:
    """Odds by itself (M,) of the best candidate that each overlaps, and of the best that explains more
    pips."""
    best, fuller = np.full((2, len(faces)), -MOST_ODDS)
    which = np.nonzero(alone > RIVAL_ODDS)[0]
    if len(which):
        clash = _clashes(faces.take(which), half[which])
        odds = np.clip(alone[which], -MOST_ODDS, MOST_ODDS)
        pips = (faces.pips[which] >= 0).sum(axis=1)
        best[which] = np.where(clash, odds, -MOST_ODDS).max(axis=1)
        fuller[which] = np.where(clash & (pips > pips[:, None]), odds, -MOST_ODDS).max(axis=1)
    return best, fuller


def _clashes(faces: Faces, half: Floats) -> Bools:
    """Which candidates (M, M) cannot both be dice: too near one another, or with a pip in common."""
    apart = np.linalg.norm(faces.middle_px[:, None] - faces.middle_px, axis=2)
    clash = apart < CLOSEST * (half[:, None] + half)
    has = np.zeros((len(faces), int(faces.pips.max()) + 1), bool)
    row, column = np.nonzero(faces.pips >= 0)
    has[row, faces.pips[row, column]] = True
    for one in np.nonzero(has.sum(axis=0) > 1)[0]:
        sharing = np.nonzero(has[:, one])[0]
        clash[np.ix_(sharing, sharing)] = True
    np.fill_diagonal(clash, False)
    return np.asarray(clash)
