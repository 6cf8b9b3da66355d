"""Fits the weights of `vision.agreement.trust`: `python -m lab.training.weights.trust FOLDER...`.

Each folder has pictures and a labels.json, as `python -m lab.scenes` writes them, which the net was not
trained on. The rows printed go into `[trust.weights]` of `vision/models/fits.toml`; how often what a reading
says came true in the end is in lab/docs/measured.md. Ridge logistic regression by Newton's method
(Hastie, Tibshirani, Friedman, "The Elements of Statistical Learning", 4.4.1).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import agree, places, trust
from vision.agreement.trust import Place
from vision.picture.photos import load

HERE, NEAR = 0.35, 0.6
"""A place within the first share of a die's side is at it; up to the second it is unclear."""
WORTH = 0.005
"""Places less likely than this are left out: they are legion and teach nothing."""
ODD = -3.0
"""The weight of an odd size is no lower: see `[trust]` in `vision/models/fits.toml`."""
RIDGE, STEPS = 3.0, 40
BANDS = (0.0, 0.01, 0.03, 0.1, 0.3, 0.5, 0.8, 0.95, 0.98, 1.01)


Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A face of a place: its features before and after the crop classifier, and whether it is right."""

    once: tuple[float, ...]
    twice: tuple[float, ...]
    right: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Collect the places of all pictures, fit, print; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m lab.training.weights.trust")
    ask.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pictures with a labels.json")
    args = ask.parse_args(argv)
    cv2.setNumThreads(1)
    rows = [row for folder in args.folders for row in _folder(folder)]
    right = np.array([row.right for row in rows])
    print(", ".join(trust.NAMES))
    for name in ("once", "twice"):
        found = np.array([getattr(row, name) for row in rows])
        weights = fit(found, right)
        weights[-1] = max(weights[-1], ODD)
        print(name, "=", np.round(weights, 2).tolist())
        _table(1 / (1 + np.exp(-found @ weights)), right)
    return 0


def _folder(folder: Path) -> Iterator[Row]:
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for number, (name, label) in enumerate(labels.items(), 1):
        yield from rows_of(load(folder / name), label["dice"])
        print(f"\r{folder.name}: {number} of {len(labels)} pictures", end="", flush=True)
    print()


def rows_of(image_bgr: Any, dice: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """The rows of a picture with its true dice."""
    seen = places.detected(image_bgr).once
    found = places.compared([agree.counted_at(image_bgr, Place(detection)) for detection in seen])
    for place in (p for p in found if agree.likely(p) >= WORTH):
        face = _truth(place, image_bgr.shape, dice)
        if face is not None:
            twice = agree.classified(image_bgr, place)
            yield from (_row(place, twice, f, f == face) for f in _spoken_for(twice))


def _row(once: Place, twice: Place, face: int, right: bool) -> Row:
    return Row(trust.evidence(once, face), trust.evidence(twice, face), right)


def _spoken_for(place: Place) -> set[int]:
    """The faces that any reader has here."""
    faces = {detection.face for detection in (place.detection, place.classified) if detection}
    return faces | ({place.count.face} if place.count else set())


def _truth(place: Place, shape: tuple[int, ...], dice: Sequence[Mapping[str, Any]]) -> int | None:
    """The face that lies here, 0 for none, None where it is unclear."""
    at, (height, width) = place.detection, shape[:2]
    for die in dice:
        off = math.hypot(at.x_px - die["x"] * width, at.y_px - die["y"] * height) / (die["size"] * width)
        if off < NEAR:
            unclear = die.get("ignore") or (off >= HERE and not die.get("symbol"))
            return None if unclear else 0 if die.get("symbol") else int(die["face"])
    return 0


def _table(chance: Any, right: Any) -> None:
    """Said of each face by itself, before they compete, and true, band by band."""
    for low, high in pairwise(BANDS):
        these = (chance >= low) & (chance < high)
        share = f"{right[these].mean():7.1%}" if these.any() else "       "
        print(f"| {low:.2f} to {min(high, 1):.2f} | {int(these.sum()):6d} |{share} |")


def fit(found: Reals, right: NDArray[np.bool_], ridge: float = RIDGE) -> Reals:
    """Weights (K,) for evidence (N, K), whose first column is one, and its truth (N,)."""
    middle, spread = found.mean(axis=0), found.std(axis=0) + 1e-6
    middle[0], spread[0] = 0.0, 1.0
    z = (found - middle) / spread
    shrink = np.eye(z.shape[1]) * ridge
    shrink[0, 0] = 1e-3
    weights = np.zeros(z.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-z @ weights))
        slope = z.T @ (chance - right) + shrink @ weights
        curve = (z * (chance * (1 - chance))[:, None]).T @ z + shrink
        weights -= np.linalg.solve(curve, slope)
    plain: Reals = weights / spread
    plain[0] = weights[0] - (weights[1:] * middle[1:] / spread[1:]).sum()
    return plain


if __name__ == "__main__":
    raise SystemExit(main())
