"""Things of a die's size that stand out from the table or have the colour of dice, whatever they are: dice
whose pips cannot be seen."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Ints, lengths
from vision.picture.working import Working

DIE_PX = 7
"""Side of a die in the small picture in which objects are looked for."""

TABLE_KERNEL = 23
"""Side of the window whose median is the table: a die covers a tenth of it."""

STANDS_OUT = 0.13
"""Distance of square-root colours from the table."""

AREA = (0.45, 3.2)
"""Of an object, over the area of a face: the whole body seen aslant, with some shadow."""

FILL, ASPECT = 0.6, 0.55
"""Least share of its box that an object fills, and least ratio of the box's sides: edges are thin."""

PATCH_AREA = (0.35, 4.0)
"""Of a patch in a die's colour, over the area of a face."""

PATCH_FILL = 0.5
"""Least share of its box that a die-like patch fills; shadows and edges are thin."""

SAME_SHADE = 0.09
"""Distance of square-root colours within which a place has a die's colour."""

MOST_SHADES = 6
"""So many colours of dice are looked for, near ones once."""


def standing_out(working: Working, half_px: float, taken: Floats) -> Floats:
    """Middles (N, 2) in working pixels of compact objects about as large as a die of half side `half_px`;
    what the circles `taken` (K, 3) cover, x, y and radius, is left out."""
    factor = DIE_PX / (2 * half_px)
    if factor >= 1 or min(working.height_px, working.width_px) * factor < DIE_PX:
        return np.zeros((0, 2), np.float32)
    small = cv2.resize(working.colour, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    table = (
        cv2.medianBlur(np.clip(small * 255, 0, 255).astype(np.uint8), TABLE_KERNEL).astype(np.float32) / 255
    )
    free = _free(small.shape[:2], taken * factor)
    mask = ((lengths(small - table) > STANDS_OUT) & free).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    _, _, width, height, area = stats[1:].T
    like = (area > AREA[0] * DIE_PX**2) & (area < AREA[1] * DIE_PX**2)
    like &= area > FILL * width * height
    like &= np.minimum(width, height) > ASPECT * np.maximum(width, height)
    like &= ~at_border(stats[1:], mask)
    return np.asarray((middles[1:][like] + 0.5) / factor, np.float32)


def in_shades(colour: Floats, shades: Iterable[Floats], taken: Floats, half_px: float) -> Floats:
    """Middles (N, 2) of compact patches in one of the colours (3,), of a picture (h, w, 3).

    A patch is about as large as a die of half side `half_px`. The circles `taken` (K, 3), x, y and radius,
    are left out.
    """
    free = _free(colour.shape[:2], taken)
    found = [np.zeros((0, 2))]
    for shade in _apart(shades):
        apart = cv2.transform(colour, np.column_stack([np.eye(3), -shade]))  # numpy is slow along 3
        near = cv2.transform(cv2.multiply(apart, apart), np.ones((1, 3), np.float32)) < SAME_SHADE**2
        found.append(_patches((near & free).astype(np.uint8), half_px))
    return np.asarray(np.concatenate(found), np.float32)


def _free(shape: tuple[int, ...], taken: Floats) -> Bools:
    """Where in a picture of some shape (h, w) no circle (K, 3) lies."""
    free = np.ones(shape, np.uint8)
    for x, y, radius in taken.tolist():
        cv2.circle(free, (round(x), round(y)), round(radius), 0, -1)
    return free > 0


def _apart(shades: Iterable[Floats]) -> list[Floats]:
    """The colours, near ones once, at most MOST_SHADES."""
    kept: list[Floats] = []
    for shade in shades:
        if all(np.linalg.norm(shade - other) > SAME_SHADE for other in kept):
            kept.append(shade)
    return kept[:MOST_SHADES]


def _patches(mask: Bools, half_px: float) -> Floats:
    """Middles (N, 2) of compact patches of a die's size in a mask. One at the picture's border is more often
    table or tray than a die, and a die cut by it would not be counted."""
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if not mask.any():  # mostly, and that there are no components takes OpenCV ten times as long to tell
        return np.zeros((0, 2))
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    _, _, width, height, pixels = stats[1:].T
    area = pixels / (2 * half_px) ** 2
    like = (area > PATCH_AREA[0]) & (area < PATCH_AREA[1])
    like &= pixels > PATCH_FILL * np.maximum(width * height, 1)
    return np.asarray(middles[1:][like & ~at_border(stats[1:], mask)])


def at_border(stats: Ints, mask: Bools) -> Bools:
    """Which components, rows of OpenCV's statistics, touch the border of their mask."""
    left, top, width, height, _ = stats.T
    rows, columns = mask.shape
    return np.asarray((left == 0) | (top == 0) | (left + width == columns) | (top + height == rows))
