"""Whether the places of a layout look like a pip or like the body, without asking for a round edge there.

A pip with a glare on it, or two pixels wide, is often no clean circle; its colour still tells.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, along, without
from vision.counting.pips import sample
from vision.picture.working import Working

CORE = 0.55
"""Of a pip's radius: the median over points within says pip or body, a glare is outvoted."""

_POINTS = np.array(
    [[0, 0]]
    + [[0.5 * np.cos(a), 0.5 * np.sin(a)] for a in np.arange(4) * np.pi / 2]
    + [[np.cos(a), np.sin(a)] for a in np.arange(4) * np.pi / 2 + np.pi / 4],
    np.float32,
)


def darkness(
    working: Working,
    places_px: Floats,
    radius_px: Floats,
    inside: Floats,
    ring: Floats,
    points: int = len(_POINTS),
) -> Floats:
    """How much each place looks like a pip: 1 as the pips of its candidate do, 0 as the body does.

    `places_px` (M, P, 2), `radius_px` (M,), `inside` and `ring` (M, 3): the pip's and the body's colours.
    `points`, an odd number, is how many points of each place are looked at, the middle first. Returns (M, P).
    """
    reach = (CORE * radius_px)[:, None, None]
    x, y = (places_px[:, :, None, k] + _POINTS[:points, k] * reach for k in range(2))
    colours = without(sample(working, x, y), ring)
    axis = inside - ring
    length = np.maximum((axis**2).sum(axis=1), 1e-4)
    dark = along(colours, axis[:, None, None]) / length[:, None, None]
    return np.asarray(np.partition(dark, points // 2, axis=2)[..., points // 2], np.float32)
