"""Whether bodies stand up from the table: a printed square with dots lies flat in it, and is no die.

Of a die a little of a side face shows, or its own shade, at one side more than at the others: the border lies
farther out there, is darker or paler inside, and softer. A print ends alike on all four sides. No single sign
tells them apart; all together do, with what a net (`vision/models/flat.onnx`, made by `vision.training`) says
of what lies round each die (`vision.learned.surroundings`).
Since the dice of a picture lie under one lamp before one lens, a die that shows no relief by itself, as a
burnt out one, is known by those that look like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, radians, sin

import cv2
import numpy as np

from vision.agreement.misfits import doubted
from vision.arrays import Bools, Floats, Image, Ints, lengths, picked
from vision.groups import grouped
from vision.learned import surroundings
from vision.learned.net import MODEL, load
from vision.learned.turns import place_of
from vision.picture.shrink import resized
from vision.values import Die

MODEL_FLAT = MODEL.with_name("flat.onnx")
SIDE_PX, PATCH_PX = 40, 96
"""How wide a die is where it is looked at, and how wide what is looked at."""
MIDDLE = PATCH_PX // 2
HALF_SIDES = 1.8
"""How far out in sides a die is cut out first."""
LARGE_PX, SHARPER = 75, 1.5
"""A larger die is made so many times as large as it is looked at then, for it is still to be turned."""
ALONG = slice(MIDDLE - 12, MIDDLE + 12)
"""The part of each side that is looked at, six tenths: dice have round corners."""
BORDER, RING = (15, 31), (15, 26)
"""How far out the border of a side may lie in pixels, of 40 a side; where its turn is measured."""
INSIDE, BEYOND = range(-5, -2), range(3, 7)
"""Before the border and behind it: where its colours are taken, in pixels."""
FAINT = 4.0
"""Added to steps of colour before they are divided by: the noise of a border that hardly shows, in levels."""

ALWAYS, NET_WEIGHT, SIGN_WEIGHTS = -3.5, 2.0, (-0.6, -1.1, -1.1, -2.2)
"""Of one, of what the net says, and of the `signs`. What the signs count beside each other a logistic
regression told, on 2 009 dice that were read for certain (photographs of `pool`, drawn pictures) and 538
drawn prints; what they count beside the net another did, on 1 606 dice and 208 prints."""
LEAST_APART, LEAST_ASKEW = 0.02, 0.006
"""Smaller differences are noise: of shades over the step at the border, of places in sides."""
MOST_SHOWN = 8.0
"""What the signs speak for flat at most: those of a border without any difference and as sharp as can be."""
SUSPECTED, FLAT = (2.0, 5.0), (4.0, 8.6)
"""Logarithms of the odds from which dice that look alike are looked at again on the mean, and one is by
itself; and from which they are taken for flat then. They are as high as photographs from above ask for: one
of 133 certain ones has a die beyond them."""
TONES = (1.0, 0.7)
"""What is flat must show it as it is and in a brighter picture: in the dark little relief shows."""


def doubting_flat(image_bgr: Image, dice: Sequence[Die]) -> tuple[Die, ...]:
    """The dice of a picture (height, width, 3), those uncertain that seem to be printed on the table."""
    asked = [k for k, die in enumerate(dice) if die.certain]
    if not asked:
        return tuple(dice)
    flat = _are_flat(image_bgr, [dice[k] for k in asked])
    printed = {k for k, is_flat in zip(asked, flat.tolist(), strict=True) if is_flat}
    return tuple(doubted(die, "flat") if k in printed else die for k, die in enumerate(dice))


def _are_flat(image_bgr: Image, dice: Sequence[Die]) -> Bools:
    """Which of n dice (n,) seem to lie flat in the table, still when they are looked at again.

    Of most dice the net says so little that no signs could make them flat: these are not looked for.
    """
    said = surroundings.odds(image_bgr, [place_of(die) for die in dice], load(MODEL_FLAT))
    own = _odds(said, MOST_SHOWN)
    alike = _alike(image_bgr, dice) if (own > 0).any() else []
    maybe = _above(own, alike, SUSPECTED)
    if not maybe.any():
        return maybe
    asked = [k for those in alike if maybe[those].any() for k in those]
    own[asked] = _odds(said[asked], shown(image_bgr, [dice[k] for k in asked]))
    suspected = _above(own, alike, SUSPECTED)
    for k in np.flatnonzero(suspected).tolist():
        own[k] = flatness_again(image_bgr, dice[k])
    return suspected & _above(own, alike, FLAT)


def _alike(image_bgr: Image, dice: Sequence[Die]) -> list[list[int]]:
    """The numbers of the dice that look alike, and each die by itself of which nothing else does."""
    groups = [list(group.dice) for group in grouped(image_bgr, dice)[1]]
    return groups + [[k] for k in range(len(dice)) if not any(k in those for those in groups)]


def flatness_again(image_bgr: Image, die: Die) -> float:
    """The logarithm of the odds that a die is flat, of which the net has several looks in each of TONES."""
    said = surroundings.odds_again(image_bgr, place_of(die), load(MODEL_FLAT), TONES)
    return float(_odds(np.array([said]), shown(image_bgr, [die]))[0])


def _odds(said: Floats, speaks: Floats | float) -> Floats:
    """The logarithms of the odds (n,) of what the net says (n,) and what the signs speak for it."""
    return np.asarray(ALWAYS + NET_WEIGHT * said + speaks)


def shown(image_bgr: Image, dice: Sequence[Die]) -> Floats:
    """What the signs of each of n dice speak for it lying flat, (n,), at most MOST_SHOWN."""
    return np.asarray(np.minimum(np.array(SIGN_WEIGHTS) @ signs(image_bgr, dice), MOST_SHOWN))


def _above(flat: Floats, alike: Sequence[list[int]], bounds: tuple[float, float]) -> Bools:
    """Which of n dice are flat by themselves beyond the second bound, or at all and beyond the first on the
    mean of each and those that look like it: prints are seldom of the dice's own make."""
    means = flat.copy()
    for those in alike:
        means[those] = flat[those].mean()
    return np.asarray((flat > bounds[1]) | (flat > 0) & (means > bounds[0]))


def signs(image_bgr: Image, dice: Sequence[Die]) -> Floats:
    """What tells whether each of n dice stands up from the table, as logarithms (4, n), the less the flatter.

    How far the shades of its four sides lie apart, over the step at the border; how much farther out a side
    lies than the one across; how much softer the softest side is than the sharpest, and how soft.
    """
    colours = np.stack([_sides(_upright(image_bgr, die)) for die in dice])
    edges = lengths(colours[:, :, 2:] - colours[:, :, :-2])  # the first is of the second pixel
    at = BORDER[0] - 1 + edges[:, :, BORDER[0] - 1 : BORDER[1] - 1].argmax(axis=2)
    inside, beyond = (np.mean([picked(colours, at + 1 + k) for k in off], axis=0) for off in (INSIDE, BEYOND))
    steps = lengths(inside - beyond) + FAINT
    widths = steps / np.maximum(picked(edges, at), 1)
    out = _finely(edges, at) / SIDE_PX
    found = (
        lengths(inside[:, :, None] - inside[:, None]).max(axis=(1, 2)) / np.median(steps, axis=1)
        + LEAST_APART,
        np.abs(out[:, :2] - out[:, 2:]).max(axis=1) + LEAST_ASKEW,
        widths.max(axis=1) / widths.min(axis=1),
        widths.max(axis=1),
    )
    return np.log(found)


def _finely(edges: Floats, at: Ints) -> Floats:
    """Where the edges are strongest, (n, 4), to a part of a pixel."""
    before, there, after = (picked(edges, at + k) for k in (-1, 0, 1))
    bend = np.minimum(before - 2 * there + after, -1e-6)
    return np.asarray(at + np.clip((before - after) / bend / 2, -0.5, 0.5))


def _sides(patch: Image) -> Floats:
    """The mean colours along the ways out to the right, down, left and up, (4, MIDDLE, 3)."""
    across = cv2.reduce(patch[ALONG], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0]
    down = cv2.reduce(patch[:, ALONG], 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[:, 0]
    return np.stack([across[MIDDLE:], down[MIDDLE:], across[MIDDLE - 1 :: -1], down[MIDDLE - 1 :: -1]])


def _upright(image_bgr: Image, die: Die) -> Image:
    """The picture of a die, its middle in the middle, its border upright, (PATCH_PX, PATCH_PX, 3)."""
    reach = HALF_SIDES * die.size_px
    left, top = (max(0, int(at - reach)) for at in (die.x_px, die.y_px))
    cut = image_bgr[top : int(die.y_px + reach) + 1, left : int(die.x_px + reach) + 1]
    wide = cut.shape[1]
    if die.size_px > LARGE_PX:
        cut = resized(cut, SHARPER * SIDE_PX / die.size_px)
    factor = cut.shape[1] / wide
    middle = ((die.x_px - left + 0.5) * factor - 0.5, (die.y_px - top + 0.5) * factor - 0.5)
    scale, turn = SIDE_PX / (die.size_px * factor), radians(die.angle_deg)
    return _patch(cut, middle, scale, turn + _turn(_patch(cut, middle, scale, turn)))


def upright(image_bgr: Image, place: tuple[float, float], size_px: float) -> float:
    """By how much a square of that size at a place is turned, in radians, an eighth of a turn at most."""
    return _turn(_patch(image_bgr, place, SIDE_PX / size_px, 0.0))


def _patch(cut: Image, middle: tuple[float, float], scale: float, turn: float) -> Image:
    """What lies about a place, so much larger and turned."""
    across, down = cos(turn) * scale, sin(turn) * scale
    move = np.array([[across, down, 0], [-down, across, 0]])
    move[:, 2] = (PATCH_PX - 1) / 2 - move[:, :2] @ middle
    patch = cv2.warpAffine(cut, move, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def _turn(patch: Image) -> float:
    """By how much a square in the middle is turned, in radians, an eighth of a turn at most: the directions
    of all edges, four times as far round, so that its sides are one, and round pips cancel out."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    x, y = (cv2.Sobel(grey, cv2.CV_32F, 1 - way, way)[_ring()] for way in (0, 1))
    twice = (x + 1j * y) ** 2
    return float(np.angle((twice**2 / (np.abs(twice) + 1)).sum())) / 4


@cache
def _ring() -> Bools:
    """Where in a patch the border may lie."""
    off = np.abs(np.arange(PATCH_PX) - (PATCH_PX - 1) / 2)
    far = np.maximum(off[:, None], off)
    return np.asarray((far > RING[0]) & (far < RING[1]))
