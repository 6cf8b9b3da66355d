"""One sight per die: the same die is seen on several levels of the pyramid and by neighbouring cells."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.arrays import Bools, Floats
from vision.net_maps import Sight

NEAR = 0.55
"""Two sights nearer than this share of a side are one die: faces that touch are a whole side apart."""
BEST_PX = (22.0, 52.0)
"""Where the net reads best; a sight outside gives way to one inside."""


def merged(sights: Iterable[Sight]) -> tuple[Sight, ...]:
    """The best sight of each die, best first."""
    ranked = sorted(sights, key=_worth, reverse=True)
    open_ = np.ones(len(ranked), bool)
    rows = np.array([(s.x_px, s.y_px, s.size_px) for s in ranked]).reshape(-1, 3)
    kept: list[Sight] = []
    for index, sight in enumerate(ranked):
        if open_[index]:
            kept.append(sight)
            open_ &= _apart(rows, rows[index])
    return tuple(sorted(kept, key=lambda s: s.score, reverse=True))


def _worth(sight: Sight) -> float:
    low, high = BEST_PX
    off = max(low / sight.seen_px, sight.seen_px / high, 1.0)
    return sight.score / off


def _apart(rows: Floats, one: Floats) -> Bools:
    """Which rows (x, y, size) are other dice than `one`."""
    far = np.hypot(rows[:, 0] - one[0], rows[:, 1] - one[1])
    small, large = np.minimum(rows[:, 2], one[2]), np.maximum(rows[:, 2], one[2])
    return np.asarray(far > NEAR * np.maximum(small, 0.5 * large))
