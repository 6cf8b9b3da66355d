"""`python -m lab.measure.sizes`: how well dice are read by their width in the still of a camera.

Photographs seen from above are shrunk until their dice are so wide, and laid into a still of the picture's
usual shade. Their dice are as sharp as a good lens draws them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.vision.photographs import PHOTOS, Photo, photographs
from tests.vision.scoring import Label, Score, score
from vision.arrays import Image
from vision.picture.working import resized
from vision.read import read

SETS = ("dev/king", "dev/wik", "dev/damian", "dev/kamil", "dev2/marceli")
WIDTHS_PX = (24, 30, 36, 42, 50, 60)
STILL_PX = (2304, 1296)
"""Of Camera Module 3, as the box takes them."""
HEAD = "| die | pictures | dice | right | certain, right | size known | certain, wrong | size known |"


@dataclass(frozen=True, slots=True)
class Still:
    """A photograph laid into a still, with its labels there."""

    image: Image
    label: Label


def from_above(folder: Path, step: int) -> Iterator[Photo]:
    """Every so manyth photograph of each set that is seen from above and has dice, all of which count."""
    for name in SETS:
        usable = [photo for photo in photographs([name], folder) if _is_usable(photo.label)]
        yield from usable[::step]


def _is_usable(label: Label) -> bool:
    dice = label["dice"]
    return bool(dice) and label.get("angle") == "overhead" and not any(die.get("ignore") for die in dice)


def still(photo: Photo, width_px: float) -> Still | None:
    """The photograph with dice so wide in the middle of a still; None where it would have to be enlarged."""
    image, (across, down) = photo.image(), STILL_PX
    usual_px = float(np.median([die["size"] for die in photo.label["dice"]])) * image.shape[1]
    small = resized(image, min(1.0, width_px / usual_px))
    height, width = small.shape[:2]
    if width_px > usual_px or width > across or height > down:
        return None
    left, top = (across - width) // 2, (down - height) // 2
    whole = np.full((down, across, 3), np.median(small, axis=(0, 1)), np.uint8)
    whole[top : top + height, left : left + width] = small
    dice = [
        die
        | {
            "x": (left + die["x"] * width) / across,
            "y": (top + die["y"] * height) / down,
            "size": die["size"] * width / across,
        }
        for die in photo.label["dice"]
    ]
    return Still(whole, photo.label | {"dice": dice})


def row(photos: Sequence[Photo], width_px: int) -> str:
    """A line of the table."""
    stills = [made for photo in photos if (made := still(photo, width_px))]
    plain = sum((score(one.label, read(one.image)) for one in stills), Score())
    known = sum((score(one.label, read(one.image, scale_px=width_px)) for one in stills), Score())
    cells = (
        f"{width_px} px",
        plain.photos,
        plain.dice,
        f"{plain.right / plain.dice:.1%}",
        f"{(plain.sure_dice - plain.false_dice) / plain.dice:.1%}",
        f"{(known.sure_dice - known.false_dice) / known.dice:.1%}",
        plain.false_dice,
        known.false_dice,
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each width."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.sizes", description=__doc__)
    ask.add_argument("--folder", type=Path, default=PHOTOS.parent, help="holds dev and dev2")
    ask.add_argument("--step", type=int, default=3, help="every so manyth photograph (default 3)")
    asked = ask.parse_args(words)
    photos = list(from_above(asked.folder, asked.step))
    print(HEAD, "|---" * 8 + "|", sep="\n")
    for width_px in WIDTHS_PX:
        print(row(photos, width_px), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
