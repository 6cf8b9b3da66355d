"""Training crops: square pictures with the truth of every die in them, and their cache files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SIDE_PX = 160
OTHER, IGNORED = 0, -1
"""Faces beside 1 to 6: a cube without pips, and a die to ignore."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One die of a crop: centre, side and turn (in [0, 90)) of its top face; a face, or OTHER or IGNORED.

    `angle_deg` is NaN where the source does not give it.
    """

    x_px: float
    y_px: float
    size_px: float
    angle_deg: float
    face: int


def judged_px(marks: Iterable[Mark]) -> list[float]:
    """Sides of the faces that are not to be ignored."""
    return [mark.size_px for mark in marks if mark.face != IGNORED]


@dataclass(frozen=True, slots=True)
class Crop:
    """A picture of SIDE_PX by SIDE_PX. `pips` has rows (x, y, radius) or is None where pips are not known."""

    image_bgr: NDArray[np.uint8]
    marks: tuple[Mark, ...]
    pips: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class CropSet:
    """Crops packed in arrays.

    `images` is (n, SIDE_PX, SIDE_PX, 3) uint8; `marks` has rows (crop, x, y, size, angle, face);
    `pips` rows (crop, x, y, radius); `pips_known` one flag per crop.
    """

    images: NDArray[np.uint8]
    marks: NDArray[np.float32]
    pips: NDArray[np.float32]
    pips_known: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.images)


def pack(crops: Iterable[Crop]) -> CropSet:
    """All crops in arrays; at least one is needed."""
    images, marks, pips, known = [], [], [], []
    for index, crop in enumerate(crops):
        images.append(crop.image_bgr)
        marks += [(index, m.x_px, m.y_px, m.size_px, m.angle_deg, m.face) for m in crop.marks]
        known.append(crop.pips is not None)
        if crop.pips is not None:
            pips += [(index, *row) for row in crop.pips]
    return CropSet(
        np.stack(images),
        np.array(marks, np.float32).reshape(-1, 6),
        np.array(pips, np.float32).reshape(-1, 4),
        np.array(known, np.bool_),
    )


def one(crops: CropSet, number: int) -> Crop:
    """One crop of a set, its pips left out."""
    rows = crops.marks[crops.marks[:, 0] == number, 1:].tolist()
    marks = (Mark(x, y, size, angle, int(face)) for x, y, size, angle, face in rows)
    return Crop(crops.images[number], tuple(marks), None)


def save(path: Path, crops: CropSet) -> None:
    """Write a set to an .npz file; a half-written file never takes the place of a whole one."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, images=crops.images, marks=crops.marks, pips=crops.pips, pips_known=crops.pips_known)
    part.replace(path)


def load(path: Path) -> CropSet:
    """Read a set that `save` wrote; raises OSError or KeyError when it is not one."""
    with np.load(path) as data:
        return CropSet(data["images"], data["marks"], data["pips"], data["pips_known"])


def once(folder: Path, kind: str, number: int, crops: Iterator[Crop]) -> None:
    """Write crops to a file of this kind and number, unless it is there: then none are made."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{number:03d}.npz"
    made = [] if path.exists() else list(crops)
    if made:
        save(path, pack(made))
        print(f"{path.name}: {len(made)} crops", flush=True)
