"""The face normals of the dice of role players, and how such a die lies."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from lab.scenes.solids import Facets
from lab.scenes.values import FloatArray, Vec

KINDS = ("d4", "d8", "d10", "d12", "d20")
_GOLDEN = (1 + math.sqrt(5)) / 2
# radius of the ball round the body over that of the ball within it
_STRETCH = {"d4": 3.0, "d8": math.sqrt(3), "d10": 1.65, "d12": 1.258, "d20": 1.258}


@lru_cache(maxsize=8)
def normals_of(kind: str) -> tuple[Vec, ...]:
    """Unit normals of the faces."""
    signs: list[Vec] = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    if kind == "d4":
        found = [s for s in signs if s[0] * s[1] * s[2] > 0]
    elif kind == "d8":
        found = signs
    elif kind == "d10":
        ring = np.arange(5) * 2 * math.pi / 5
        up = [(math.cos(a), math.sin(a), 0.84) for a in ring]
        found = up + [(-x, -y, -z) for x, y, z in up]
    else:
        found = _cyclic(0.0, 1.0, _GOLDEN) if kind == "d12" else signs + _cyclic(0.0, 1 / _GOLDEN, _GOLDEN)
    return tuple(_unit(n) for n in found)


def solid_of(kind: str, inner_mm: float) -> Facets:
    """The body whose faces are `inner_mm` away from its middle."""
    return Facets(normals_of(kind), inner_mm, inner_mm * _STRETCH[kind] * 1.04)


def lying_turn(kind: str, face: int, yaw_rad: float) -> FloatArray:
    """The rotation (3, 3) that puts face number `face` down on the table."""
    down = -np.asarray(normals_of(kind)[face % len(normals_of(kind))])
    helper = np.array([0.0, 0.0, 1.0]) if abs(down[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(helper, down)
    u /= np.linalg.norm(u)
    v = np.cross(down, u)
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    return np.stack([c * u - s * v, s * u + c * v, down])


def _cyclic(a: float, b: float, c: float) -> list[Vec]:
    """All cyclic orders and signs of (a, b, c) where a is 0."""
    found: list[Vec] = []
    for p in (-1, 1):
        for q in (-1, 1):
            found += [(a, p * b, q * c), (p * b, q * c, a), (q * c, a, p * b)]
    return found


def _unit(n: Vec) -> Vec:
    length = math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
    return (n[0] / length, n[1] / length, n[2] / length)
