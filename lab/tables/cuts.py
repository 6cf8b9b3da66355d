"""Where dice and bare ground lie in the photographs: `python -m lab.tables.cuts` writes `cuts.toml` anew.

The turn of a die is not labelled: the reader gives it, once, and only where it agrees with the label. The
file keeps the yardstick where it is when the reader changes. `fit` and `test` share no source.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.vision.photographs import PHOTOS, Photo, photographs
from tests.vision.scoring import matched
from vision.arrays import Image
from vision.read import read
from vision.values import Die

Ints = NDArray[np.int64]
FOLDER = PHOTOS.parent
FILE = Path(__file__).with_name("cuts.toml")
SPLITS = {
    "fit": ("dev/wik", "dev/kamil", "dev2/kamil", "dev2/marceli", "dev3/many"),
    "test": ("dev/king", "dev/damian", "dev/fudw", "dev2/azb", "dev3/kosta", "dev3/tomek", "dev3/dark"),
}
NUMERALS = ("dev/kamil", "dev2/kamil")
"""Sets with dice that are not labelled because they have numerals: no ground is taken of them."""
NEAR, ALIKE, MIN_PX = 0.15, 1.2, 45.0
"""How far label and reading of a die may lie apart, in sides; their ratio in size; its smallest side."""
REACH, MIN_SIDES, STEPS = 0.9, 4.0, 24
"""Half a die with its shadow, in sides; the smaller side of a ground, in sides; cells of the search."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A die of a photograph: face, colour's name, centre and side in pixels, turn in degrees."""

    face: int
    colour: str
    x_px: float
    y_px: float
    size_px: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Cut:
    """What is used of one photograph; `ground` is x, y, width and height of a part without dice."""

    photo: str
    spots: tuple[Spot, ...]
    ground: tuple[int, int, int, int] | None


@cache
def cuts(split: str) -> tuple[Cut, ...]:
    """All of one split, as the file has them."""
    rows: Mapping[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))[split]
    return tuple(
        Cut(name, tuple(Spot(*spot) for spot in row["dice"]), tuple(row["ground"]) or None)
        for name, row in rows.items()
    )


def spots(photo: Photo, image: Image) -> Iterator[Spot]:
    """The dice on which label and reading agree."""
    if photo.label.get("angle") != "overhead":
        return
    reading = read(image)
    for number, die in matched(photo.label, reading).items():
        label = photo.label["dice"][number]
        if label.get("ignore") or label.get("symbol") or not agree(label, die, image.shape):
            continue
        row = (die.x_px, die.y_px, die.size_px, die.angle_deg)
        yield Spot(die.face, label.get("colour", "none"), *(round(value, 1) for value in row))


def agree(label: Mapping[str, Any], die: Die, shape: Sequence[int]) -> bool:
    """Whether a reading has the label's face, place and size, and the die is large enough to be cut."""
    height, width = shape[:2]
    size = label["size"] * width
    far = math.hypot(label["x"] * width - die.x_px, label["y"] * height - die.y_px)
    alike = max(size / die.size_px, die.size_px / size) < ALIKE
    return die.face == label["face"] and far < NEAR * size and alike and die.size_px >= MIN_PX


def ground(photo: Photo, image: Image) -> tuple[int, int, int, int] | None:
    """The largest rectangle without a labelled die in which the reader finds none; None if it is small."""
    height, width = image.shape[:2]
    dice = [(d["x"] * width, d["y"] * height, d["size"] * width * REACH) for d in photo.label["dice"]]
    least = MIN_SIDES * float(np.median([reach / REACH for *_, reach in dice])) if dice else width / 3
    xs, ys = np.linspace(0, width, STEPS + 1).astype(int), np.linspace(0, height, STEPS + 1).astype(int)
    taken = np.zeros((STEPS, STEPS), bool)
    for x, y, reach in dice:
        rows = (ys[:-1] < y + reach) & (ys[1:] > y - reach)
        columns = (xs[:-1] < x + reach) & (xs[1:] > x - reach)
        taken |= np.outer(rows, columns)
    x0, y0, x1, y1 = largest(taken, xs, ys)
    if min(x1 - x0, y1 - y0) < least or read(np.ascontiguousarray(image[y0:y1, x0:x1])).dice:
        return None
    return x0, y0, x1 - x0, y1 - y0


def largest(taken: NDArray[np.bool_], xs: Ints, ys: Ints) -> tuple[int, int, int, int]:
    """The rectangle of free cells with the largest smaller side, as x0, y0, x1, y1."""
    sums = np.pad(taken.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    best, found = (0, 0), (0, 0, 0, 0)
    for top in range(STEPS):
        for bottom in range(top + 1, STEPS + 1):
            busy = np.flatnonzero(np.diff(sums[bottom] - sums[top]))
            edges = [-1, *busy.tolist(), STEPS]
            for left, right in pairwise(edges):
                place = xs[left + 1], ys[top], xs[max(right, left + 1)], ys[bottom]
                x0, y0, x1, y1 = (int(v) for v in place)
                large = min(y1 - y0, x1 - x0), (y1 - y0) * (x1 - x0)
                best, found = max((best, found), (large, (x0, y0, x1, y1)))
    return found


def main() -> int:
    """Write the file; 1 where the photographs are absent."""
    if not FOLDER.is_dir():
        print(f"the photographs are not there: expected in {FOLDER}", file=sys.stderr)
        return 1
    lines = [
        "# By python -m lab.tables.cuts; dice: face, colour, x, y, side, turn; ground: x, y, width, height"
    ]
    for split, sets in SPLITS.items():
        for photo in photographs(sets, FOLDER):
            image = photo.image()
            dice = list(spots(photo, image))
            free = None if photo.family in NUMERALS else ground(photo, image)
            if dice or free:
                lines += ["", f'[{split}."{photo.family}/{photo.path.name}"]']
                lines += [f"dice = {json.dumps([astuple(die) for die in dice])}"]
                lines += [f"ground = {list(free or ())}"]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
