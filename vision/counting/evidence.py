"""What speaks for and against each guess, weighed into a chance.

A logistic regression per kind of face, fitted by `vision/training/weights/chances.py`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from vision import fits
from vision.arrays import Floats
from vision.counting.body import Bodies
from vision.counting.faces import Faces, mean_of_pips
from vision.counting.pips import Pips

NAMES = (
    "one", "side1", "side2", "side3", "side4", "clean", "outside", "misfit", "scale", "large", "least_pip",
    "most_body", "missing", "quality", "small", "contrast", "squeezed", "inside", "around", "own",
)  # fmt: skip
"""One word per column of `evidence`; `large` is how far the body is larger than the pips say."""

SMALL_PIP_PX = 5.0
"""Below this radius in working pixels circles and edges say less."""


def evidence(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """What the logistic weighs, (M, len(NAMES))."""
    radius, quality, contrast = (
        mean_of_pips(v, faces) for v in (pips.radius_px, pips.quality, pips.contrast)
    )
    log_scale = np.log(bodies.scale)
    row, column = np.linalg.norm(faces.row_px, axis=1), np.linalg.norm(faces.column_px, axis=1)
    return np.column_stack(
        [
            np.ones(len(faces)),
            bodies.sides,
            bodies.clean,
            bodies.outside,
            np.minimum(faces.misfit, 1.0),
            np.abs(log_scale),
            np.maximum(log_scale, 0),
            np.clip(faces.least_pip, 0, 1.1),
            np.clip(faces.most_body, -0.2, 1),
            np.maximum(faces.face - (faces.pips >= 0).sum(axis=1), 0),
            quality,
            np.maximum(np.log(SMALL_PIP_PX / radius), 0),
            np.log(np.clip(contrast, 0.05, 1)),
            np.abs(np.log(row / column)),
            np.minimum(faces.inside, 3),
            np.log1p(np.minimum(faces.around, 6)),
            bodies.own,
        ]
    ).astype(np.float32)


def chances(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """Chance (M,) that each guess is a die showing that face."""
    total = (evidence(pips, faces, bodies) * weights()[np.minimum(faces.face, 4) - 1]).sum(axis=1)
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float32)


@cache
def weights() -> Floats:
    """One row (4, len(NAMES)) each for aces, twos, threes, and fours to sixes."""
    return np.array(list(fits.weights("evidence").values()), np.float32)
