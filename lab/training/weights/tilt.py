"""Weights of the tilt of the view (`vision.learned.classifier`): `python -m lab.training.weights.tilt`.

Scenes are rendered from known tilts and read; each die that is read, by its top or by a side face, is one
example. The rows printed go into `[tilt.weights]` of `vision/models/fits.toml` when `classifier.onnx` is
replaced.
Ridge regression (Hastie, Tibshirani, Friedman, "The Elements of Statistical Learning", 3.4.1).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.scenes import DIFFICULTIES, LEVELS, STYLES, DieTruth, Scene, SceneError, throw
from lab.training.pictures.scened import fitting
from vision.agreement import ways
from vision.fits import Weights
from vision.learned.classifier import features
from vision.values import Die

SCENES, FIRST_SEED = 450, 700_000
SHARES = (0.2, 0.5, 0.3)
"""Of the difficulties, from easy to hard."""
MAX_DEG, STEEP_DEG = (5.0, 18.0, 30.0), (25.0, 60.0)
"""Half of the scenes have one of these maximum tilts, the others a minimum tilt within this range."""
REACH = 1.3
"""In sides of the top face: what is read farther from its middle is no face of this die."""
RIDGE = 0.1
"""Weight of the squared norm of the weights of standardised features, against the mean squared error."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """The features (112,) of a face that was read in a scene, and the true tilt there in degrees."""

    scene: int
    features: Reals
    tilt_deg: float


def main(argv: Sequence[str] | None = None) -> int:
    """Render, fit, print the rows and the error on scenes that are left out; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m lab.training.weights.tilt")
    ask.add_argument("--scenes", type=int, default=SCENES, help=f"default: {SCENES}")
    args = ask.parse_args(argv)
    cv2.setNumThreads(1)
    found = list(rows(range(FIRST_SEED, FIRST_SEED + args.scenes)))
    print(f"# {len(found)} faces, off by {left_out_error(found):.1f} degrees where the scene is left out")
    for name, row in fit(found).items():
        print(name, "=", list(row))
    return 0


def rows(seeds: Sequence[int]) -> Iterator[Row]:
    """The faces that are read in the scenes of these seeds; leaning dice are left out."""
    for seed in seeds:
        try:
            picture = fitting(scene(seed))
        except SceneError:
            continue
        for die in ways.both(picture.image_bgr)[0]:
            if (true := _at(die, picture.truth)) and not true.cocked:
                at = die.x_px, die.y_px, die.size_px
                yield Row(seed, features(picture.image_bgr, *at).astype(np.float64), true.tilt_deg)


def scene(seed: int) -> Scene:
    """Dice from above or seen steeply. Raises SceneError where they do not fit."""
    rng = np.random.default_rng(seed)
    usual = LEVELS[str(rng.choice(DIFFICULTIES, p=SHARES))]
    steep_deg = float(rng.uniform(*STEEP_DEG))
    least_deg = float(rng.choice([0.0, steep_deg]))
    most_deg = max(usual.tilt_deg, least_deg) if least_deg else float(rng.choice(MAX_DEG))
    level = replace(usual, least_tilt_deg=least_deg, tilt_deg=most_deg)
    style = str(rng.choice(STYLES))
    return throw(seed, style=style, count=(1, 6) if rng.uniform() < 0.7 else (4, 15), level=level)


def _at(die: Die, truth: Sequence[DieTruth]) -> DieTruth | None:
    """The die of which a face was read, None of what is no die."""
    far = [math.hypot(true.x_px - die.x_px, true.y_px - die.y_px) / true.size_px for true in truth]
    return truth[int(np.argmin(far))] if far and min(far) < REACH else None


def fit(found: Sequence[Row]) -> Weights:
    """The rows "features" and "constant", in degrees."""
    x, y = np.array([row.features for row in found]), np.array([row.tilt_deg for row in found])
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    z = (x - middle) / spread
    weights = np.linalg.solve(z.T @ z / len(z) + RIDGE * np.eye(z.shape[1]), z.T @ (y - y.mean()) / len(z))
    weights = (weights / spread).round(2)
    return {"features": weights.tolist(), "constant": [round(float(y.mean() - weights @ middle), 2)]}


def left_out_error(found: Sequence[Row], parts: int = 5) -> float:
    """The root of the mean squared error of faces by fits without their scenes, in degrees."""
    off = list[float]()
    for part in range(parts):
        known = fit([row for row in found if row.scene % parts != part])
        weights, constant = np.array(known["features"]), known["constant"][0]
        left = [row for row in found if row.scene % parts == part]
        off += [float(row.features @ weights) + constant - row.tilt_deg for row in left]
    return float(np.sqrt(np.mean(np.square(off))))


if __name__ == "__main__":
    raise SystemExit(main())
