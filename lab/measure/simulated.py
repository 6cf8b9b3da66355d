"""`python -m lab.measure.simulated`: how the real reader and reveal fare on the simulated table.

Each table has two to six players with up to five dice each. As in `lab.measure.reveals`, a tight call is
`dudo` on exactly the true count of a face and on one more.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

import cv2

from hardware.cameras.simulated_dice import COLOURS, LaidTable, laid
from lab.measure.reveals import HEAD, RULE, Counts, line, observed, of_photo
from vision.read import read

EACH = 100
"""After so many tables a row is printed."""


def dice_of(seed: int) -> list[tuple[int, str]]:
    """(face, colour) of the dice of a table with that seed."""
    rng = random.Random(seed)
    colours = rng.sample(sorted(COLOURS), rng.randint(2, 6))
    return [(rng.randint(1, 6), colour) for colour in colours for _ in range(rng.randint(1, 5))]


def counted(table: LaidTable) -> Counts:
    """All tight calls on a table."""
    height, width = table.image_bgr.shape[:2]
    dice = [
        {"x": die.x_px / width, "y": die.y_px / height, "size": die.size_px / width, "face": die.face}
        for die in table.dice
    ]
    return of_photo({"dice": dice}, observed(read(table.image_bgr, raw=True)))


def main(words: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a verdict was wrong."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.simulated", description=__doc__)
    ask.add_argument("--count", type=int, default=200, help="how many tables (default 200)")
    ask.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    asked = ask.parse_args(words)
    cv2.setNumThreads(1)
    seeds = range(asked.first, asked.first + asked.count)
    print(f"{HEAD}\n{RULE}")
    counts: list[Counts] = []
    for seed in seeds:
        counts.append(counted(laid(dice_of(seed), seed)))
        if len(counts) % EACH == 0 or len(counts) == asked.count:
            print(line("simulated table", counts), flush=True)
    return int(any(one.wrong or one.wrong_unasked for one in counts))


if __name__ == "__main__":
    sys.exit(main())
