"""`python -m lab.measure.calibrate`: the weights of `vision.agreement.calibration`, from photographs.

Logistic regressions by Newton's method with a Gaussian prior; each source weighs as much as `MAX_PHOTOS` of
its photographs at most. `--without SOURCE` leaves one out, as every quoted figure does with its own.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lab.measure.kept_readings import readings
from tests.vision.photographs import PHOTOS, Photo, photographs
from tests.vision.scoring import Label, matched
from vision.agreement import calibration as cal
from vision.arrays import Floats
from vision.fits import Weights
from vision.values import Reading, is_strong

SETS = (
    *("dev/king", "dev/wik", "dev/damian", "dev/kamil", "dev/fudw", "dev/circ", "dev/byler", "dev/pxl"),
    *("dev2/marceli", "dev2/azb", "dev2/kamil", "dev2/trays"),
    *("dev3/many", "dev3/tomek", "dev3/kosta", "dev3/poly", "dev3/dark", "dev3/casino", "dev3/printed"),
    *("pool/pxl", "pool/byler", "pool/circ", "pool/oblique", "pool/catan"),
)
MAX_PHOTOS = 100
NEAR_A_DOUBT = 0.8
"""A doubted place this near to a labelled die, in its sides, is one."""
WRONG_LABELS = 0.002
"""Of the dice of these sets so many are labelled with another face than they show."""
TURNS = 8
"""Of the fit of other faces, in which wrong labels count less and less."""
ROUNDS, DONE = 100, 1e-8


@dataclass(slots=True)
class Rows:
    """Features, answers and weights of one regression."""

    features: list[tuple[float, ...]] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def add(self, features: tuple[float, ...], answer: float, weight: float) -> None:
        self.features.append(features)
        self.answers.append(float(answer))
        self.weights.append(weight)


Read = tuple[Photo, Reading]
"""A photograph and its uncalibrated reading."""


def fitted(read: Sequence[Read]) -> Weights:
    """The weights that these photographs tell; those seen from the side are left out."""
    read = [(photo, reading) for photo, reading in read if photo.label.get("angle") != "side"]
    sizes = Counter(photo.family for photo, _ in read)
    none, face, place, unread = Rows(), Rows(), Rows(), Rows()
    pictures: list[tuple[Reading, cal.View, int, float]] = []
    for photo, reading in read:
        weight = min(1.0, MAX_PHOTOS / sizes[photo.family])
        view = cal.view_of(reading.dice, reading.doubts)
        if not view.crowded and all(die.chances for die in reading.dice):
            _of_dice(photo.label, reading, view, weight, none, face)
            left = _of_places(photo.label, reading, view, weight, place)
            pictures.append((reading, view, left, weight))
    of_place = regression(place, (-2.0, 0, 1.0, 0))
    for reading, view, left, weight in pictures:
        places = (doubt for doubt in reading.doubts if doubt.x_px is not None)
        expected = sum(cal.probability(of_place, cal.of_place(doubt, view)) for doubt in places)
        unread.add(cal.of_picture(view, expected), min(left, 1), weight)  # several missing are noticed
    return {
        "none": regression(none, (-1.0, -0.5, -0.5, 0.0, 0.0)),
        "face": _without_wrong_labels(face, (-1.0, 0.5, 0.5, 0.0)),
        "place": of_place,
        "unread": regression(unread, (-4.0, 0, 0), count=True),
    }


def _without_wrong_labels(rows: Rows, prior: Sequence[float]) -> tuple[float, ...]:
    """The weights of a regression where a die that is labelled otherwise shows the face that was read as
    likely as labels are wrong, against what the fit says."""
    labelled, found = list(rows.answers), tuple(prior)
    for _ in range(TURNS):
        other = [cal.probability(found, features) for features in rows.features]
        rows.answers = [y * p / (p + WRONG_LABELS) for y, p in zip(labelled, other, strict=True)]
        found = regression(rows, prior)
    return found


def _of_dice(label: Label, reading: Reading, view: cal.View, weight: float, none: Rows, face: Rows) -> None:
    """Whether each uncertain die is none, and whether it shows another face."""
    pairs = matched(label, reading)
    true = {id(die): label["dice"][k] for k, die in pairs.items()}
    ignored = sum(bool(die.get("ignore")) for die in true.values())
    expected = sum(not die.get("ignore") for die in label["dice"])
    missing = expected - (len(reading.dice) - ignored)
    for die in (die for die in reading.dice if not is_strong(die)):
        there = true.get(id(die))
        if there and (there.get("ignore") or there.get("symbol")):
            continue
        none.add(cal.of_no_die(die, view), there is None, weight)
        if there and missing >= 0 and not cal.is_seconded(die, view):  # else it is not used
            face.add(cal.of_other_face(die, view), there["face"] != die.face, weight)


def _of_places(label: Label, reading: Reading, view: cal.View, weight: float, place: Rows) -> int:
    """Whether a die lies unread at each doubted place; how many lie where nothing tells of them."""
    left = {k for k, die in enumerate(label["dice"]) if not die.get("ignore")} - set(matched(label, reading))
    for doubt in (doubt for doubt in reading.doubts if doubt.x_px is not None):
        x, y = doubt.x_px or 0.0, doubt.y_px or 0.0
        there = next((k for k in _by_distance(label, reading, x, y) if k in left), None)
        place.add(cal.of_place(doubt, view), there is not None, weight)
        left -= {there}
    return len(left)


def _by_distance(label: Label, reading: Reading, x: float, y: float) -> Iterator[int]:
    """The labelled dice near a place, the nearest first."""
    far = {
        k: math.hypot(die["x"] * reading.width_px - x, die["y"] * reading.height_px - y)
        for k, die in enumerate(label["dice"])
    }
    for k in sorted(far, key=lambda k: far[k]):
        if far[k] < NEAR_A_DOUBT * label["dice"][k]["size"] * reading.width_px:
            yield k


def regression(rows: Rows, prior: Sequence[float], *, count: bool = False) -> tuple[float, ...]:
    """Weights of a logistic regression, or of Poisson's where answers are counts: the most likely ones."""
    x, y, w = (np.array(part, float) for part in (rows.features, rows.answers, rows.weights))
    first = np.array(prior)
    pull = np.array([0.05 if count else 0.02, *[0.5 if count else 0.3] * (len(prior) - 1)])

    def fit(b: Floats) -> float:
        z = np.clip(x @ b, -30, 30)
        likely = y * z - (np.exp(z) if count else np.logaddexp(0, z))
        return float((w * likely).sum() - (pull * (b - first) ** 2).sum() / 2)

    b = first.copy()
    for _ in range(ROUNDS):
        z = np.clip(x @ b, -30, 30)
        mean = np.exp(z) if count else 1 / (1 + np.exp(-z))
        bend = (x.T * (w * (mean if count else mean * (1 - mean)))) @ x + np.diag(pull)
        step = np.linalg.solve(bend, x.T @ (w * (y - mean)) - pull * (b - first))
        while np.abs(step).max() > 1e-6 and fit(b + step) < fit(b):
            step = step / 2
        b = b + step
        if np.abs(step).max() < DONE:
            break
    return tuple(round(float(value), 2) for value in b)


def read_sets(sets: Iterable[str], folder: Path, jobs: int) -> list[Read]:
    """Every photograph of these sets with its reading."""
    photos = list(photographs(tuple(sets), folder))
    return list(zip(photos, readings(photos, jobs), strict=True))


def main(words: Sequence[str] | None = None) -> int:
    """Print the weights as rows of `[calibration.weights]` in `vision/models/fits.toml`."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.calibrate", description=__doc__)
    ask.add_argument("--folder", type=Path, default=PHOTOS.parent, help="holds dev, dev2, dev3 and pool")
    ask.add_argument("--set", dest="sets", action="append", help=f"default: {' '.join(SETS)}")
    ask.add_argument("--without", action="append", default=[], metavar="SOURCE", help="king, wik and so on")
    ask.add_argument("--jobs", type=int, default=2, help="processes that read (default 2)")
    asked = ask.parse_args(words)
    read = read_sets(asked.sets or SETS, asked.folder, asked.jobs)
    weights = fitted([one for one in read if source(one[0]) not in asked.without])
    for name, row in weights.items():
        print(name, "=", list(row))
    return 0


def source(photo: Photo) -> str:
    """Whose photographs it is one of: `kamil` of dev and of dev2 are one source."""
    return photo.path.parent.name


if __name__ == "__main__":
    sys.exit(main())
