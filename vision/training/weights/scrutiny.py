"""Fits the perceptrons of candidates: `python -m vision.training.weights.scrutiny OUT FOLDER...`.

Each folder has pictures and a labels.json, as `dudo render` writes them. Adam (Kingma and Ba, 2015) on the
cross entropy, the step falling along a cosine; the file written goes to vision/models/scrutiny.json. What
lies round a candidate is weighed by odds that were fitted on the other half of the pictures (stacking:
Wolpert, 1992), or it would trust them more than they deserve.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.body import Bodies, cast_rays
from vision.counting.candidates import find_spots
from vision.counting.dice import anchors, of_usual_size, some
from vision.counting.faces import Faces, find_faces
from vision.counting.family import company
from vision.counting.intruders import unspoilt
from vision.counting.pips import Pips, fit_pips
from vision.counting.scrutiny import MOST_STRANGE, Perceptron, features, first_features, weigh
from vision.picture.photos import load
from vision.picture.working import Working, prepare

NEAR, RIGHT = 0.35, 0.25
"""A candidate within this share of a die's side is about that die; within the second it is at its place."""

SIZES = (0.55, 1.8)
"""Sides of candidate over die between which both may be the same."""

LEFT_CHANCE = 0.01
"""A candidate at least this likely is worth a body, whether it is right or not."""

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

HIDDEN, EPOCHS, BATCH, STEP, SHRINK = 24, 40, 512, 3e-3, 3e-4
FIRST_HIDDEN = 8
"""Cells are few where the candidates are many."""
FITS = 4
"""Perceptrons from so many beginnings speak as one: their mean errs less than each of them."""
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Labelled:
    """The candidates of one picture, which of them are right, and which are unclear."""

    pips: Pips
    faces: Faces
    bodies: Bodies
    right: Flags
    unclear: Flags


def main(argv: Sequence[str] | None = None) -> int:
    """Collect the candidates of all pictures, fit, write; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m vision.training.weights.scrutiny")
    ask.add_argument("out", type=Path, metavar="OUT", help="file to write")
    ask.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pictures with a labels.json")
    args = ask.parse_args(argv)
    pictures = [picture for folder in args.folders for picture in _folder(folder)]
    data = {name: as_data(weights) for name, weights in fit_all(pictures).items()}
    args.out.write_text(json.dumps(data) + "\n", encoding="utf-8")
    return 0


def as_data(weights: Perceptron) -> dict[str, Any]:
    """The weights as plain numbers, under the names that `vision.counting.scrutiny.fitted` reads."""
    names = ("mean", "spread", "inner", "bias", "outer")
    plain = {name: np.round(getattr(weights, name), DIGITS).tolist() for name in names}
    return plain | {"base": round(weights.base, DIGITS)}


def _folder(folder: Path) -> list[Labelled]:
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return [labelled(load(folder / name), label["dice"]) for name, label in labels.items()]


def labelled(image_bgr: Any, dice: Sequence[Mapping[str, Any]]) -> Labelled:
    """The candidates of a picture whose labelled dice are known."""
    cv2.setNumThreads(1)
    working = prepare(image_bgr)
    pips = fit_pips(working, find_spots(working))
    faces = unspoilt(pips, find_faces(working, pips))
    bodies, _ = of_usual_size(pips, faces, cast_rays(working, pips, faces))
    right, unclear = truth(working, faces, 2 * faces.half_px * bodies.scale, dice)
    return Labelled(pips, faces, bodies, right, unclear)


def truth(
    working: Working, faces: Faces, side_px: Any, dice: Sequence[Mapping[str, Any]]
) -> tuple[Flags, Flags]:
    """Which candidates are right, and which are unclear."""
    right, unclear = np.zeros((2, len(faces)), dtype=bool)
    for die in dice:
        size = die["size"] * working.width_px
        middle = np.array([die["x"] * working.width_px, die["y"] * working.height_px])
        away = np.linalg.norm(faces.middle_px - middle, axis=1) / size
        if die.get("ignore") or die.get("symbol"):
            unclear |= away < NEAR
            continue
        alike = (side_px > SIZES[0] * size) & (side_px < SIZES[1] * size) & (faces.face == die["face"])
        right |= alike & (away < RIGHT)
        unclear |= (away < NEAR) & (faces.face == die["face"]) & ~(alike & (away < RIGHT))
    return right, unclear & ~right


def fit_all(pictures: Sequence[Labelled]) -> dict[str, Perceptron]:
    """The three perceptrons, by the names that `vision.counting.scrutiny.fitted` knows."""
    rows = [_alone(picture) for picture in pictures]
    alone, odd, even = (_fitted(part) for part in (rows, rows[1::2], rows[0::2]))
    among = [_among(picture, (odd, even)[k % 2]) for k, picture in enumerate(pictures)]
    first = [_first(picture, alone) for picture in pictures]
    return {"first": _fitted(first, FIRST_HIDDEN), "alone": alone, "among": _fitted(among)}


def _fitted(rows: Sequence[tuple[Any, Any]], hidden: int = HIDDEN) -> Perceptron:
    found, right = (np.concatenate([row[k] for row in rows]) for k in range(2))
    return joined([fit(found, right, seed=seed, hidden=hidden) for seed in range(FITS)])


def joined(parts: Sequence[Perceptron]) -> Perceptron:
    """One perceptron whose odds are the mean of several's that were fitted on the same features."""
    inner = np.concatenate([part.inner for part in parts], axis=1)
    bias, outer = (np.concatenate([getattr(p, name) for p in parts]) for name in ("bias", "outer"))
    base = float(np.mean([part.base for part in parts]))
    return Perceptron(parts[0].mean, parts[0].spread, inner, bias, outer / len(parts), base)


def _alone(picture: Labelled) -> tuple[Any, Any]:
    """Features and truth of the candidates."""
    found = features(picture.pips, picture.faces, picture.bodies)
    return found[~picture.unclear], picture.right[~picture.unclear]


def _first(picture: Labelled, by: Perceptron) -> tuple[Any, Any]:
    """Features of all candidates before they had bodies, and which then had a chance worth naming, says
    `by`."""
    weighed = weigh(picture.pips, picture.faces, picture.bodies, by)
    return first_features(picture.pips, picture.faces), picture.right | (weighed.chance > LEFT_CHANCE)


def _among(picture: Labelled, by: Perceptron) -> tuple[Any, Any]:
    """Features, company and truth of the hopeful candidates; `by` weighs each by itself."""
    weighed = weigh(picture.pips, picture.faces, picture.bodies, by)
    kept = weighed.hopeful
    faces, bodies, weighed = picture.faces.take(kept), some(picture.bodies, kept), weighed.take(kept)
    sure = anchors(picture.pips, faces, bodies, weighed)
    found = np.column_stack([weighed.features, company(picture.pips, faces, bodies, weighed, sure)])
    clear = ~picture.unclear[kept]
    return found[clear], picture.right[kept][clear]


def fit(
    found: Reals, right: Flags, *, seed: int = 0, epochs: int = EPOCHS, hidden: int = HIDDEN
) -> Perceptron:
    """Weights for features (N, T) and their truth (N,)."""
    rng = np.random.default_rng(seed)
    mean, spread = found.mean(axis=0), found.std(axis=0) + 1e-4
    plain = np.clip((found - mean) / spread, -MOST_STRANGE, MOST_STRANGE)
    wanted = np.asarray(right, np.float64)
    rate = np.clip(wanted.mean(), 1e-3, 1 - 1e-3)
    weights = [
        rng.normal(0, plain.shape[1] ** -0.5, (plain.shape[1], hidden)),
        np.zeros(hidden),
        rng.normal(0, 0.3, hidden),
        np.array(np.log(rate / (1 - rate))),
    ]
    batches = max(1, len(plain) // BATCH)
    adam = _Adam(weights, epochs * batches)
    for _ in range(epochs):
        for batch in np.array_split(rng.permutation(len(plain)), batches):
            adam.step(_slope(weights, plain[batch], wanted[batch]))
    inner, bias, outer, base = weights
    return Perceptron(mean, spread, inner, bias, outer, float(base))


def _slope(weights: Sequence[Reals], plain: Reals, wanted: Reals) -> list[Reals]:
    """Of the mean cross entropy and the shrinking of the weights, for each of them."""
    inner, bias, outer, base = weights
    hidden = np.tanh(plain @ inner + bias)
    chance = 1 / (1 + np.exp(-np.clip(hidden @ outer + base, -30, 30)))
    off = (chance - wanted) / len(wanted)
    back = np.outer(off, outer) * (1 - hidden**2)
    return [
        plain.T @ back + SHRINK * inner,
        back.sum(axis=0),
        hidden.T @ off + SHRINK * outer,
        np.asarray(off.sum()),
    ]


class _Adam:
    """Moves weights in place along their slopes, `steps` times."""

    def __init__(self, weights: Sequence[Reals], steps: int) -> None:
        self._weights, self._steps, self._done = weights, steps, 0
        self._first = [np.zeros_like(w) for w in weights]
        self._second = [np.zeros_like(w) for w in weights]

    def step(self, slopes: Sequence[Reals]) -> None:
        """One step, smaller towards the end."""
        self._done += 1
        rate = STEP * 0.5 * (1 + np.cos(np.pi * self._done / self._steps))
        for weight, slope, first, second in zip(
            self._weights, slopes, self._first, self._second, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            mean, square = first / (1 - 0.9**self._done), second / (1 - 0.999**self._done)
            weight -= rate * mean / (np.sqrt(square) + 1e-8)


if __name__ == "__main__":
    raise SystemExit(main())
