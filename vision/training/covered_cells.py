"""Crops with half-hidden dice, as the first net's features and what each of its cells shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.net import Net
from vision.net_maps import STRIDE
from vision.training.covering import Mask, covered
from vision.training.crops import SIDE_PX, CropSet
from vision.training.cutting import Image
from vision.training.textures import Rng

PART, NOTHING, UNJUDGED = 1, 0, -1
"""What a cell shows: a part of a die whose rest is hidden, no die, or what nobody should judge."""
CELLS = SIDE_PX // STRIDE
TIMES = 4
"""So often each crop is used, its covers others each time."""
SIZES_PX = (20.0, 56.0)
"""Sides of the faces that are covered: what the first net sees well."""
LEFT = (0.25, 0.75)
"""Share of a face that is left of a die of which a part is seen."""
ABOUT, REACH, APART, RIM = 1.15, 0.22, 0.9, 2
"""So many sides about a die nobody judges what is seen; but within so many of the middle of what is left of a
half-hidden one, and so far from every whole one; and so many cells along the crop's border."""
MOST_COVERED, BARE_COVERS, CLEAR_OF_DICE = 3, 2, 2.2
"""Dice covered in one crop, covers over bare ground, and how many sides of a die those stay away from it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`features` (48, CELLS, CELLS) float16 and `cells` (CELLS, CELLS) int8 of PART, NOTHING, UNJUDGED."""

    features: NDArray[np.float16]
    cells: NDArray[np.int8]


Rows = NDArray[np.float32]
"""Columns: x, y, size of dice."""


def lessons(crops: CropSet, net: Net, rng: Rng) -> Iterator[Lesson]:
    """Every crop TIMES times, with things laid over its dice and beside them."""
    for index in np.tile(np.arange(len(crops)), TIMES):
        image, dice = crops.images[index], crops.marks[crops.marks[:, 0] == index, 1:4]
        donor = crops.images[int(rng.integers(len(crops)))]
        laid, mask = _laid(rng, image, dice, donor)
        features = np.asarray(net.run(laid, ("features",))["features"], np.float16)
        yield Lesson(features, classes(dice, mask))


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


def classes(dice: Rows, mask: Mask) -> NDArray[np.int8]:
    """What each cell of a crop shows whose `dice` have things over them where `mask` is 255."""
    rows, columns = np.mgrid[0:CELLS, 0:CELLS]
    x, y = (columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE
    found = np.full((CELLS, CELLS), NOTHING, np.int8)
    left = [_left(row, mask) for row in dice]
    for row in dice:
        found[np.hypot(x - row[0], y - row[1]) < ABOUT * row[2]] = UNJUDGED
    bare = mask[(y.astype(int), x.astype(int))] < 128
    for row, (share, middle) in zip(dice, left, strict=True):
        if LEFT[0] < share < LEFT[1] and SIZES_PX[0] < row[2] < SIZES_PX[1]:
            reach = max(REACH * row[2], 0.75 * STRIDE)
            found[bare & (np.hypot(x - middle[0], y - middle[1]) < reach)] = PART
    for row, (share, _) in zip(dice, left, strict=True):
        if share >= LEFT[1]:
            found[np.hypot(x - row[0], y - row[1]) < APART * row[2]] = UNJUDGED
    found[cv2.erode(mask, _DEEP)[(y.astype(int), x.astype(int))] > 0] = NOTHING
    found[:RIM] = found[-RIM:] = found[:, :RIM] = found[:, -RIM:] = UNJUDGED
    return found


_DEEP = np.ones((2 * STRIDE + 1, 2 * STRIDE + 1), np.uint8)
"""So far under a cover there is nothing but the cover."""


def _left(row: Rows, mask: Mask) -> tuple[float, tuple[float, float]]:
    """Share of the square of a die that is left, and the middle of that."""
    x, y, half = float(row[0]), float(row[1]), float(row[2]) / 2
    rows, columns = np.mgrid[0:SIDE_PX, 0:SIDE_PX]
    inside = (np.abs(columns + 0.5 - x) < half) & (np.abs(rows + 0.5 - y) < half)
    seen = inside & (mask < 128)
    if not seen.any():
        return 0.0, (x, y)
    return float(seen.sum() / inside.sum()), (float(columns[seen].mean()), float(rows[seen].mean()))
