"""Clear bodies: the pips of the underside shine through and, with those on top, make a larger face.

Opposite faces make seven. A two and the five beneath it, a three and the four, a four and the three all look
like a five of which the top's own pips are the stronger; an ace, nearer the lens, and the six beneath like a
six. Or the underside alone is read, and the top's pips, the strongest of all, are passed over.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools
from vision.counting.dice import Found
from vision.counting.faces import mean_of_pips
from vision.counting.intruders import FACE_REACH, LIKE_RADIUS, strangers

TOPS_OF_FIVE = ((0, 1), (2, 3), (0, 1, 4), (2, 3, 4), (0, 1, 2, 3))
"""Which pips of a five may be the top's own (in the order of `vision.counting.faces.OCCUPIED`), the others
being the underside's."""
FAINTER, FAINTER_OF_SIX = 1.3, 1.5
"""Times by which all of the top's own pips stand out more than each of the others; for a six, two that follow
each other by strength. Of 1 428 fives in photographs and drawn pictures 42 look so for a lamp or a shadow; a
pip passed over that is so much stronger than theirs lies in 4 of 1 466 likely faces in photographs."""


def shining_through(found: Found) -> Bools:
    """Which of the K dice may be another face of a clear body and what lies beneath."""
    return np.asarray(_five(found) | _six(found))


def _five(found: Found) -> Bools:
    pips = found.faces.pips[:, :5]
    contrast = found.pips.contrast[np.maximum(pips, 0)]
    least, most = np.where(pips < 0, np.inf, contrast), np.where(pips < 0, 0.0, contrast)
    shines = np.zeros(len(found), bool)
    for top in TOPS_OF_FIVE:
        beneath = [place for place in range(5) if place not in top]
        own, other = least[:, top].min(axis=1), most[:, beneath].max(axis=1)
        shines |= (own < np.inf) & (other > 0) & (own > FAINTER * other)
    return np.asarray(shines & (found.faces.face == 5))


def _six(found: Found) -> Bools:
    pips = found.faces.pips
    contrast = np.where(pips < 0, np.nan, found.pips.contrast[np.maximum(pips, 0)])
    contrast = np.sort(contrast, axis=1)  # what was not found comes last
    step = contrast[:, 1:] > FAINTER_OF_SIX * contrast[:, :-1]
    return np.asarray((found.faces.face == 6) & step.any(axis=1))


def passing_over(found: Found) -> Bools:
    """Which of the K dice have a pip inside their face that is not theirs and stands out more than theirs do:
    perhaps the underside alone was read."""
    pips, faces = found.pips, found.faces
    owner, guest, _ = strangers(pips, faces, FACE_REACH)
    first = faces.pips[owner].max(axis=1)
    ratio = pips.radius_px[guest] / pips.radius_px[first]
    stronger = pips.contrast[guest] > FAINTER * mean_of_pips(pips.contrast, faces)[owner]
    stronger &= (pips.light[guest] == pips.light[first]) & (ratio > LIKE_RADIUS[0]) & (ratio < LIKE_RADIUS[1])
    return np.bincount(owner[stronger], minlength=len(found)) > 0
