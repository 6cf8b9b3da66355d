"""Things of a die's size that stand out from the table, whatever they are: dice whose pips cannot be seen."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Ints
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


def standing_out(working: Working, half_px: float) -> Floats:
    """Middles (K, 2) in working pixels of compact objects about as large as a die of half side `half_px`."""
    factor = DIE_PX / (2 * half_px)
    if factor >= 1 or min(working.height_px, working.width_px) * factor < DIE_PX:
        return np.zeros((0, 2), np.float32)
    small = cv2.resize(working.colour, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    table = (
        cv2.medianBlur(np.clip(small * 255, 0, 255).astype(np.uint8), TABLE_KERNEL).astype(np.float32) / 255
    )
    mask = (np.linalg.norm(small - table, axis=2) > STANDS_OUT).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    _, _, width, height, area = stats[1:].T
    like = (area > AREA[0] * DIE_PX**2) & (area < AREA[1] * DIE_PX**2)
    like &= area > FILL * width * height
    like &= np.minimum(width, height) > ASPECT * np.maximum(width, height)
    like &= ~at_border(stats[1:], mask)
    return np.asarray((middles[1:][like] + 0.5) / factor, np.float32)


def at_border(stats: Ints, mask: Bools) -> Bools:
    """Which components, rows of OpenCV's statistics, touch the border of their mask."""
    left, top, width, height, _ = stats.T
    rows, columns = mask.shape
    return np.asarray((left == 0) | (top == 0) | (left + width == columns) | (top + height == rows))
