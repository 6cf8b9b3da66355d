"""Drawing on pictures what was seen, the evidence behind a verdict.

Labels stand beside their dice, where they hide least of the dice and of one another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.values import Die, Doubt, Reading

Colour = tuple[int, int, int]
INK = (20, 20, 20)
FONT = cv2.FONT_HERSHEY_SIMPLEX

SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Where a label may stand, in order of liking: above, below, beside, at the corners."""

FARTHER = (0.0, 0.6, 1.2, 2.0, 3.0, 4.5, 6.5)
"""And how far off, in its own heights: where everything near is taken."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The place in it that is nearest to another."""
        return float(np.clip(x, self.left, self.right)), float(np.clip(y, self.top, self.bottom))


def about(x: float, y: float, half: float) -> Box:
    """The square about a middle."""
    return Box(x - half, y - half, x + half, y + half)


def shared(places: Floats, others: Floats) -> Floats:
    """The area (N, M) that boxes (N, 4) and others (M, 4) cover both."""
    last = np.minimum(places[:, None, 2:], others[:, 2:])
    sides = np.maximum(last - np.maximum(places[:, None, :2], others[:, :2]), 0)
    return np.asarray(sides[..., 0] * sides[..., 1])


class Labels:
    """The words of one picture; `taken` are places better not written on."""

    def __init__(self, picture: Image, taken: Iterable[Box]) -> None:
        self._picture = picture
        self._taken = list(taken)

    def write(self, text: str, thing: Box, colour: Colour, scale: float, width: int) -> None:
        """Dark text on a plate of the colour, beside the thing; a line leads there where it is not near."""
        (text_px, line_px), _ = cv2.getTextSize(text, FONT, scale, width)
        wide, high = text_px + 6, line_px + 2 * width + 8
        place = self._free(thing, wide, high)
        self._lead(place, thing, colour)
        self._taken.append(place)
        corner = round(place.left), round(place.top)
        cv2.rectangle(self._picture, corner, (corner[0] + wide, corner[1] + high), colour, -1)
        base = corner[0] + 3, corner[1] + high - width - 4
        cv2.putText(self._picture, text, base, FONT, scale, INK, width, cv2.LINE_AA)

    def _free(self, thing: Box, wide: float, high: float) -> Box:
        """The nearest place beside the thing that hides nothing, or else the one that hides least."""
        picture_high, picture_wide = self._picture.shape[:2]
        room = np.array([picture_wide - wide - 1, picture_high - high - 1])
        size = np.array([thing.right - thing.left + wide, thing.bottom - thing.top + high]) / 2
        ways = [np.array(SIDES) * (size + farther * high) for farther in FARTHER]
        middles = thing.middle + np.concatenate(ways)
        first = np.clip(middles - np.array([wide, high]) / 2, 0, np.maximum(room, 0))
        places = np.column_stack([first, first + np.array([wide, high])])
        hidden = shared(places, np.array([*map(astuple, self._taken), astuple(thing)])).sum(axis=1)
        return Box(*places[hidden.argmin()].tolist())

    def _lead(self, place: Box, thing: Box, colour: Colour) -> None:
        """A line to the thing from a label that does not stand next to it."""
        x, y = thing.middle
        near = place.nearest(x, y)
        apart = max(abs(near[0] - x) - (thing.right - x), abs(near[1] - y) - (thing.bottom - y))
        if apart > (place.bottom - place.top) / 2:
            start, end = ((round(a), round(b)) for a, b in (near, thing.nearest(*near)))
            cv2.line(self._picture, start, end, colour, 2, cv2.LINE_AA)


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
        labels.write(label, _round_about(die), colour, scale, _line(die.size_px))
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
    place, radius = (round(doubt.x_px), round(doubt.y_px)), max(4, round((doubt.size_px or 20) / 2))
    for start in range(0, 360, 30):
        end, width = start + 18, _line(2 * radius)
        cv2.ellipse(picture, place, (radius, radius), 0, start, end, DOUBTFUL, width, cv2.LINE_AA)


def _line(size_px: float) -> int:
    """Width of lines for a die of this size."""
    return max(1, round(size_px / 30))
