"""Pips that a candidate does not explain: the check that matters most.

On a real top face no further pip of the same kind lies, and few lie round it: those of the side faces and of
neighbours. Dots of a cloth have more of their kind on all sides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.counting.faces import Faces, least_of_pips
from vision.counting.pips import Pips

FACE_REACH = 0.78
"""Of half the side that the layout makes likely: like pips inside this square belong to the face or speak
against it. Where pips lie far out the true border is at 0.83 of it, with the side faces' pips just beyond."""

ROUND_REACH = 2.2
"""Of half the face's side: like pips from there out to here are the company."""

LIKE_RADIUS = (0.5, 1.8)
LIKE_CONTRAST, LIKE_QUALITY = 0.5, 0.5
"""A like pip has a radius, a contrast and a quality of these multiples of the candidate's own pips: those
that shine through a clear body, and flakes of a marbled one, have less."""

LIKE_FLAT, LIKE_FLAT_ROUND = 0.6, 0.8
"""And a ratio of its axes of these multiples, inside the face and round it: seen aslant, pips on the side
faces are flatter than those on top."""


def counted(pips: Pips, faces: Faces) -> Faces:
    """The candidates with the numbers of unexplained like pips inside them and round them."""
    owner, guest, out = strangers(pips, faces)
    like = _alike(pips, faces, owner, guest, np.where(out < FACE_REACH, LIKE_FLAT, LIKE_FLAT_ROUND))
    owner, out = owner[like], out[like]
    inside, around = (_times(owner[near], faces) for near in (out < FACE_REACH, out >= FACE_REACH))
    return replace(faces, inside=inside, around=around)


def strangers(pips: Pips, faces: Faces) -> tuple[Ints, Ints, Floats]:
    """Candidate, pip and distance in half sides, up to ROUND_REACH, of every pip that is no pip of the
    candidate."""
    owner, guest = _near(pips, faces)
    out = _reach(pips, faces, owner, guest)
    foreign = out < ROUND_REACH
    for own in faces.pips.T:
        foreign &= own[owner] != guest
    return owner[foreign], guest[foreign], out[foreign]


def _times(owner: Ints, faces: Faces) -> Floats:
    """How often each candidate is named."""
    return np.bincount(owner, minlength=len(faces)).astype(np.float32)


def _alike(pips: Pips, faces: Faces, owner: Ints, guest: Ints, flat: Floats) -> Bools:
    """Whether each guest looks like the pips of the candidate that owns the place, `flat` times as round
    too."""
    seed = faces.pips[owner, 0]
    ratio = pips.radius_px[guest] / pips.radius_px[seed]
    return np.asarray(
        (pips.light[guest] == pips.light[seed])
        & (pips.contrast[guest] > LIKE_CONTRAST * pips.contrast[seed])
        & (ratio > LIKE_RADIUS[0])
        & (ratio < LIKE_RADIUS[1])
        & (pips.quality[guest] >= LIKE_QUALITY * least_of_pips(pips.quality, faces)[owner])
        & (pips.flat[guest] >= flat * least_of_pips(pips.flat, faces)[owner])
    )


def _near(pips: Pips, faces: Faces) -> tuple[Ints, Ints]:
    """Pairs (candidate, pip) that lie within the candidate's reach in x and y."""
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


def _reach(pips: Pips, faces: Faces, owner: Ints, guest: Ints) -> Floats:
    """How far out each guest (N,) lies in the frame of its face: 1 on the border of the face."""
    # by x and y apart: much faster than along a short axis
    x, y = (pip[guest] - middle[owner] for pip, middle in zip(pips.xy_px.T, faces.middle_px.T, strict=True))
    across, down = faces.across_px.T, faces.down_px.T
    area = across[0] * down[1] - across[1] * down[0]
    area = np.where(np.abs(area) < 1e-6, 1e-6, area)[owner]
    s = (x * down[1][owner] - y * down[0][owner]) / area
    t = (across[0][owner] * y - across[1][owner] * x) / area
    return np.asarray(np.maximum(np.abs(s), np.abs(t)))


def unspoilt(pips: Pips, faces: Faces) -> Faces:
    """The candidates without intruders (one is forgiven from four up: a glare), counted."""
    known = counted(pips, faces)
    return known.take(known.inside <= np.where(faces.face >= 4, 1, 0))
