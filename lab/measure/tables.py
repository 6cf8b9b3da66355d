"""`python -m lab.measure.tables`: full tables read and judged, composed ones or those of a folder.

All tight calls are judged on each picture: `dudo` on exactly the true count of a face and on one more, for
each face, aces wild, the number of dice being known. Printed per kind, per number of dice and per share of
dice that touch: dice read right, tight calls settled by the picture alone, questions a reveal when somebody
answers truly, and wrong verdicts, unasked and after all answers. Composed tables are made while measuring.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2

from lab.measure.reveals import Counts, interval, observed, of_photo
from lab.tables.composed import KINDS, Kind, compose
from lab.tables.cuts import FOLDER, SPLITS
from tests.vision.scoring import Score, score
from vision.arrays import Image
from vision.picture.photos import load
from vision.read import read

DICE = ((1, 5), (6, 10), (11, 20), (21, 33))
"""Numbers of dice that have a row of their own."""
SHARES = (0.01, 0.25, 0.5, 0.75, 1.0)
"""Upper bounds of the share of dice that touch another, of which each has a row."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One picture: kind, number of dice, share of them that touches, what was read and what was judged."""

    kind: str
    name: str
    dice: int
    touching: float
    score: Score
    counts: Counts


def measured(kind: str, name: str, touching: float, image: Image, label: dict[str, Any]) -> Measured:
    """One picture, read as the table reads it."""
    reading = read(image, raw=True)
    dice = sum(not die.get("ignore") for die in label["dice"])
    counts = of_photo(label, observed(reading))
    return Measured(kind, name, dice, touching, score(label, reading), counts)


def of_composed(split: str, keep: Path | None, job: tuple[Kind, int]) -> Measured:
    """One composed table; its picture is written where it is to be kept."""
    kind, seed = job
    table = compose(kind, split, seed)
    name = f"{kind.name.replace(', ', '-').replace(' ', '-')}-{seed}.png"
    if keep:
        cv2.imwrite(str(keep / name), table.image_bgr)
    return measured(kind.name, name, table.touching, table.image_bgr, table.label)


def of_file(folder: Path, job: tuple[str, dict[str, Any]]) -> Measured:
    """One picture of a folder."""
    name, label = job
    kind, touching = label.get("kind", folder.name), label.get("touching", 0.0)
    return measured(kind, name, touching, load(folder / name), label)


def every(work: Callable[[Any], Measured], jobs: Sequence[Any], processes: int) -> Iterator[Measured]:
    """All pictures, with a line of progress."""
    with ProcessPoolExecutor(processes, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        waiting = [pool.submit(work, job) for job in jobs]
        for done, future in enumerate(as_completed(waiting), start=1):
            print(f"\r{done} of {len(jobs)} pictures", end="", file=sys.stderr, flush=True)
            yield future.result()
    print(file=sys.stderr)


HEAD = (
    "| tables | pictures | dice | dice right | tight calls | settled unasked | 95 % interval "
    "| questions a reveal | wrong unasked | wrong |\n|---|---|---|---|---|---|---|---|---|---|"
)


def line(name: str, pictures: Sequence[Measured]) -> str:
    """One row of the table."""
    counts, scores = sum((m.counts for m in pictures), Counts()), sum((m.score for m in pictures), Score())
    low, high = interval([m.counts for m in pictures])
    calls = max(1, counts.calls)
    right = f"{100 * scores.right / max(1, scores.dice):.1f} %"
    cells = [name, counts.photos, scores.dice, right, counts.calls]
    cells += [f"{100 * counts.unasked / calls:.1f} %", f"{100 * low:.0f} to {100 * high:.0f}"]
    cells += [f"{counts.questions / calls:.2f}", counts.wrong_unasked, counts.wrong]
    return "| " + " | ".join(map(str, cells)) + " |"


def rows(found: Sequence[Measured]) -> Iterator[str]:
    """All rows: by kind, by number of dice, by share of dice that touch."""
    yield HEAD
    in_order = sorted(found, key=lambda m: m.kind)
    for kind, group in groupby(in_order, key=lambda m: m.kind):
        yield line(kind, list(group))
    for low, high in DICE:
        if group_ := [m for m in found if low <= m.dice <= high]:
            yield line(f"{low} to {high} dice", group_)
    for below, upto in zip((-1.0, *SHARES), SHARES, strict=False):
        if group_ := [m for m in found if below < m.touching <= upto]:
            yield line(f"touching {100 * max(0.0, below):.0f} to {100 * upto:.0f} %", group_)


def options(words: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.tables", description=__doc__)
    ask.add_argument("--folder", type=Path, help="pictures with labels.json, instead of composed ones")
    ask.add_argument("--split", choices=SPLITS, default="test", help="fit: tables to fit on")
    ask.add_argument("--kind", action="append", help=f"default: {'; '.join(kind.name for kind in KINDS)}")
    ask.add_argument("--each", type=int, default=24, help="pictures of each kind (default 24)")
    ask.add_argument("--first", type=int, default=0, help="first seed")
    ask.add_argument("--jobs", type=int, default=2, help="processes that read (default 2)")
    ask.add_argument("--keep", type=Path, metavar="FOLDER", help="write composed pictures there, to look at")
    asked = ask.parse_args(words)
    if asked.folder and not (asked.folder / "labels.json").is_file():
        ask.error(f"no labels.json in {asked.folder}")
    if not asked.folder and not FOLDER.is_dir():
        ask.error(f"the photographs to compose tables of are not there: expected in {FOLDER}")
    return asked


def main(words: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a verdict was wrong."""
    asked = options(words)
    if asked.folder:
        labels = json.loads((asked.folder / "labels.json").read_text(encoding="utf-8"))
        found = list(every(partial(of_file, asked.folder), list(labels.items()), asked.jobs))
    else:
        if asked.keep:
            asked.keep.mkdir(parents=True, exist_ok=True)
        kinds = [kind for kind in KINDS if asked.kind is None or kind.name in asked.kind]
        jobs = [(kind, seed) for kind in kinds for seed in range(asked.first, asked.first + asked.each)]
        found = list(every(partial(of_composed, asked.split, asked.keep), jobs, asked.jobs))
    print("\n".join(rows(found)))
    for m in sorted(found, key=lambda m: m.name):
        if m.counts.wrong or m.counts.wrong_unasked:
            print(f"wrong: {m.kind}, {m.name}: {m.counts.wrong_unasked} unasked, {m.counts.wrong} in all")
    return int(any(m.counts.wrong or m.counts.wrong_unasked for m in found))


if __name__ == "__main__":
    raise SystemExit(main())
