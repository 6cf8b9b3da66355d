"""What the crop classifier is trained on: top faces in crops, and false positives of the first net."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lab.training.pictures.crops import SIDE_PX as CROP_PX
from lab.training.pictures.crops import CropSet
from vision.learned.maps import decode
from vision.learned.net import Net

Rows = NDArray[np.float32]
"""Columns: crop, x, y, size (pixels of the crop), class (0 a cube without pips, 1 to 6, NOTHING)."""

NOTHING = 7
"""The class after a cube without pips (0) and the faces 1 to 6."""
SMALLEST_PX, LARGEST_PX = 13.0, 72.0
BESIDE, PART, WHOLE = (0.42, 1.3), (0.2, 0.55), (1.8, 3.0)
"""Places of nothing, in sides: beside a face; on a part of one; around several at once."""
CLEAR, SIZES = 0.41, (0.58, 1.72)
"""A place within this share of a side of a face, and of a size within these factors, may be that face."""
UNJUDGED = 0.8
"""No place within so many sides of an ignored die counts as empty."""
MIN_SCORE = 0.1
"""Score from which a detection of the net counts as a false positive."""


def places(crops: CropSet, net: Net, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Rows of faces and rows of nothing."""
    good, bad = list[tuple[float, ...]](), list[tuple[float, ...]]()
    for index, image in enumerate(crops.images):
        marks = crops.marks[crops.marks[:, 0] == index]
        good += [(index, m[1], m[2], m[3], m[5]) for m in marks if m[5] >= 0 and seen_whole(m[1:4])]
        empty = [*_seen(image, net), *_near(marks, rng), *_anywhere(rng)]
        bad += [(index, *p, NOTHING) for p in empty if seen_whole(p) and _free(p, marks)]
    return _table(good), _table(bad)


def _table(rows: list[tuple[float, ...]]) -> Rows:
    return np.array(rows, np.float32).reshape(-1, 5)


def seen_whole(place: Rows | tuple[float, ...]) -> bool:
    """Whether enough of it lies in the crop, at a size that is classified."""
    x, y, size = (float(v) for v in place)
    inside = all(0.45 * size < v < CROP_PX - 0.45 * size for v in (x, y))
    return inside and SMALLEST_PX < size < LARGEST_PX


def _free(place: tuple[float, ...], marks: Rows) -> bool:
    """Whether no face lies at a place; an ignored die makes all around it unclear."""
    x, y, size = place
    for _, mx, my, mark_size, _, face in marks:
        off, ratio = max(abs(x - mx), abs(y - my)), size / mark_size
        if face < 0 and off < UNJUDGED * mark_size:
            return False
        if off < CLEAR * max(size, mark_size) and SIZES[0] < ratio < SIZES[1]:
            return False
    return True


def _seen(image: NDArray[np.uint8], net: Net) -> Iterator[tuple[float, ...]]:
    faces = net.run(image, "faces")["faces"]
    for detection in decode(faces, (CROP_PX, CROP_PX), 1.0)[:8]:
        if detection.score > MIN_SCORE:
            yield detection.x_px, detection.y_px, detection.size_px


def _near(marks: Rows, rng: np.random.Generator) -> Iterator[tuple[float, ...]]:
    """A place beside a face, of about its size; a part of it; several as one."""
    for _, x, y, size, _, face in marks[:3]:
        if face >= 0:
            way, far = rng.uniform(0, 2 * np.pi), size * rng.uniform(*BESIDE)
            yield x + far * np.cos(way), y + far * np.sin(way), size * float(np.exp(rng.normal(0, 0.15)))
            if rng.random() < 0.5:
                kind = PART if rng.random() < 0.5 else WHOLE
                shift = rng.uniform(-0.4, 0.4, 2) * size
                yield x + shift[0], y + shift[1], size * rng.uniform(*kind)


def _anywhere(rng: np.random.Generator) -> Iterator[tuple[float, ...]]:
    """Grounds of all kinds: what a die is not."""
    for _ in range(3):
        yield float(rng.uniform(10, 150)), float(rng.uniform(10, 150)), float(np.exp(rng.uniform(2.7, 4.1)))
