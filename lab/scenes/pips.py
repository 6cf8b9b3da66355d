"""Where the faces of a die are and where their pips lie.

A face's own axes u and v lie in it so that u x v is its outward normal; pips are in units of half the side.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lab.scenes.space import yaw
from lab.scenes.values import FloatArray, Make


def normal_of(face: int, left_handed: bool) -> FloatArray:
    """Outward normal of a face in the die's own axes.

    Opposite faces sum to seven; on a right-handed die 1, 2, 3 run counter-clockwise round their corner.
    """
    axes = {1: (0, 0, 1), 2: (1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0), 5: (-1, 0, 0), 6: (0, 0, -1)}
    x, y, z = axes[face]
    return np.array([x, -y if left_handed else y, z], float)


def frame_of(face: int, make: Make) -> FloatArray:
    """Rows u, v, normal of a face, with the make's quarter turn applied; not to be written to."""
    return _frame(face, make.left_handed, make.turned[face - 1])


@lru_cache(maxsize=24)
def _frame(face: int, left_handed: bool, turned: bool) -> FloatArray:
    n = normal_of(face, left_handed)
    u = np.roll(np.abs(n), 1)
    v = np.cross(n, u)
    frame = np.stack([v, -u, n] if turned else [u, v, n])
    frame.setflags(write=False)
    return frame


def turn_to_top(face: int, make: Make, yaw_rad: float) -> FloatArray:
    """The rotation that lays the die with `face` on top and turned by `yaw_rad`."""
    u, v, n = frame_of(face, make)
    return np.asarray(yaw(yaw_rad) @ np.stack([u, v, n]))


def layout(face: int, make: Make) -> FloatArray:
    """Pips (k, 3) of a face: u, v and radius."""
    s, r = make.spread, make.pip_radius
    corners = [(s, s), (-s, -s), (s, -s), (-s, s)]
    places = {
        1: [(0.0, 0.0)],
        2: _two(make),
        3: [(0.0, 0.0), (s, s), (-s, -s)],
        4: corners,
        5: [(0.0, 0.0), *corners],
        6: [(x * make.six_width, y * make.six_height) for x in (-1, 1) for y in (-1, 0, 1)],
    }[face]
    radius = make.ace_radius if face == 1 else r
    return np.array([(u, v, radius) for u, v in places]) + _wobble(face, len(places), make)


ALONG_SIDE, MIN_GAP = 0.8, 1.25
"""A two along a side has its pips this share of `two_spread` from the middle, and at least so many radii."""


def _two(make: Make) -> list[tuple[float, float]]:
    """The two: across the face, or close together along a side as on dice in the Asian manner."""
    t = make.two_spread
    if not make.two_along_side:
        return [(t, t), (-t, -t)]
    near = max(ALONG_SIDE * t, MIN_GAP * make.pip_radius)
    return [(0.0, near), (0.0, -near)]


def _wobble(face: int, count: int, make: Make) -> FloatArray:
    """The small errors of the drill, the same for every die of a make."""
    rng = np.random.default_rng((make.grain_seed, face))
    return np.asarray(rng.normal(0, 1, (count, 3)) * (0.012, 0.012, 0.006))


def has_pips(face: int, make: Make) -> bool:
    """Whether the face bears pips, not a mark."""
    return all(face != marked for marked, _ in make.marks)
