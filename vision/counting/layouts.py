"""How the pips of the six faces lie, and how well spots lie like them."""

from __future__ import annotations

import math

import numpy as np

from vision.arrays import Floats

ROWS = (0.75, 0.87, 1.0, 1.15, 1.3)
"""Width of a six over its length: makes differ, and so do views."""
STEP_DEG = 3.75


def _turned(places: list[tuple[float, float]], again_deg: float = 180.0) -> Floats:
    """A layout in every turn, (T, n, 2), until it looks the same again."""
    angle = np.radians(np.arange(0, again_deg, STEP_DEG))
    turns = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1).reshape(-1, 2, 2)
    return np.asarray(np.einsum("tij,nj->tni", turns, np.array(places)), np.float32)


def _six(wide: float) -> list[tuple[float, float]]:
    """A six so wide for its length, its pips as far from the middle on the whole as those of a square one."""
    scale = math.sqrt(10 / (4 + 6 * wide**2))
    return [(x * scale, y * scale * wide) for x in (-1, 0, 1) for y in (-1, 1)]


_CORNERS = [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]
_MIDDLE = (0.0, 0.0)
LAYOUTS = {
    1: _turned([_MIDDLE], STEP_DEG),
    2: _turned(_CORNERS[:2]),
    3: _turned([*_CORNERS[:2], _MIDDLE]),
    4: _turned(_CORNERS, 90.0),
    5: _turned([*_CORNERS, _MIDDLE], 90.0),
    6: np.concatenate([_turned(_six(wide)) for wide in ROWS]),
}
"""For each face its pips in every turn, (T, n, 2), in distances of a row from the middle."""
_BY_PLACE = {face: np.ascontiguousarray(layouts.transpose(2, 1, 0)) for face, layouts in LAYOUTS.items()}
"""The same as (2, n, T): sums over n are quick where turns come last."""


def misfit(middles: Floats) -> float:
    """How far the worst of n spots (n, 2) lies from its place in the best layout of n pips, in sides."""
    layouts, about = _BY_PLACE[len(middles)], middles - middles.mean(axis=0)
    scale = math.sqrt(float((about**2).sum()) / max(1.0, float((layouts[..., 0] ** 2).sum())))
    off_x, off_y = (about[:, way, None, None] - scale * layouts[way] for way in (0, 1))
    squares = off_x * off_x + off_y * off_y
    worst = np.maximum(squares.min(axis=0).max(axis=0), squares.min(axis=1).max(axis=0))
    return math.sqrt(float(worst.min()))
