"""`python -m lab.measure.times`: what reading labelled photographs costs on one thread, as tables.

Photographs larger than 1600 px are made so small first, and decoding is not counted. `size known` tells the
reader how large most of the labelled dice are, as a calibration would. The simulated table comes last, unless
`--set` asks for some sets alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion import memory
from hardware.cameras.simulated_dice import laid
from tests.vision.photographs import ask_which, asked_for, photographs
from vision.arrays import Image
from vision.picture.working import resized
from vision.read import get_ready, read

LONG_PX = 1600
AIM_MS, KNOWN_AIM_MS = 150, 60
COUNTS = (5, 10, 15, 20, 30)
COLOURS = ("ivory", "red", "blue", "green", "black", "yellow")
HEAD = "| | pictures | median | slowest | within 150 ms | size known, median | slowest | within 60 ms |"

Times = tuple[float, float]
"""Milliseconds of a picture, without and with the size of its dice told."""


def quickest(image: Image, scale_px: float | None, rounds: int) -> float:
    """Milliseconds of the processor of the quickest of so many readings."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()  # other programs of the machine do not count
        read(image, scale_px=scale_px)
        taken.append(1000 * (time.process_time() - start))
    return min(taken)


def both(image: Image, scale_px: float, rounds: int) -> Times:
    return quickest(image, None, rounds), quickest(image, scale_px, rounds)


def of_set(name: str, folder: Path, step: int, rounds: int) -> Iterator[Times]:
    """Every so manyth photograph of a set that has dice."""
    for photo in list(photographs([name], folder))[::step]:
        sizes = [die["size"] for die in photo.label["dice"] if not die.get("ignore")]
        image = photo.image()
        small = resized(image, min(1.0, LONG_PX / max(image.shape)))
        if sizes:
            yield both(small, float(np.median(sizes)) * small.shape[1], rounds)


def of_table(count: int, rounds: int) -> Iterator[Times]:
    """Three throws on the simulated table."""
    for seed in range(3):
        faces = np.random.default_rng(seed).integers(1, 7, count)
        rolled = [(int(face), COLOURS[k // 5]) for k, face in enumerate(faces)]
        table = laid(rolled, seed, width_px=LONG_PX, height_px=LONG_PX * 3 // 4)
        yield both(table.image_bgr, table.dice[0].size_px, rounds)


def line(name: str, times: Sequence[Times]) -> str:
    cells = [name, str(len(times))]
    for taken, aim in zip(np.array(times).T, (AIM_MS, KNOWN_AIM_MS), strict=True):
        cells += [f"{np.median(taken):.0f} ms", f"{taken.max():.0f} ms", f"{np.mean(taken <= aim):.0%}"]
    return "| " + " | ".join(cells) + " |"


def main(words: Sequence[str] | None = None) -> int:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.times")
    ask_which(ask)
    ask.add_argument("--step", type=int, default=2, help="every so manyth photograph (default 2)")
    ask.add_argument("--rounds", type=int, default=5, help="the quickest of so many (default 5)")
    asked = asked_for(ask, words)
    cv2.setNumThreads(1)
    memory.keep()
    get_ready()
    print(HEAD + "\n" + "|---" * 8 + "|")
    for name in asked.sets:
        times = list(of_set(name, asked.folder, asked.step, asked.rounds))
        print(line(name, times), flush=True)
    for count in () if asked.named else COUNTS:
        print(line(f"simulated table, {count} dice", list(of_table(count, asked.rounds))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
