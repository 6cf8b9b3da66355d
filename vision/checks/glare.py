"""Whether a lamp's mirror image hides pips: a burnt part of something that could not be read for certain.

Shine on the table lies beneath the dice, and shine on a die that is read all the same hides nothing. White
things may be burnt all over; what a lamp burns is a part, and the rest is much darker.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Image
from vision.checks.check import Change, Checked

FACE_PX = 24
"""Side of the picture of a face in which burnt parts are looked for: noise and ringing are gone."""

REACH = 0.42
"""Half the side of the square that is looked at, in sides of the die: its top face, less the corners."""

BURNT = 240
"""Of the least of the three colours: a lamp's image is as white as the lamp, whatever it lies on."""

SHARE = (0.2, 0.85)
"""Of a face that is burnt: less hides no pip, more is a white body."""

DARKER = 210
"""The usual level of the rest of the face is below this, or the body is nearly white."""

PATCH, REST = 0.2, 0.35
"""Share of the face that the largest burnt patch takes at least, and the largest patch of the rest: light
pips and letters are smaller than the one, dark pips of a white body than the other."""


def check(read: Checked) -> Change:
    """Whether glare lies on an uncertain die or on a place left unread."""
    uncertain = [(d.x_px, d.y_px, d.size_px) for d in read.dice if not d.certain]
    places = ((d.x_px, d.y_px, d.size_px) for d in read.doubts)
    unread = [(x, y, size) for x, y, size in places if x is not None and y is not None and size]
    hidden = any(is_burnt(face_at(read.image_bgr, *place)) for place in (*uncertain, *unread))
    return Change(keys=("glare",) if hidden else ())


def face_at(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Image:
    """The picture of a face, upright as it lies, FACE_PX wide."""
    reach = max(2.0, REACH * size_px)
    left, top = max(0, int(x_px - reach)), max(0, int(y_px - reach))
    part = image_bgr[top : max(top + 2, int(y_px + reach)), left : max(left + 2, int(x_px + reach))]
    return np.asarray(cv2.resize(part, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def is_burnt(face: Image) -> bool:
    """Whether a lamp burns a part of a face (h, w, 3)."""
    least = face.min(axis=2)
    burnt = least >= BURNT
    if not SHARE[0] < burnt.mean() < SHARE[1] or np.median(least[~burnt]) > DARKER:
        return False
    return _largest(burnt) > PATCH and _largest(~burnt) > REST


def _largest(mask: Bools) -> float:
    """Share of a picture that the largest connected part of a mask takes."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / mask.size
