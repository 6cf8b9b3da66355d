"""One detection per die: the same die is seen on several levels of the pyramid and by neighbouring cells."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.learned.maps import Detection

NEAR = 0.5
"""Two detections nearer than this share of a side lie on one another: one die twice, or a die and its pip."""


def merged(detections: Iterable[Detection]) -> tuple[Detection, ...]:
    """The detections, best first, less those that lie on a better one (non-maximum suppression).

    A clear one hides whatever lies on it, smaller or larger; another only what is about as large.
    """
    ranked = sorted(detections, key=lambda detection: detection.score, reverse=True)
    x, y, size = np.array([(d.x_px, d.y_px, d.size_px) for d in ranked]).reshape(-1, 3).T
    left, kept = np.ones(len(ranked), bool), list[Detection]()
    for index, detection in enumerate(ranked):
        if left[index]:
            kept.append(detection)
            reach = (np.maximum if detection.clear else np.minimum)(size, size[index])
            left &= np.hypot(x - x[index], y - y[index]) >= NEAR * reach
    return tuple(kept)
