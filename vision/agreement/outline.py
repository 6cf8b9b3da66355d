"""The outline of a body: a circle is no die's.

Buttons, tokens and marbles with pips are round. Rays run from the middle of a face to where the colours step.
The steps lie on a circle or on a rounded square; whichever has more of them on it is the body's outline. Dice
with the roundest edges still have four sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats, Image, Ints, lengths
from vision.values import Die

RAYS = 40
NEAREST, FARTHEST, SAMPLES = 0.3, 1.15, 86
"""Samples along a ray, in sides of the die."""

PATCH_PX, PATCH_SIDES = 96, 2.4
"""The picture of a die that is looked at, and how many sides of the die it is wide."""

FULL_STEP, FULL_SHARE = 30.0, 0.7
"""A step of colour by so many levels within four samples counts whole, or, where most rays have larger ones,
by this share of theirs: shadows must not outweigh edges, and soft edges must not be wide."""

RADII = np.arange(0.38, 0.80, 0.02)
HALF_SIDES = np.arange(0.36, 0.90, 0.02)
USUAL = HALF_SIDES[3:12]
"""Sizes of circles and squares that are tried, in sides of the die, which a disc round the pips may make seem
small; those that are usual."""

TURNS_DEG = np.arange(0, 90, 7.5)
CORNERS = (1.15, 1.25, 1.36)
"""Turns of the squares; how far out their corners lie, in half sides: 1.41 were they sharp."""

SHIFTS = (-0.08, -0.04, 0.0, 0.04, 0.08)
UNMOVED = len(SHIFTS) ** 2 // 2
"""Steps by which the middle may be off in x and in y, in sides of the die; and which of all shifts is none
at all."""

ROUND, OUTSIDE = 1.1, 0.6
"""A square whose half side is so many radii and more, with this share of the circle's edge on it: the circle
is a disc on a face."""

ROUNDER = 0.07
"""By so much of its rays a circle must have more edge than any square. Dice on photographs came up to 0.04,
but for one as round as a ball; of drawn buttons and tokens most come farther."""


def are_round(image_bgr: Image, dice: Sequence[Die]) -> list[bool]:
    """Whether the body of each of the dice in a picture (height, width, 3) is a disc or a ball."""
    if not dice:
        return []
    steps = _steps(image_bgr, dice)
    return [_is_round(*seen) for seen in zip(steps, dice, _best_circles(steps), strict=True)]


def _is_round(step: Floats, die: Die, best: tuple[float, int, float]) -> bool:
    circle, shift, radius_sides = best
    # most dice are told by a square as they were said to lie, else by one about the same middle
    if circle - _on_square(step, die) <= ROUNDER:
        return False
    return all(
        circle - _best_square(step, middle, circle, radius_sides) > ROUNDER for middle in (UNMOVED, shift)
    )


def _on_square(step: Floats, die: Die) -> float:
    """Share of edge, [0, 1], on the best square of about a die's size, turned as the die was said to be."""
    return float(step.take(_said(_nearest_turn(die.angle_deg))).mean(axis=0).max())


def _best_circles(steps: Floats) -> list[tuple[float, int, float]]:
    """Per die the share of edge, [0, 1], on the best circle, the number of its shift and its radius in sides.

    All dice at once take a third of the time.
    """
    found = np.ascontiguousarray(steps.T).take(_circles(), axis=0).mean(axis=0)
    best = found.argmax(axis=0)
    shifts, radii = np.divmod(best, len(RADII))
    share = found[best, np.arange(len(best))]
    return list(zip(share.tolist(), shifts.tolist(), RADII[radii].tolist(), strict=True))


def _best_square(step: Floats, shift: int, circle: float, radius_sides: float) -> float:
    """Share of edge on the best rounded square about the shifted middle; the circle's where the square lies
    round it."""
    found = step.take(_squares(shift)).mean(axis=0)
    outside = ROUND * radius_sides < HALF_SIDES
    if outside.any() and found[outside].max() > OUTSIDE * circle:
        return circle
    return float(found.max())


def _patch(image_bgr: Image, die: Die) -> Image:
    """The picture of a die, its middle in the middle."""
    scale = PATCH_PX / (PATCH_SIDES * die.size_px)
    middle = PATCH_PX / 2
    move = np.array([[scale, 0, middle - die.x_px * scale], [0, scale, middle - die.y_px * scale]])
    return np.asarray(
        cv2.warpAffine(image_bgr, move, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _steps(image_bgr: Image, dice: Sequence[Die]) -> Floats:
    """Per die the step of colour at each sample (n, RAYS * SAMPLES), 1 where it is full."""
    colours = np.stack([_along_rays(_patch(image_bgr, die)) for die in dice])
    step = np.zeros((len(dice), RAYS, SAMPLES), np.float32)
    step[:, :, 2:-2] = lengths(colours[:, :, 4:] - colours[:, :, :-4])
    usual = np.median(step.max(axis=2), axis=1)
    full = np.maximum(FULL_STEP, FULL_SHARE * usual.astype(np.float64)).astype(np.float32)
    return np.asarray(np.minimum(step / full[:, None, None], 1)).reshape(len(dice), -1)


def _along_rays(patch: Image) -> Floats:
    """The colours at each sample (RAYS, SAMPLES, 3)."""
    soft = cv2.GaussianBlur(patch.astype(np.float32), (7, 7), 1.0)  # twice as quick as on bytes
    return np.asarray(cv2.remap(soft, *_rays_px(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@cache
def _rays_px() -> tuple[Floats, Floats]:
    """Where in a patch the samples lie, x and y, (RAYS, SAMPLES) each."""
    out = np.linspace(NEAREST, FARTHEST, SAMPLES) * PATCH_PX / PATCH_SIDES
    ways = np.cos(_angles()), np.sin(_angles())
    x, y = ((PATCH_PX / 2 + way[:, None] * out).astype(np.float32) for way in ways)
    return x, y


def _angles() -> Floats:
    return np.asarray(np.arange(RAYS) * (2 * np.pi / RAYS))


@cache
def _circles() -> Ints:
    """Where circles meet the rays, as places in the flattened steps, (RAYS, shifts x radii): sums along the
    first axis are the quickest."""
    shifts = np.stack([_moved(k) for k in range(len(SHIFTS) ** 2)])
    return _places(shifts[:, None] + RADII[:, None]).reshape(RAYS, -1)


@cache
def _squares(shift: int) -> Ints:
    """Where squares whose middle is moved by one of the shifts do, (RAYS, sizes, corners x turns)."""
    return _places(_moved(shift) + HALF_SIDES[:, None, None] * _outlines(TURNS_DEG))


@cache
def _said(turn: int) -> Ints:
    """Where squares of a die's usual sizes do that are turned nearly so, (RAYS, sizes, corners x turns)."""
    turns_deg = TURNS_DEG[turn] + (TURNS_DEG[1] - TURNS_DEG[0]) * np.arange(-1, 2)
    return _places(USUAL[:, None, None] * _outlines(turns_deg))


def _outlines(turns_deg: Floats) -> Floats:
    """How far out a square's outline lies in half sides, for each kind of corner and turn, (kinds, RAYS)."""
    turned = _angles() - np.radians(turns_deg)[:, None]
    sharp = 1 / np.maximum(np.abs(np.cos(turned)), np.abs(np.sin(turned)))
    return np.concatenate([np.minimum(sharp, corner) for corner in CORNERS])


def _nearest_turn(angle_deg: float) -> int:
    """Which of the turns a die has, or nearly has."""
    return round(angle_deg / float(TURNS_DEG[1])) % len(TURNS_DEG)


def _moved(shift: int) -> Floats:
    """How much farther out each ray meets an outline whose middle is moved, (RAYS,)."""
    x, y = SHIFTS[shift // len(SHIFTS)], SHIFTS[shift % len(SHIFTS)]
    return np.asarray(x * np.cos(_angles()) + y * np.sin(_angles()))


def _places(out: Floats) -> Ints:
    """Numbers of the samples at distances (..., RAYS) from the middle, the rays moved to the front."""
    index = np.rint((out - NEAREST) / (FARTHEST - NEAREST) * (SAMPLES - 1))
    places = np.clip(index, 0, SAMPLES - 1) + np.arange(RAYS) * SAMPLES
    return np.ascontiguousarray(np.moveaxis(places, -1, 0), np.intp)
