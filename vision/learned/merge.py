"""One detection per die: the same die is seen on several levels of the pyramid and by neighbouring cells."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

import numpy as np

from vision.arrays import Bools, Floats
from vision.learned.maps import Detection

NEAR = 0.55
"""Two detections nearer than this share of the smaller side are one die: touching faces are a side apart."""
PART, WHOLE_SHARE = 0.6, 0.95
"""A detection of less than the first share of a larger one's side, its middle within that share of it, is a
part of it, if the larger one is at least the second share as sure."""
BEST_PX = (22.0, 52.0)
"""Where the net reads best; a detection outside gives way to one inside."""


def merged(detections: Iterable[Detection]) -> tuple[Detection, ...]:
    """The best detection of each die, best first."""
    ranked = sorted(detections, key=_worth, reverse=True)
    rows = np.array([(s.x_px, s.y_px, s.size_px) for s in ranked]).reshape(-1, 3)
    left, kept = np.ones(len(ranked), bool), list[int]()
    for index in range(len(ranked)):
        if left[index]:
            kept.append(index)
            left &= _apart(rows, rows[index])
    found = [ranked[k] for k in kept]
    stays = ~_gives_way(rows[kept], np.array([s.score for s in found]))
    return tuple(sorted(compress(found, stays), key=lambda s: s.score, reverse=True))


def _gives_way(rows: Floats, score: Floats) -> Bools:
    """Which detections (x, y, size) are to be dropped, of each two, one inside the other: mostly the pip."""
    x, y, size = rows.T
    small = size[:, None] < PART * size
    inside = small & (np.hypot(x[:, None] - x, y[:, None] - y) < PART * size)
    whole = score > WHOLE_SHARE * score[:, None]
    return np.asarray((inside & whole).any(axis=1) | (inside & ~whole).any(axis=0))


def _worth(detection: Detection) -> float:
    low, high = BEST_PX
    off = max(low / detection.seen_px, detection.seen_px / high, 1.0)
    return detection.score / off


def _apart(rows: Floats, one: Floats) -> Bools:
    """Which rows (x, y, size) are other dice than `one`."""
    far = np.hypot(rows[:, 0] - one[0], rows[:, 1] - one[1])
    return np.asarray(far > NEAR * np.minimum(rows[:, 2], one[2]))
