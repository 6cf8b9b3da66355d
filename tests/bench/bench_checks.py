"""What each check of the reader is worth on labelled photographs: verdicts it saves, questions it causes.

A check is left out by dropping its reason from the kept readings; probabilities are calibrated without the
source of the set. Saved: tight calls settled wrongly, and photographs called certain wrongly, without it.
Caused: tight calls that it alone keeps from being settled. Milliseconds are those of a photograph.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2

import vision
from tests.vision.calibrate import SETS as EVERY_SET
from tests.vision.calibrate import Read, fitted, read_sets, source
from tests.vision.measure_reveals import SETS, look_at, unasked
from tests.vision.photographs import PHOTOS
from tests.vision.scoring import score
from vision.agreement.calibration import Weights
from vision.read import read
from vision.values import Reading

ROOT = Path(vision.__file__).parent
TIMED = 8
"""Photographs, evenly spread, on which a check is timed."""


@dataclass(frozen=True, slots=True)
class Check:
    """A reason key, the function that finds it ("" where it is a line or two of another), and its modules."""

    key: str
    function: str = ""
    modules: tuple[str, ...] = ()


CHECKS = (
    Check("cut_off"),
    Check("low_confidence"),
    Check("one_way"),
    Check("ways_differ"),
    Check("no_pips"),
    Check("die_like"),
    Check("slanting", "", ("counting/view.py",)),
    Check("glare", "vision.read.glare.hides_something", ("glare.py",)),
    Check("torn", "vision.picture.quality.is_torn", ("picture/torn.py",)),
    Check("blurred", "vision.picture.quality.is_blurred", ("picture/sharpness.py",)),
    Check("too_bright"),
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
    touched = [one for one in photos if _tells(one[1], check.key)]
    saved = caused = certain = 0
    for photo, reading in touched:
        with_it, without = (
            unasked(photo.label, look_at(one, weights[source(photo)]))
            for one in (reading, _without(reading, check.key))
        )
        caused, saved = caused + without[0] - with_it[0], saved + without[1] - with_it[1]
        certain += _certain_and_wrong(photo.label, _without(reading, check.key))
    lines = sum(len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in check.modules)
    spent = f"{_ms(check, photos):.1f} ms" if check.function else "- ms"
    told = f"verdicts, {certain} photographs saved; {caused} questions caused; {len(touched)} photographs"
    return check.key, f"{saved}", f"{told}; {spent}; {lines or '-'} lines"


def _tells(reading: Reading, key: str) -> bool:
    return any(key in die.why for die in reading.dice) or any(d.key == key for d in reading.doubts)


def _without(reading: Reading, key: str) -> Reading:
    """The reading as it would be without a check: what only that doubted is certain."""
    dice = tuple(
        replace(die, why=tuple(w for w in die.why if w != key), certain=die.certain or die.why == (key,))
        for die in reading.dice
    )
    doubts = tuple(doubt for doubt in reading.doubts if doubt.key != key)
    return replace(reading, dice=dice, doubts=doubts, certain=not doubts and all(d.certain for d in dice))


def _certain_and_wrong(label: dict[str, Any], reading: Reading) -> bool:
    return bool(score(label, reading).false_photos)


def _ms(check: Check, photos: Sequence[Read]) -> float:
    """Milliseconds that the check takes in a photograph, on the mean."""
    spent: list[float] = []
    module, _, name = check.function.rpartition(".")
    owner = _found(module)
    timed = _timed(getattr(owner, name), spent)
    chosen = photos[:: max(1, len(photos) // TIMED)]
    with patch.object(owner, name, timed):
        for photo, _ in chosen:
            read(photo.image())
    return 1000 * sum(spent) / len(chosen)


def _found(path: str) -> Any:
    """The module of that name, or the one that another knows under it."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        outer, _, name = path.rpartition(".")
        return getattr(importlib.import_module(outer), name)


def _timed(function: Any, spent: list[float]) -> Any:
    def run(*words: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return function(*words, **named)
        finally:
            spent.append(time.process_time() - start)

    return run
