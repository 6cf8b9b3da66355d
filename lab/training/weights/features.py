"""Mean and spread of the net's features over dice: `python -m lab.training.weights.features`.

Embeddings of taught faces are standardised by them (`vision.learned.taught`). The rows printed go into
`[features.weights]` of `vision/models/fits.toml` when `dice.onnx` is replaced.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from lab.scenes import render, throw
from vision.fits import Weights
from vision.learned import MODEL
from vision.learned.net import load
from vision.learned.taught import raw_features

SCENES, FIRST_SEED = 40, 90_000
MIN_VISIBLE, MIN_SIZE_PX = 0.9, 16
"""Share of its top face seen, and the face's side: smaller dice and more hidden ones are left out."""
FLOOR = 1e-3
"""Added to each spread: a feature that hardly changes tells nothing."""


def measured(model: Path, scenes: int = SCENES) -> Weights:
    """The rows "mean" and "spread", each a number for each of the net's features, over rendered dice."""
    net = load(model)
    rows = []
    for seed in range(FIRST_SEED, FIRST_SEED + scenes):
        picture = render(throw(seed, count=(2, 8)), 640, 480)
        rows += [
            raw_features(picture.image_bgr, die.x_px, die.y_px, die.size_px, die.angle_deg, net)
            for die in picture.truth
            if die.visible > MIN_VISIBLE and die.size_px > MIN_SIZE_PX
        ]
    table = np.stack(rows).astype(np.float64)
    found = {"mean": table.mean(axis=0), "spread": table.std(axis=0) + FLOOR}
    return {name: row.round(5).tolist() for name, row in found.items()}


def show(model: Path) -> None:
    """Print the rows as the file has them."""
    for name, row in measured(model).items():
        print(name, "=", row, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the rows of a model; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m lab.training.weights.features")
    ask.add_argument("--model", type=Path, default=MODEL, help="default: the one that is shipped")
    args = ask.parse_args(argv)
    if not args.model.is_file():
        ask.error(f"there is no model {args.model}: train one, or leave --model away")
    cv2.setNumThreads(1)
    show(args.model)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
