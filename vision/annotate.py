"""Drawing on pictures what was seen: the evidence behind a verdict."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Image
from vision.values import Die, Doubt, Reading

CERTAIN = (80, 200, 60)
DOUBTFUL = (0, 160, 255)
"""Blue, green, red: green is believed, orange asks; shape says the same (a box, a dashed ring)."""

PAPER, INK = (255, 255, 255), (20, 20, 20)


def annotate(image_bgr: Image, reading: Reading) -> Image:
    """A copy of the picture with each die boxed and numbered, and each doubtful place ringed."""
    picture = image_bgr.copy()
    for die in reading.dice:
        _draw_die(picture, die)
    for doubt in reading.doubts:
        _draw_doubt(picture, doubt)
    return picture


def _draw_die(picture: Image, die: Die) -> None:
    """The top face as a turned box, its pips ringed, its number on a label."""
    colour = CERTAIN if die.certain else DOUBTFUL
    width = _line(die.size_px)
    box = cv2.boxPoints(((die.x_px, die.y_px), (die.size_px, die.size_px), die.angle_deg))
    cv2.polylines(picture, [np.rint(box).astype(np.int32)], True, colour, width, cv2.LINE_AA)
    for pip in die.pips:
        place = round(pip.x_px), round(pip.y_px)
        cv2.circle(picture, place, max(1, round(pip.radius_px)), colour, width, cv2.LINE_AA)
    label = str(die.face) if die.certain else f"{die.face}?"
    _draw_label(picture, label, die.x_px, die.y_px - 0.85 * die.size_px, die.size_px, colour)


def _draw_label(
    picture: Image, text: str, x_px: float, y_px: float, size_px: float, colour: tuple[int, int, int]
) -> None:
    """White on the colour, beside the die, inside the picture."""
    scale, width = max(0.4, size_px / 70), _line(size_px)
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    left = int(np.clip(x_px - w / 2, 2, max(2, picture.shape[1] - w - 2)))
    base = int(np.clip(y_px + h / 2, h + 2, max(h + 2, picture.shape[0] - 2)))
    cv2.rectangle(picture, (left - 3, base - h - 3), (left + w + 3, base + 4), colour, -1)
    cv2.putText(picture, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, width, cv2.LINE_AA)


def _draw_doubt(picture: Image, doubt: Doubt) -> None:
    """A dashed ring where something die-like was left unread."""
    if doubt.x_px is None or doubt.y_px is None:
        return
    radius = max(4, round((doubt.size_px or 20) / 2))
    for start in range(0, 360, 30):
        ends = start, start + 18
        place = round(doubt.x_px), round(doubt.y_px)
        cv2.ellipse(picture, place, (radius, radius), 0, *ends, DOUBTFUL, _line(2 * radius), cv2.LINE_AA)


def _line(size_px: float) -> int:
    """Width of lines for a die of this size."""
    return max(1, round(size_px / 30))
