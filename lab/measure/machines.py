"""`python -m lab.measure.machines`: does another kind of machine read the same in the same pictures?

    python -m lab.measure.machines draw FOLDER       on this machine: pictures, and what it reads in them
    python -m lab.measure.machines compare FOLDER    on the other one: every difference, or that there is none

Faces and what is certain must be the same; confidences may differ by rounding alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.simulated_dice import COLOURS, laid
from vision.picture.photos import load
from vision.read import read

PICTURES, MOST_DICE = 20, 30
MAX_APART = 0.005
"""Of two confidences: half of the last digit that a person sees."""
MAX_APART_PX = 0.5
"""Of the places of one die."""
READ = "read.json"

Row = tuple[int, bool, float, float, float]
"""A die that was read: its face, whether it is certain, confidence, x and y in pixels."""


def draw(folder: Path) -> None:
    """Write pictures of simulated tables into the folder, with what this machine reads in them."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(PICTURES):
        rng = np.random.default_rng(seed)
        faces = rng.integers(1, 7, size=int(rng.integers(1, MOST_DICE + 1))).tolist()
        colours = islice(cycle(np.repeat(rng.permutation(sorted(COLOURS)), 5).tolist()), len(faces))
        table = laid(list(zip(faces, colours, strict=True)), seed)
        cv2.imwrite(str(folder / f"{seed:02}.jpg"), table.image_bgr)
    found = {path.name: rows(path) for path in sorted(folder.glob("*.jpg"))}
    (folder / READ).write_text(json.dumps(found), encoding="utf-8")


def rows(path: Path) -> list[Row]:
    """What this machine reads in a picture."""
    dice = read(load(path)).dice
    return [(die.face, die.certain, die.confidence, die.x_px, die.y_px) for die in dice]


def differences(there: Sequence[Row], here: Sequence[Row]) -> Iterator[str]:
    """In what two machines differ that read the same picture."""
    if len(there) != len(here):
        yield f"{len(there)} dice there, {len(here)} here"
        return
    for k, (one, other) in enumerate(zip(there, here, strict=True)):
        if one[:2] != other[:2]:
            yield f"die {k}: face and certainty {one[:2]} there, {other[:2]} here"
        if abs(one[2] - other[2]) > MAX_APART:
            yield f"die {k}: confidence {one[2]:.4f} there, {other[2]:.4f} here"
        if max(abs(one[3] - other[3]), abs(one[4] - other[4])) > MAX_APART_PX:
            yield f"die {k}: place {one[3:]} there, {other[3:]} here"


def compare(folder: Path) -> int:
    """Print what this machine reads otherwise; 1 if anything."""
    there = json.loads((folder / READ).read_text(encoding="utf-8"))
    dice, apart, found = 0, 0.0, 0
    for name, rows_there in there.items():
        here = rows(folder / name)
        for said in differences([tuple(row) for row in rows_there], here):
            print(f"{name}: {said}")
            found += 1
        pairs = list(zip(rows_there, here, strict=False))
        dice, apart = dice + len(here), max([apart, *(abs(one[2] - other[2]) for one, other in pairs)])
    print(f"{len(there)} pictures, {dice} dice, {found} differences; confidences at most {apart:.6f} apart.")
    return int(found > 0 or not dice)


def main(words: Sequence[str] | None = None) -> int:
    """Draw or compare."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.machines", description=__doc__)
    ask.add_argument("do", choices=("draw", "compare"))
    ask.add_argument("folder", type=Path)
    asked = ask.parse_args(words)
    if asked.do == "draw":
        draw(asked.folder)
        return 0
    return compare(asked.folder)


if __name__ == "__main__":
    sys.exit(main())
