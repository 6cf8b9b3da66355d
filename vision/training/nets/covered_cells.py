"""Crops with half-hidden dice, as the first net's features and what each of its cells shows.

A die is hidden by what lies over it or by the border of the picture, which is that of a window in the crop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.learned.maps import STRIDE
from vision.learned.net import MULTIPLE, Net, padded
from vision.training.pictures.covering import Mask, covered
from vision.training.pictures.crops import SIDE_PX, CropSet
from vision.training.pictures.cutting import Image
from vision.training.pictures.textures import Rng

KINDS = ("covered", "cut")
"""What hides the rest of a die, and the lessons about it: what lies over it, or a picture's border."""
PART, NOTHING, UNJUDGED = 1, 0, -1
"""What a cell shows: a part of a die whose rest is hidden, no die, or what nobody should judge."""
WINDOW_PX = 128
"""Most that a window shows of a crop; padded for the first net, all windows have this size."""
TIMES = 4
"""So often each crop is used, its covers and its window others each time."""
CUT_TRIES = 6
"""Windows tried for one whose border cuts a die."""
SIZES_PX = (20.0, 56.0)
"""Sides of the faces that are covered: what the first net sees well."""
LEFT = (0.25, 0.75)
"""Share of a face that is left of a die of which a part is seen."""
ABOUT, REACH, APART, RIM_PX = 1.15, 0.22, 0.9, 16
"""So many sides about a die nobody judges what is seen; but within so many of the middle of what is left of a
half-hidden one, so far from whole ones, and so far from the crop's border, where dice are not all known."""
MOST_COVERED, BARE_COVERS, CLEAR_OF_DICE = 3, 2, 2.2
"""Dice covered in one crop, covers over bare ground, and how many sides of a die those stay away from it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`features` (48, n, n) float16 and `cells` (n, n) int8 of PART, NOTHING, UNJUDGED."""

    features: NDArray[np.float16]
    cells: NDArray[np.int8]


Rows = NDArray[np.float32]
"""Columns: x, y, size of dice."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a crop that is seen: left, top, right and bottom, in pixels of the crop."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Where it lies in an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def cells(self) -> int:
        """Along a side of what the first net sees of it."""
        return math.ceil((self.right - self.left) / MULTIPLE) * MULTIPLE // STRIDE

    def beyond(self) -> Mask:
        """255 in the crop's part that is not seen."""
        mask = np.full((SIDE_PX, SIDE_PX), 255, np.uint8)
        mask[self.slices] = 0
        return mask


WHOLE = Window(0, 0, SIDE_PX, SIDE_PX)


def lessons(crops: CropSet, net: Net, rng: Rng, kind: str) -> Iterator[Lesson]:
    """Every crop TIMES times, with things over and beside its dice; cut ones are seen through a window."""
    for index in np.tile(np.arange(len(crops)), TIMES):
        image, dice = crops.images[index], crops.marks[crops.marks[:, 0] == index, 1:4]
        donor = crops.images[int(rng.integers(len(crops)))]
        laid, mask = _laid(rng, image, dice, donor)
        window = _window(rng, dice) if kind == "cut" else WHOLE
        seen = padded(np.ascontiguousarray(laid[window.slices]))
        features = np.asarray(net.run(seen, ("features",))["features"], np.float16)
        yield Lesson(features, classes(dice, mask, window))


def _window(rng: Rng, dice: Rows) -> Window:
    """A window whose border cuts a die, if one is soon found."""
    for _ in range(CUT_TRIES):
        width, height = rng.integers(WINDOW_PX - MULTIPLE + 1, WINDOW_PX + 1, 2)
        left, top = rng.integers(0, (SIDE_PX - width + 1, SIDE_PX - height + 1))
        window = Window(int(left), int(top), int(left + width), int(top + height))
        beyond = window.beyond()
        if any(LEFT[0] < _left(row, beyond)[0] < LEFT[1] for row in dice):
            break
    return window


def _laid(rng: Rng, image: Image, dice: Rows, donor: Image) -> tuple[Image, Mask]:
    """The crop with some of its dice half hidden and covers on bare ground, and where covers lie."""
    whole = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    chosen = rng.permutation([row for row in dice if _fit(row)])[: int(rng.integers(MOST_COVERED + 1))]
    for place in [*chosen, *_bare(rng, dice)]:
        image, mask = covered(rng, image, (float(place[0]), float(place[1]), float(place[2])), donor)
        whole = np.maximum(whole, mask)
    return image, whole


def _fit(row: Rows) -> bool:
    inside = all(0.7 * row[2] < v < SIDE_PX - 0.7 * row[2] for v in row[:2])
    return bool(inside and SIZES_PX[0] < row[2] < SIZES_PX[1])


def _bare(rng: Rng, dice: Rows) -> Iterator[Rows]:
    """Places without dice about them."""
    for _ in range(int(rng.integers(BARE_COVERS + 1))):
        place = np.array([*rng.uniform(0, SIDE_PX, 2), rng.uniform(*SIZES_PX)], np.float32)
        if all(np.hypot(*(row[:2] - place[:2])) > CLEAR_OF_DICE * row[2] for row in dice):
            yield place


def classes(dice: Rows, mask: Mask, window: Window) -> NDArray[np.int8]:
    """What each cell of a window shows in a crop whose `dice` have things over them where `mask` is 255."""
    rows, columns = np.mgrid[0 : window.cells, 0 : window.cells]
    x, y = (columns + 0.5) * STRIDE + window.left, (rows + 0.5) * STRIDE + window.top
    at = np.minimum(y, SIDE_PX - 1).astype(int), np.minimum(x, SIDE_PX - 1).astype(int)
    hidden = np.maximum(mask, window.beyond())
    found = np.full(at[0].shape, NOTHING, np.int8)
    left = [_left(row, hidden) for row in dice]
    for row in dice:
        found[np.hypot(x - row[0], y - row[1]) < ABOUT * row[2]] = UNJUDGED
    for row, (share, middle) in zip(dice, left, strict=True):
        if LEFT[0] < share < LEFT[1] and SIZES_PX[0] < row[2] < SIZES_PX[1]:
            reach = max(REACH * row[2], 0.75 * STRIDE)
            found[(hidden[at] < 128) & (np.hypot(x - middle[0], y - middle[1]) < reach)] = PART
    for row, (share, _) in zip(dice, left, strict=True):
        if share >= LEFT[1]:
            found[np.hypot(x - row[0], y - row[1]) < APART * row[2]] = UNJUDGED
    found[cv2.erode(mask, _DEEP)[at] > 0] = NOTHING
    found[_unknown(x, y) | (x > window.right) | (y > window.bottom)] = UNJUDGED
    return found


def _unknown(x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Whether places lie so near the crop's border that a die cut off there may not be known."""
    return np.asarray((np.minimum(x, y) < RIM_PX) | (np.maximum(x, y) > SIDE_PX - RIM_PX), np.bool_)


_DEEP = np.ones((2 * STRIDE + 1, 2 * STRIDE + 1), np.uint8)
"""So far under a cover there is nothing but the cover."""


def _left(row: Rows, mask: Mask) -> tuple[float, tuple[float, float]]:
    """Share of the square of a die that is left, and the middle of that; what lies beyond the crop is not."""
    x, y, half = float(row[0]), float(row[1]), float(row[2]) / 2
    rows, columns = np.mgrid[0:SIDE_PX, 0:SIDE_PX]
    inside = (np.abs(columns + 0.5 - x) < half) & (np.abs(rows + 0.5 - y) < half)
    seen = inside & (mask < 128)
    if not seen.any():
        return 0.0, (x, y)
    middle = float(columns[seen].mean()), float(rows[seen].mean())
    return float(seen.sum()) / (2 * half) ** 2, middle
