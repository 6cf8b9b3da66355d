"""Drawing on pictures what was seen: the evidence behind a verdict."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.labels import Box, Colour, Labels, about
from vision.values import Die, Doubt, Reading

CERTAIN = (80, 200, 60)
DOUBTFUL = (0, 160, 255)
"""Blue, green, red: green is believed, orange asks. The lines say the same, whole or dashed, and so does the
question mark behind a face."""

DASHES = 3
"""On each side of a doubtful die's box."""


def annotate(image_bgr: Image, reading: Reading) -> Image:
    """A copy of the picture with each die boxed and numbered, and each doubtful place ringed."""
    picture = image_bgr.copy()
    for doubt in reading.doubts:
        _draw_doubt(picture, doubt)
    for die in reading.dice:
        _draw_die(picture, die)
    labels = Labels(picture, [_round_about(die) for die in reading.dice])
    for die in reading.dice:
        label = str(die.face) if die.certain else f"{die.face}?"
        scale, colour = max(0.4, die.size_px / 70), CERTAIN if die.certain else DOUBTFUL
        labels.write([label], _round_about(die), colour, scale, _line(die.size_px))
    return picture


def outline(picture: Image, corners: Floats, colour: Colour, width: int, *, dashed: bool = False) -> None:
    """The border of a polygon (N, 2), whole or in dashes."""
    if not dashed:
        cv2.polylines(picture, [np.rint(corners).astype(np.int32)], True, colour, width, cv2.LINE_AA)
        return
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        ends = np.linspace(start, end, 2 * DASHES)
        for one, other in np.rint(ends).astype(np.int32).reshape(-1, 2, 2).tolist():
            cv2.line(picture, one, other, colour, width, cv2.LINE_AA)


def dashed_ring(picture: Image, place: tuple[int, int], radius: int, colour: Colour, width: int) -> None:
    """A circle in dashes."""
    for start in range(0, 360, 30):
        cv2.ellipse(picture, place, (radius, radius), 0, start, start + 18, colour, width, cv2.LINE_AA)


def _draw_die(picture: Image, die: Die) -> None:
    """The top face as a turned box, dashed where it is doubtful, and its pips ringed."""
    colour = CERTAIN if die.certain else DOUBTFUL
    width = _line(die.size_px)
    outline(picture, _corners(die), colour, width, dashed=not die.certain)
    for pip in die.pips:
        place = round(pip.x_px), round(pip.y_px)
        cv2.circle(picture, place, max(1, round(pip.radius_px)), colour, width, cv2.LINE_AA)


def _corners(die: Die) -> Floats:
    return cv2.boxPoints(((die.x_px, die.y_px), (die.size_px, die.size_px), die.angle_deg))


def _round_about(die: Die) -> Box:
    """The upright box round a die's turned one."""
    half = np.ptp(_corners(die), axis=0).max() / 2
    return about(die.x_px, die.y_px, float(half))


def _draw_doubt(picture: Image, doubt: Doubt) -> None:
    """A dashed ring where something die-like was left unread."""
    if doubt.x_px is None or doubt.y_px is None:
        return
    radius = max(4, round((doubt.size_px or 20) / 2))
    dashed_ring(picture, (round(doubt.x_px), round(doubt.y_px)), radius, DOUBTFUL, _line(2 * radius))


def _line(size_px: float) -> int:
    """Width of lines for a die of this size."""
    return max(1, round(size_px / 30))
