"""`python -m lab.measure.photographs`: how well labelled photographs are read, as tables.

    python -m lab.measure.photographs --table sets --reader pips --reader both
    python -m lab.measure.photographs --table lights --set king --set wik

`sets` is a row for each set; `lights` and `harsh` one for each change of light or camera, photographs from
above apart. What is certain and wrong is named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import cv2

from lab.measure.other_light import HARSH, LIGHTS, Change, changed
from tests.vision.photographs import FROM_ABOVE, Photo, ask_which, asked_for, photographs
from tests.vision.scoring import Score, score
from vision.read import read

Row = tuple[str, Score, str]
"""The row of a table that a reading belongs to, its counts, and the photograph."""


def plain(reader: str, photo: Photo) -> list[Row]:
    return [(photo.family, score(photo.label, read(photo.image(), reader=reader)), str(photo.path))]


def in_light(changes: dict[str, Change], reader: str, photo: Photo) -> list[Row]:
    """The photograph read after each change."""
    image, rows = photo.image(), list[Row]()
    kind = "from above" if photo.family in FROM_ABOVE else "stress"
    for name, change in changes.items():
        there, label = changed(image, photo.label, change)
        rows.append((f"{name}, {kind}", score(label, read(there, reader=reader)), str(photo.path)))
    return rows


TABLES: dict[str, Callable[[str, Photo], list[Row]]] = {
    "sets": plain,
    "lights": partial(in_light, LIGHTS),
    "harsh": partial(in_light, HARSH),
}


def line(name: str, total: Score) -> str:
    photos, dice = max(1, total.photos), max(1, total.dice)
    shares = (total.right / dice, total.exact / photos, total.sure / photos)
    cells = [name, total.photos, total.dice, *(f"{100 * share:.1f} %" for share in shares)]
    cells += [total.sure, total.false_dice, total.false_photos]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(of: str, reader: str, photos: Sequence[Photo], jobs: int) -> Iterator[Row]:
    """Every row of the photographs, as they are read."""
    with ProcessPoolExecutor(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for number, rows in enumerate(pool.map(partial(rows_of, of, reader), photos), 1):
            show_progress(number, len(photos))
            yield from rows


def show_progress(number: int, count: int) -> None:
    """A line that counts up for whoever watches; a log would only fill with it."""
    if sys.stderr.isatty():
        end = "\n" if number == count else ""
        print(f"\r{number} of {count}", end=end, file=sys.stderr, flush=True)


def rows_of(of: str, reader: str, photo: Photo) -> list[Row]:
    """What one photograph adds to a table: found by its name here, for functions do not travel."""
    return TABLES[of](reader, photo)


def options(words: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.photographs")
    ask_which(ask)
    ask.add_argument("--reader", action="append", choices=("pips", "net", "both"), help="default: both")
    ask.add_argument("--table", choices=list(TABLES), default="sets")
    ask.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    return asked_for(ask, words)


def main(words: Sequence[str] | None = None) -> int:
    """Print a table for each reader; 1 where a photograph was certain and wrong."""
    asked = options(words)
    photos = list(photographs(asked.sets, asked.folder))
    faults = list[str]()
    for reader in asked.reader or ["both"]:
        print(f"\n`--reader {reader}`\n\n{HEAD}\n{RULE}", flush=True)
        totals = dict[str, Score]()
        for name, one, where in table(asked.table, reader, photos, asked.jobs):
            totals[name] = totals.get(name, Score()) + one
            faults += [f"{reader}: {name}: {where}"] * one.false_photos
        for name, total in sorted(totals.items()):
            print(line(name, total))
        print(line("all", sum(totals.values(), Score())))
    print("\ncertain and wrong: " + ("; ".join(faults) or "none"))
    return 1 if faults else 0


HEAD = "| | photos | dice | right | exact | certain | their number | certain dice wrong | certain and wrong |"
RULE = "|---|---|---|---|---|---|---|---|---|"

if __name__ == "__main__":
    sys.exit(main())
