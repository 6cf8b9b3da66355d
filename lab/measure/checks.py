"""`python -m lab.measure.checks`: what each check of the reader saves and asks on labelled photographs.

A check is left out by dropping what it alone doubts from the kept readings; probabilities are calibrated
without the source of the set. Saved: tight calls settled wrongly, and photographs called certain wrongly,
without it. Caused: tight calls that it alone keeps from being settled. Milliseconds are a photograph's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import vision
from lab.bench.__main__ import table
from lab.measure.calibrate import SETS as EVERY_SET
from lab.measure.calibrate import Read, fitted, read_sets, source
from lab.measure.reveals import SETS, observed, unasked
from tests.vision.photographs import PHOTOS
from tests.vision.scoring import score
from vision.agreement.trust import CERTAIN
from vision.arrays import Image
from vision.checks.check import WHY, Checked, applied
from vision.checks.dice import OF_DICE
from vision.checks.picture import OF_PICTURES
from vision.fits import Weights
from vision.learned.classifier import tilt_deg
from vision.values import Reading

ROOT = Path(vision.__file__).parent
TIMED = 8
"""Photographs, evenly spread, on which a check is timed."""
LIGHT = ("too_dark", "too_bright")
EVERY = {**OF_DICE, **OF_PICTURES}


@dataclass(frozen=True, slots=True)
class Check:
    """A reason key, or the name of a check of `vision.checks`, and its modules."""

    key: str
    modules: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The reason keys of a picture that it gives."""
        return LIGHT if self.key == "light" else (self.key,)


CHECKS = (
    Check("low_confidence"),
    Check("one_way"),
    Check("ways_differ"),
    Check("no_pips"),
    Check("die_like"),
    *(Check(name, (f"checks/{name}.py",)) for name in (*OF_DICE, *OF_PICTURES)),
)


def rows() -> list[tuple[str, str, str]]:
    if not PHOTOS.is_dir():
        return [("checks", "-", "no labelled photographs lie beside the project")]
    cv2.setNumThreads(1)
    read_all = [one for one in read_sets(EVERY_SET, PHOTOS.parent, 2) if _from_the_table(one)]
    weights = {name: fitted([r for r in read_all if source(r[0]) != name]) for name in _sources(read_all)}
    quoted = [one for one in read_all if "/".join(one[0].path.parts[-3:-1]) in SETS]
    return [_row(check, quoted, weights) for check in CHECKS]


def _from_the_table(one: Read) -> bool:
    return one[0].label.get("angle") != "side"


def _sources(photos: Sequence[Read]) -> set[str]:
    return {source(photo) for photo, _ in photos}


def _row(check: Check, photos: Sequence[Read], weights: dict[str, Weights]) -> tuple[str, str, str]:
    touched = [one for one in photos if _without(one[1], check) != one[1]]
    saved = caused = certain = 0
    for photo, reading in touched:
        with_it, without = (
            unasked(photo.label, observed(one, weights[source(photo)]))
            for one in (reading, _without(reading, check))
        )
        caused, saved = caused + without[0] - with_it[0], saved + without[1] - with_it[1]
        certain += _certain_and_wrong(photo.label, _without(reading, check))
    lines = sum(len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in check.modules)
    spent = f"{_ms(check.key, photos):.1f} ms" if check.key in EVERY else "- ms"
    result = f"verdicts, {certain} photographs saved; {caused} questions caused; {len(touched)} photographs"
    return check.key, f"{saved}", f"{result}; {spent}; {lines or '-'} lines"


def _without(reading: Reading, check: Check) -> Reading:
    """The reading as it would be without a check: what only that doubted is certain."""
    alone = _alone_doubts(reading, check.key) if check.key in OF_DICE else ()
    dice = tuple(
        replace(die, why=tuple(w for w in die.why if w != check.key and k not in alone), certain=True)
        if k in alone or die.why == (check.key,)
        else replace(die, why=tuple(w for w in die.why if w != check.key))
        for k, die in enumerate(reading.dice)
    )
    doubts = tuple(doubt for doubt in reading.doubts if doubt.key not in check.keys)
    return replace(reading, dice=dice, doubts=doubts, certain=not doubts and all(d.certain for d in dice))


def _alone_doubts(reading: Reading, name: str) -> tuple[int, ...]:
    """Numbers of the dice that this check of dice alone makes uncertain: both ways are sure of them."""
    sure = [d.why == (WHY,) and bool(d.chances) and d.chances[d.face - 1] >= CERTAIN for d in reading.dice]
    clear = tuple(
        replace(die, certain=die.certain or one) for die, one in zip(reading.dice, sure, strict=True)
    )
    empty = np.broadcast_to(np.uint8(0), (reading.height_px, reading.width_px, 3))  # checks of dice see none
    read = Checked(empty, clear, reading.doubts)
    others = applied({key: check for key, check in OF_DICE.items() if key != name}, read).dice
    ours = OF_DICE[name](read).dice
    return tuple(k for k in ours if sure[k] and others[k].certain)


def _certain_and_wrong(label: dict[str, Any], reading: Reading) -> bool:
    return bool(score(label, reading).false_photos)


def _ms(name: str, photos: Sequence[Read]) -> float:
    """Milliseconds that a check takes in a photograph, on the mean."""
    chosen = photos[:: max(1, len(photos) // TIMED)]
    read = [_checked(photo.image(), reading) for photo, reading in chosen]
    start = time.process_time()
    for one in read:
        EVERY[name](one)
    return 1000 * (time.process_time() - start) / len(read)


def _checked(image: Image, reading: Reading) -> Checked:
    return Checked(image, reading.dice, reading.doubts, partial(tilt_deg, image))


if __name__ == "__main__":
    print("\n".join(table(rows())))
