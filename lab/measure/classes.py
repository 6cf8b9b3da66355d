"""`python -m lab.measure.classes`: how well drawn pictures of each class are read, as a table.

    python -m lab.measure.classes --count 40 --reader both --reader pips --keep DIR

The pictures are drawn once and kept in DIR; every wrong but sure case is named with its class and seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2

from lab.measure.corpus import CLASSES, scene_of
from lab.scenes import render
from lab.scenes.folder import label
from tests.vision.scoring import Label, Score, score
from vision.arrays import Image
from vision.picture.photos import load
from vision.read import read

FIRST_SEED, APART = 900_000, 1000
"""Each class has seeds of its own, so that no two show the same dice."""
HEAD = "| class | photos | exact | dice | right | extra | certain | sure | false dice | false photos |"
RULE = "|---|---|---|---|---|---|---|---|---|---|"


def drawn(name: str, seed: int, keep: Path | None) -> tuple[Image, Label]:
    """The picture of a class and its labels, drawn now or when it was first asked for."""
    stem = f"{name.replace(' ', '-').replace(',', '')}-{seed}"
    if keep is not None and (keep / f"{stem}.json").exists():
        return load(keep / f"{stem}.png"), json.loads((keep / f"{stem}.json").read_text())
    scene = scene_of(name, seed)
    picture = render(scene)
    labels = label(scene, picture)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(keep / f"{stem}.png"), picture.image_bgr)
        (keep / f"{stem}.json").write_text(json.dumps(labels))
    return picture.image_bgr, labels


def scores(name: str, seeds: Sequence[int], reader: str, keep: Path | None) -> Iterator[tuple[int, Score]]:
    """Each seed's score of one class."""
    for seed in seeds:
        image, labels = drawn(name, seed, keep)
        yield seed, score(labels, read(image, reader=reader))


def line(name: str, total: Score) -> str:
    """One row of the table; shares of the dice, or their number where there are none."""

    def of_dice(number: int) -> str:
        return f"{number / total.dice:.1%}" if total.dice else str(number)

    photos = max(1, total.photos)
    cells = [name, total.photos, f"{total.exact / photos:.1%}", total.dice]
    cells += [of_dice(n) for n in (total.right, total.extra, total.sure_dice)]
    cells += [f"{total.sure / photos:.1%}", total.false_dice, total.false_photos]
    return "| " + " | ".join(str(cell).replace("%", " %") for cell in cells) + " |"


def options(words: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.classes", description=__doc__.splitlines()[0])
    ask.add_argument("--count", type=int, default=20, help="pictures of each class (default 20)")
    ask.add_argument("--seed", type=int, default=FIRST_SEED, help=f"the first seed (default {FIRST_SEED})")
    ask.add_argument("--reader", action="append", choices=("pips", "net", "both"), help="default: both")
    ask.add_argument("--class", dest="classes", action="append", choices=list(CLASSES), help="default: all")
    ask.add_argument("--json", type=Path, metavar="FILE", help="write every picture's counts there")
    ask.add_argument("--keep", type=Path, metavar="DIR", help="keep the pictures there for the next time")
    return ask.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Print a table for each reader; 1 where anything was wrong but sure."""
    asked = options(words)
    faults: list[str] = []
    every: dict[str, dict[str, int]] = {}
    for reader in asked.reader or ["both"]:
        print(f"\n`--reader {reader}`\n\n{HEAD}\n{RULE}", flush=True)
        for name in asked.classes or CLASSES:
            total = Score()
            first = asked.seed + APART * list(CLASSES).index(name)
            seeds = range(first, first + asked.count)
            for seed, one in scores(name, seeds, reader, asked.keep):
                total += one
                every[f"{reader}: {name} {seed}"] = asdict(one)
                if one.wrong_but_sure:
                    faults.append(
                        f"{reader}: {name!r} {seed} ({one.false_dice} dice, {one.false_photos} photo)"
                    )
            print(line(name, total), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(every, indent=1))
    print("\nwrong but sure: " + ("; ".join(faults) or "none"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
