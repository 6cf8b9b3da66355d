"""One sight per die: the same die is seen on several levels of the pyramid and by neighbouring cells."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from vision.net_maps import Sight

NEAR = 0.55
"""Two sights nearer than this share of a side are one die: faces that touch are a whole side apart."""
BEST_PX = (22.0, 52.0)
"""Where the net reads best; a sight outside gives way to one inside."""


def merged(sights: Iterable[Sight]) -> tuple[Sight, ...]:
    """The best sight of each die, best first."""
    kept: list[Sight] = []
    for sight in sorted(sights, key=_worth, reverse=True):
        if all(_apart(sight, other) for other in kept):
            kept.append(sight)
    return tuple(sorted(kept, key=lambda s: s.score, reverse=True))


def _worth(sight: Sight) -> float:
    low, high = BEST_PX
    off = max(low / sight.seen_px, sight.seen_px / high, 1.0)
    return sight.score / off


def _apart(one: Sight, other: Sight) -> bool:
    far = math.hypot(one.x_px - other.x_px, one.y_px - other.y_px)
    return far > NEAR * max(min(one.size_px, other.size_px), 0.5 * max(one.size_px, other.size_px))


def moved(sight: Sight, dx_px: float, dy_px: float) -> Sight:
    """The sight in a picture whose origin lies elsewhere."""
    pips = tuple((x + dx_px, y + dy_px, s) for x, y, s in sight.pips)
    return replace(sight, x_px=sight.x_px + dx_px, y_px=sight.y_px + dy_px, pips=pips)
