"""Solid things beside the dice that are no dice with pips: what a reader must leave alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lab.scenes import marks
from lab.scenes.bodies import Body
from lab.scenes.colours import linear
from lab.scenes.polyhedra import KINDS, normals_of, solid_of
from lab.scenes.skin import Skin
from lab.scenes.solids import Block, Bones, Cone, Solid
from lab.scenes.values import FloatArray, Thing, Vec


def thing_bodies(thing: Thing) -> list[Body]:
    """The bodies that make up a thing."""
    solid = _solid(thing)
    return [
        Body(
            solid,
            np.asarray(thing.centre_mm, np.float32),
            np.asarray(thing.turn, np.float32).T,
            partial(_skin, thing, solid),
        )
    ]


def _solid(thing: Thing) -> Solid:
    """The shape of a thing's kind at its size."""
    x, y, z = (side / 2 for side in thing.size_mm)
    if thing.kind in KINDS:
        return solid_of(thing.kind, z)
    if thing.kind == "ball":
        return Cone(0.01, 0.01, 0.01, 0.0) if z <= 0 else Bones((((0, 0, 0), (0, 0, 0.01), z),), 0.1)
    if thing.kind == "cup":
        return Cone(x, y, z, min(2.0, z * 0.2))
    if thing.kind in ("disc", "button", "chip", "coin"):
        return Cone(x, x, z, min(z * 0.6, 1.0))
    if thing.kind == "pen":
        return Bones((((-x + z, 0, 0), (x - z, 0, 0), z),), 0.1)
    if thing.kind == "hand":
        return Bones(_hand_bones(thing), 9.0)
    return Block((x, y, z), min(x, y, z) * 0.25)


def _hand_bones(thing: Thing) -> tuple[tuple[Vec, Vec, float], ...]:
    """Palm, five fingers and a wrist; the fingers point along x, bent by the thing's seed."""
    rng = np.random.default_rng(thing.seed)
    scale = thing.size_mm[0] / 180
    bones: list[tuple[Vec, Vec, float]] = []

    def bone(a: Sequence[float], b: Sequence[float], radius: float) -> None:
        first, last = ((p[0] * scale, p[1] * scale, p[2] * scale) for p in (a, b))
        bones.append((first, last, radius * scale))

    for k, (y, reach) in enumerate(((-30, 62), (-10, 76), (11, 72), (31, 56))):
        bone((-55, y * 0.75, 0), (2, y, 3), 15)
        knee = 2 + reach * 0.5
        bend = float(rng.uniform(-14, 4))
        bone((2, y, 3), (knee, y * 1.08 + rng.normal(0, 3), 2), 8.5)
        bone((knee, y * 1.08, 2), (2 + reach * rng.uniform(0.75, 1.0), y * 1.1, bend), 7.8 - 0.3 * k)
    bone((-45, -32, -2), (5, -62 + rng.normal(0, 8), -6), 11)
    bone((-110, 0, 0), (-60, 0, 0), 26)
    return tuple(bones)


def _skin(
    thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray, step_mm: float, rays: FloatArray
) -> Skin:
    """The surface of a thing: its colour, and what its kind prints on it."""
    count = points.shape[1]
    albedo = np.repeat(linear(thing.rgb)[:, None], count, axis=1)
    paint = _PAINT.get(thing.kind, _paint_block)
    paint(albedo, thing, solid, points, normals)
    rough = np.full(count, thing.gloss, np.float32)
    return Skin(albedo, normals.copy(), rough, np.ones(count, np.float32))


def _ink(albedo: FloatArray, thing: Thing, where: NDArray[np.intp], cover: FloatArray | float) -> None:
    """Print the second colour with `cover` on the points `where`."""
    albedo[:, where] += (linear(thing.second_rgb)[:, None] - albedo[:, where]) * cover


def _paint_block(
    albedo: FloatArray, thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray
) -> None:
    """Marks of a box: one on each side, or two side by side on the top of a domino."""
    half = np.asarray(solid.bound_mm, np.float32)[:, None]
    p = points / half
    axis = np.abs(normals).argmax(axis=0)
    if thing.kind == "domino":
        top = np.flatnonzero((axis == 2) & (p[2] > 0))
        for side, mark in zip((-1, 1), thing.marks, strict=True):
            _ink(albedo, thing, top, marks.sample(mark, 2 * p[0, top] - side, p[1, top]))
        bar = top[np.abs(p[0, top]) < 0.025]
        _ink(albedo, thing, bar, np.ones(bar.size, np.float32))
        return
    for number, mark in enumerate(thing.marks[:6]):
        k, up = number // 2, number % 2 == 0
        here = np.flatnonzero((axis == k) & ((normals[k] > 0) == up))
        if here.size:
            u, v = p[(k + 1) % 3, here], p[(k + 2) % 3, here]
            _ink(albedo, thing, here, marks.sample(mark, u, v))


def _paint_round(
    albedo: FloatArray, thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray
) -> None:
    """Rings, holes, edge stripes and marks of discs."""
    radius = solid.bound_mm[0]
    share = np.sqrt(points[0] ** 2 + points[1] ** 2) / radius
    if thing.kind == "chip":
        spoke = np.sin(np.arctan2(points[1], points[0]) * 6) > 0.4
        _ink(albedo, thing, np.flatnonzero(spoke & (share > 0.72)), 1.0)
    if thing.kind in ("coin", "button"):
        rim = np.flatnonzero((share > 0.82) & (share < 0.88))
        albedo[:, rim] *= 0.6
    if thing.marks:
        top = np.flatnonzero(normals[2] > 0.7)
        cover = marks.sample(thing.marks[0], points[0, top] / radius / 0.9, points[1, top] / radius / 0.9)
        _ink(albedo, thing, top, cover)


def _paint_cup(
    albedo: FloatArray, thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray
) -> None:
    """A cup: bands round it, and where it stands open the dark within."""
    high = thing.size_mm[1] / 2
    share = points[2] / solid.bound_mm[2]
    band = np.flatnonzero(np.abs(share - 0.6) < 0.08)
    _ink(albedo, thing, band, 0.8)
    if thing.marks:
        within = np.flatnonzero((normals[2] > 0.5) & (np.hypot(points[0], points[1]) < high - 2.5))
        depth = 0.05 + 0.25 * np.clip(np.hypot(points[0, within], points[1, within]) / high, 0, 1) ** 3
        albedo[:, within] *= depth


def _paint_facets(
    albedo: FloatArray, thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray
) -> None:
    """A numeral on every face of a polyhedral die."""
    all_normals = np.asarray(normals_of(thing.kind), np.float32)
    side = (all_normals @ points).argmax(axis=0)
    size = thing.size_mm[2] / 2 * {"d4": 1.3, "d8": 0.8, "d10": 0.75, "d12": 0.62, "d20": 0.5}[thing.kind]
    for number in np.unique(side):
        here = np.flatnonzero(side == number)
        n = all_normals[number]
        u = np.cross((0.3, 0.5, 0.8), n)
        u /= np.linalg.norm(u)
        across, up = u @ points[:, here] / size, np.cross(n, u) @ points[:, here] / size
        _ink(albedo, thing, here, marks.sample(f"#{number + 1}", across, up))


def _paint_skin(
    albedo: FloatArray, thing: Thing, solid: Solid, points: FloatArray, normals: FloatArray
) -> None:
    """Skin is redder where it is thin and mottled everywhere."""
    mottle = np.sin(points[0] * 0.5) * np.sin(points[1] * 0.6 + 1) * np.sin(points[2] * 0.7)
    albedo *= np.array([[1.0], [0.94], [0.92]], np.float32) ** (1 + 2 * mottle)
    if thing.marks:
        sleeve = np.flatnonzero(points[0] < -0.42 * thing.size_mm[0])
        _ink(albedo, thing, sleeve, 1.0)


Paint = Callable[[FloatArray, Thing, Solid, FloatArray, FloatArray], None]
_PAINT: dict[str, Paint] = {
    "cup": _paint_cup,
    "hand": _paint_skin,
    **dict.fromkeys(("disc", "button", "chip", "coin"), _paint_round),
    **dict.fromkeys(KINDS, _paint_facets),
}


def reach_mm(thing: Thing) -> list[tuple[float, float, float]]:
    """Circles (x, y, radius) on the table that together cover the thing from above."""
    x, y, _ = thing.size_mm
    axis = np.asarray(thing.turn)[:2, 0]
    wide = min(x, y) / 2 * (1.0 if thing.kind in _PAINT and thing.kind != "hand" else 1.2)
    if thing.kind in ("hand", "pen") or x > 1.3 * y:
        places = np.linspace(-(x / 2 - wide), x / 2 - wide, max(2, math.ceil(x / max(wide, 1))))
    else:
        places = np.zeros(1)
        wide = max(x, y) / 2 * (1.42 if thing.kind not in _PAINT else 1.0)
    cx, cy, _ = thing.centre_mm
    return [(cx + float(axis[0] * t), cy + float(axis[1] * t), wide) for t in places]
