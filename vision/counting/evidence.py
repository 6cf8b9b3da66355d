"""What speaks for and against each guess, weighed into a chance.

A logistic regression per kind of face. The weights are fitted on pictures other than those the reliability
in docs/reference/measured.md is quoted on; `vision/training/weights/chances.py` fits them.
"""

from __future__ import annotations

import numpy as np

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
    weights = WEIGHTS[np.minimum(faces.face, 4) - 1]
    total = (evidence(pips, faces, bodies) * weights).sum(axis=1)
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float32)


WEIGHTS = np.array(
    [
        [-11.51, 0.00, 0.00, 2.16, 1.57, 1.13, 0.00, 0.00, -4.79, 6.05,
         0.00, 0.00, 0.00, 0.97, -1.63, 0.92, 0.00, 0.00, -1.01, 9.95],
        [-15.63, 1.12, 0.00, 7.59, 0.86, 2.59, 1.03, 0.00, 0.00, -3.48,
         0.00, -1.06, 0.00, 0.00, -1.59, 2.15, 0.00, 0.00, -1.65, 11.12],
        [-15.33, 3.09, 2.82, 2.77, 3.22, 6.48, 0.00, 0.00, -3.12, -2.44,
         2.06, -0.06, -2.48, 0.00, -0.64, 1.60, 0.00, 0.00, -2.21, 5.69],
        [-8.77, 0.00, 0.00, 3.06, 1.99, 1.00, 0.22, 0.00, -6.35, -6.95,
         2.35, 0.00, 0.00, 0.00, 0.00, 2.39, -0.64, 0.00, -2.12, 8.59],
    ],
    np.float32,
)  # fmt: skip
"""One row each for aces, twos, threes, and fours to sixes; columns as NAMES."""
