"""Fits the weights of `vision.counting.evidence`: `python -m vision.training.weights.chances FOLDER...`.

Each folder has pictures and a labels.json, as `dudo render` writes them. Ridge logistic regression by
Newton's method (Hastie, Tibshirani, Friedman, "The Elements of Statistical Learning", 4.4.1), one for aces,
twos, threes, and fours to sixes together. What is printed goes into `vision/models/evidence.toml`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.body import cast_rays, find_bodies
from vision.counting.candidates import find_spots
from vision.counting.evidence import NAMES, evidence
from vision.counting.faces import Faces, find_faces
from vision.counting.intruders import counted_far, unspoilt
from vision.counting.pips import fit_pips
from vision.picture.photos import load
from vision.picture.working import Working, prepare

Reals = NDArray[np.float64]

KINDS = ((1,), (2,), (3,), (4, 5, 6))
NEAR, RIGHT = 0.35, 0.25
"""A guess within this share of a die's side is about that die; within the second it is at its place."""

SIZES = (0.55, 1.8)
"""Sides of guess over die between which both may be the same."""

RIDGE, STEPS = 3.0, 40


def main(argv: Sequence[str] | None = None) -> int:
    """Collect the guesses of all pictures, fit, print; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m vision.training.weights.chances")
    ask.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pictures with a labels.json")
    args = ask.parse_args(argv)
    rows = [row for folder in args.folders for row in _folder(folder)]
    face, found, right = (np.concatenate([row[k] for row in rows]) for k in range(3))
    print(", ".join(NAMES))
    for kind in KINDS:
        these = np.isin(face, kind)
        print(kind, np.round(fit(found[these], right[these]), 3).tolist())
    return 0


def _folder(folder: Path) -> list[tuple[Any, Any, Any]]:
    """Face, evidence and truth of every guess in every picture of a folder."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    print(f"{folder}: {len(labels)} pictures", flush=True)
    return [_picture(load(folder / name), label["dice"]) for name, label in labels.items()]


def _picture(image_bgr: Any, dice: Sequence[Mapping[str, Any]]) -> tuple[Any, Any, Any]:
    cv2.setNumThreads(1)
    working = prepare(image_bgr)
    pips = fit_pips(working, find_spots(working))
    faces = counted_far(pips, unspoilt(pips, find_faces(working, pips)))
    bodies = find_bodies(faces, cast_rays(working, pips, faces))
    right, unclear = truth(working, faces, 2 * faces.half_px * bodies.scale, dice)
    kept = ~unclear
    return faces.face[kept], evidence(pips, faces, bodies)[kept], right[kept]


def truth(
    working: Working, faces: Faces, side_px: Any, dice: Sequence[Mapping[str, Any]]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which guesses are right, and which nobody can call right or wrong."""
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
