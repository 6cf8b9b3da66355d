"""Light check: in a picture that is dark, dark on one side or burnt out, dice may be lost. A black cloth is
no darkness: where it lies on all sides, the ground tells no shadow."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.arrays import BURNT, Floats
from vision.checks.check import Change, Checked
from vision.picture.working import for_colours
from vision.values import Doubt

DARK = 0.12
"""Minimum of the brightest hundredth of a picture, in [0, 1]; a ground darker than this tells no shadow."""

SHADOW = 0.25
"""A half lies in the shadow where ground and brightest hundredth are less than this many times as bright as
the brightest ones of all halves."""

BRIGHT_SHARE = 0.2
"""Maximum share of the picture that is burnt out: a white die may be lost in it, pips and all. Photographs
that can be read have less than a sixth of that."""

PATCH, COMPACT = (0.5, 5.0), 0.65
"""A burnt-out patch may hide a die by its area, over that of a face, and share of its box: seven
of 1 750 photographs have such a patch, and no die lies there."""
REFLECTION = 0.4
"""Its score, as if the net had seen something there: calibrated, a die in one of 25."""


def check(read: Checked) -> Change:
    """Whether the picture is too bright or a half of it too dark, and where a reflection may hide a die."""
    colours = np.ascontiguousarray(np.moveaxis(for_colours(read.image_bgr).colour[::2, ::2], 2, 0))
    if np.mean(colours.min(axis=0) ** 2 > BURNT / 255) > BRIGHT_SHARE:
        return Change(keys=("too_bright",))
    halves = np.array([np.percentile(half, (50, 99)) for half in _halves(colours.max(axis=0))]) ** 2
    shadow = (halves < SHADOW * halves.max(axis=0)).all(axis=1).any() and halves.max(axis=0)[0] > DARK
    keys = ("too_dark",) if shadow or halves.max() < DARK else ()
    return Change(keys=keys, places=tuple(_reflections(read)))


def _reflections(read: Checked) -> Iterator[Doubt]:
    """Burnt-out patches about as large as the dice, where none is read: a lamp's reflection may hide one."""
    if not read.dice:
        return
    working = for_colours(read.image_bgr)
    burnt = np.asarray(working.colour.min(axis=2) ** 2 > BURNT / 255, np.uint8)
    places = np.array([(die.x_px, die.y_px, die.size_px) for die in read.dice]) * working.factor
    for x, y, size in places.round().astype(int).tolist():
        cv2.circle(burnt, (x, y), size, 0, -1)
    side = float(np.median(places[:, 2]))
    _, _, boxes, middles = cv2.connectedComponentsWithStats(burnt)
    for (_, _, width, height, area), (x, y) in zip(boxes[1:], middles[1:] / working.factor, strict=True):
        if PATCH[0] < area / side**2 < PATCH[1] and area > COMPACT * width * height:
            yield Doubt("die_like", float(x), float(y), side / working.factor, REFLECTION)


def _halves(value: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The left, right, upper and lower half."""
    y, x = value.shape[0] // 2, value.shape[1] // 2
    return value[:, :x], value[:, x:], value[:y], value[y:]
