"""What speaks for and against each guess, weighed into a chance.

A logistic regression per kind of face. The weights are fitted on pictures other than those the reliability
in docs/reading.md is quoted on; `tests/bench/fit_chances.py` fits them.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.body import Bodies
from vision.faces import Faces, mean_of_pips
from vision.intruders import count_intruders
from vision.pips import Pips

NAMES = (
    "one", "side1", "side2", "side3", "side4", "clean", "outside", "misfit", "scale", "large", "least_pip",
    "most_body", "missing", "quality", "small", "contrast", "squeezed", "inside", "around",
)  # fmt: skip
"""One word per column of `evidence`; `large` is how far the body is larger than the pips say."""

SMALL_PIP_PX = 5.0
"""Below this radius in working pixels circles and edges say less."""


def evidence(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """What the logistic weighs, (M, len(NAMES))."""
    radius, quality, contrast = (
        mean_of_pips(v, faces) for v in (pips.radius_px, pips.quality, pips.contrast)
    )
    inside, around = count_intruders(pips, faces)
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
            np.minimum(inside, 3),
            np.log1p(around),
        ]
    ).astype(np.float32)


def chances(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """Chance (M,) that each guess is a die showing that face."""
    weights = WEIGHTS[np.minimum(faces.face, 4) - 1]
    total = (evidence(pips, faces, bodies) * weights).sum(axis=1)
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float32)


WEIGHTS = np.array(
    [
        [-9.91, -1.52, -0.64, 2.25, 1.09, 4.86, 4.98, 0.00, -5.54, 7.09, 1.10, 1.77, 0.00, 1.26, -1.53, 1.13, 0.00, 0.00, -1.30],
        [-13.12, 1.75, 0.96, 6.41, 1.49, 7.73, 3.64, 0.00, 1.18, -5.59, 1.76, -2.90, 0.00, -2.19, -1.92, 2.53, 0.00, 0.00, -1.89],
        [-15.12, 4.37, 3.41, 3.94, 1.09, 8.29, -0.45, 0.30, 0.73, -4.80, 4.42, -3.76, -1.90, -1.38, -0.72, 1.66, 0.00, 0.00, -1.48],
        [-6.19, 1.86, -0.64, 2.56, 3.23, 4.46, 1.05, 8.15, -3.26, -8.33, 3.72, -0.21, 0.00, -1.64, 0.02, 2.88, -1.61, 0.30, -2.00],
    ],
    np.float32,
)  # fmt: skip
"""One row each for aces, twos, threes, and fours to sixes; columns as NAMES."""
