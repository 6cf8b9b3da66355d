"""Solid shapes as distance functions, and sphere tracing of rays against them.

Points are (3, n) float32 in the shape's own millimetres, the shape's middle at the origin. The distance
functions are those of Inigo Quilez's collection, written anew for arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lab.scenes.values import FloatArray, Vec

_STEPS = 40
_NEAR_MM = 0.01


class Solid(Protocol):
    """A shape that rays can be traced against."""

    @property
    def bound_mm(self) -> Vec:
        """Half lengths of the box round it."""

    def distance(self, points: FloatArray) -> FloatArray:
        """Signed distance (n,), or less than it, of points (3, n); below 0 within."""

    def hulls(self) -> tuple[FloatArray, ...]:
        """Points (n, 3) whose convex hulls together fill the shape, for its shadow."""


@dataclass(frozen=True, slots=True)
class Block:
    """A box with rounded edges, and corners rounded off by a ball of radius `ball_mm` (0: none)."""

    half_mm: Vec
    corner_mm: float
    ball_mm: float = 0.0

    @property
    def bound_mm(self) -> Vec:
        return self.half_mm

    def distance(self, points: FloatArray) -> FloatArray:
        inner = np.asarray(self.half_mm, np.float32)[:, None] - np.float32(self.corner_mm)
        q = np.abs(points) - inner
        out = np.maximum(q, 0)
        d = np.sqrt(np.einsum("ij,ij->j", out, out)) + np.minimum(_largest(q), 0) - np.float32(self.corner_mm)
        if self.ball_mm <= 0:
            return np.asarray(d, np.float32)
        ball = np.sqrt(np.einsum("ij,ij->j", points, points)) - np.float32(self.ball_mm)
        return _smooth_max(np.asarray(d, np.float32), np.asarray(ball, np.float32), 0.08 * self.half_mm[0])

    def hulls(self) -> tuple[FloatArray, ...]:
        half = np.asarray(self.half_mm)
        back = min(self.corner_mm * (1 - 1 / math.sqrt(2)) * 1.6, float(half.min()) * 0.9)
        if self.ball_mm:
            back = max(back, (float(np.linalg.norm(half)) - self.ball_mm) * 0.9)
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        cut = [half - back * (1 - np.eye(3)[k]) for k in range(3)]
        return (np.concatenate([signs * c for c in cut]).astype(np.float32),)


@dataclass(frozen=True, slots=True)
class Cone:
    """A round thing along z: a cup, a chip, a coin, a pen standing up. Edges rounded by `corner_mm`."""

    low_mm: float
    high_mm: float
    half_mm: float
    corner_mm: float

    @property
    def bound_mm(self) -> Vec:
        wide = max(self.low_mm, self.high_mm)
        return (wide, wide, self.half_mm)

    def distance(self, points: FloatArray) -> FloatArray:
        radius = np.sqrt(points[0] ** 2 + points[1] ** 2)
        share = np.clip(points[2] / (2 * self.half_mm) + 0.5, 0, 1)
        wall = self.low_mm + (self.high_mm - self.low_mm) * share
        slope = math.cos(math.atan2(self.high_mm - self.low_mm, 2 * self.half_mm))
        qx = (radius - wall) * slope + self.corner_mm
        qz = np.abs(points[2]) - (self.half_mm - self.corner_mm)
        out = np.sqrt(np.maximum(qx, 0) ** 2 + np.maximum(qz, 0) ** 2)
        return np.asarray(out + np.minimum(np.maximum(qx, qz), 0) - self.corner_mm, np.float32)

    def hulls(self) -> tuple[FloatArray, ...]:
        angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        low = np.column_stack([ring * self.low_mm, np.full(24, -self.half_mm)])
        high = np.column_stack([ring * self.high_mm, np.full(24, self.half_mm)])
        return (np.concatenate([low, high]).astype(np.float32),)


@dataclass(frozen=True, slots=True)
class Bones:
    """Capsules melted into one another: a hand, a finger, a pen. Each bone is (from, to, radius)."""

    bones: tuple[tuple[Vec, Vec, float], ...]
    melt_mm: float

    @property
    def bound_mm(self) -> Vec:
        ends = [np.abs(np.asarray(p)) + r for a, b, r in self.bones for p in (a, b)]
        x, y, z = np.max(ends, axis=0)
        return (float(x), float(y), float(z))

    def distance(self, points: FloatArray) -> FloatArray:
        total = np.full(points.shape[1], 1e6, np.float32)
        for start, end, radius in self.bones:
            total = -_smooth_max(-total, -_to_bone(points, start, end, radius), self.melt_mm)
        return total

    def hulls(self) -> tuple[FloatArray, ...]:
        knobs = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], float)
        knobs /= np.maximum(np.linalg.norm(knobs, axis=1, keepdims=True), 1)
        ends = [(np.array([a, b]), r) for a, b, r in self.bones]
        return tuple(np.concatenate([e + knobs * r for e in ab]).astype(np.float32) for ab, r in ends)


@dataclass(frozen=True, slots=True)
class Facets:
    """A convex body of flat faces as far from the middle as `inner_mm`: polyhedral dice, crystals.

    `normals` are the unit normals of its faces.
    """

    normals: tuple[Vec, ...]
    inner_mm: float
    outer_mm: float

    @property
    def bound_mm(self) -> Vec:
        return (self.outer_mm, self.outer_mm, self.outer_mm)

    def distance(self, points: FloatArray) -> FloatArray:
        over = np.asarray(self.normals, np.float32) @ points - np.float32(self.inner_mm)
        ball = np.sqrt(np.einsum("ij,ij->j", points, points)) - np.float32(self.outer_mm * 0.96)
        return np.asarray(np.maximum(over.max(axis=0), ball), np.float32)

    def hulls(self) -> tuple[FloatArray, ...]:
        middle = (self.inner_mm + self.outer_mm) / 2
        return (np.asarray(self.normals, np.float32) * np.float32(middle),)


def _to_bone(points: FloatArray, start: Vec, end: Vec, radius: float) -> FloatArray:
    a = np.asarray(start, np.float32)[:, None]
    axis = np.asarray(end, np.float32)[:, None] - a
    length2 = max(float((axis * axis).sum()), 1e-9)
    from_start = points - a
    share = np.clip(axis[:, 0] @ from_start / np.float32(length2), 0, 1)
    off = from_start - axis * share
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", off, off)) - radius, np.float32)


def _smooth_max(a: FloatArray, b: FloatArray, width: float) -> FloatArray:
    """The larger of both, rounded off where they are closer than `width` (the quadratic polynomial)."""
    near = np.maximum(width - np.abs(a - b), 0)
    return np.asarray(np.maximum(a, b) + near * near / (4 * max(width, 1e-6)), np.float32)


def trace(solid: Solid, origin: FloatArray, rays: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where rays (3, n) from `origin` (3,) first meet the solid: indices of those that do, and lengths."""
    enter, leave = box_span(origin[:, None], rays, np.asarray(solid.bound_mm, np.float32))
    alive = np.flatnonzero((leave > enter) & (leave > 0))
    t, last = np.maximum(enter[alive], 0), leave[alive]
    found, lengths = [], []
    for _ in range(_STEPS):
        if not alive.size:
            break
        d = solid.distance(origin[:, None] + rays[:, alive] * t)
        met = d < _NEAR_MM
        found.append(alive[met])
        lengths.append(t[met])
        t = t + d
        on = ~met & (t < last)
        alive, t, last = alive[on], t[on], last[on]
    if not found:
        return np.zeros(0, np.intp), np.zeros(0, np.float32)
    return np.concatenate(found), np.concatenate(lengths).astype(np.float32)


def box_span(origin: FloatArray, rays: FloatArray, half: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lengths (n,) at which rays (3, n) enter and leave the box of half lengths `half` (the slab method)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / np.where(np.abs(rays) < 1e-7, np.float32(1e-7), rays)
    a = (-half[:, None] - origin) * inverse
    b = (half[:, None] - origin) * inverse
    return _largest(np.minimum(a, b)), -_largest(-np.maximum(a, b))


def _largest(rows: FloatArray) -> FloatArray:
    """The largest of three rows (3, n), which NumPy finds faster one by one."""
    return np.asarray(np.maximum(np.maximum(rows[0], rows[1]), rows[2]))


def normals(solid: Solid, points: FloatArray) -> FloatArray:
    """Unit outward normals (3, n) at points of the surface, by four distances at a tetrahedron's corners."""
    step = np.float32(0.02)
    total = np.zeros_like(points)
    for corner in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)):
        k = np.asarray(corner, np.float32)[:, None]
        total += k * solid.distance(points + k * step)
    return np.asarray(total / np.maximum(np.sqrt(np.einsum("ij,ij->j", total, total)), 1e-9), np.float32)
