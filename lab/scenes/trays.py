"""Trays and boxes: floor, walls and rim of a polygon round the dice."""

from __future__ import annotations

import cv2
import numpy as np

from lab.scenes.colours import linear
from lab.scenes.light import irradiance
from lab.scenes.space import Eye
from lab.scenes.values import FloatArray, Scene, Tray

_SHIFT = 4


def rings(tray: Tray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Corners (n, 3) of the floor, of the wall's top, of the rim's outer edge and of its foot."""
    floor = np.asarray(tray.floor_mm, float)
    radius = np.linalg.norm(floor, axis=1, keepdims=True)
    top = floor * (1 + tray.flare_mm / radius)
    outer = floor * (1 + (tray.flare_mm + tray.rim_mm) / radius)
    return _at(floor, 0), _at(top, tray.height_mm), _at(outer, tray.height_mm), _at(outer, 0)


def wall_hulls(tray: Tray) -> list[FloatArray]:
    """The walls as pieces (n, 3) whose convex hulls throw shadow; away from the floor they lie on."""
    floor, top, outer, foot = rings(tray)
    pieces = []
    for k in range(len(floor)):
        pair = [k, (k + 1) % len(floor)]
        pieces.append(np.concatenate([(floor[pair] + foot[pair]) / 2, top[pair], outer[pair]]))
    return [np.asarray(p, np.float32) for p in pieces]


def draw_outside(albedo: FloatArray, tray: Tray, eye: Eye, outside: FloatArray) -> FloatArray:
    """The floor's albedo within the tray, the other table's around it."""
    floor, _, _, _ = rings(tray)
    inside = _mask([_pixels(eye, floor)], albedo.shape[:2])[..., None]
    return np.asarray(outside + (albedo - outside) * inside, np.float32)


def draw_walls(light: FloatArray, scene: Scene, eye: Eye) -> FloatArray:
    """Walls turned towards the camera and the outside of the others, before the dice are drawn."""
    tray = scene.tray
    assert tray is not None
    floor, top, outer, foot = rings(tray)
    count = len(floor)
    for k in range(count):
        pair = [k, (k + 1) % count]
        inner = np.concatenate([floor[pair], top[pair][::-1]])
        if _faces(inner, eye, -floor[pair].mean(axis=0)):
            _paint_wall(light, inner, tray.wall_rgb, scene, eye, -floor[pair].mean(axis=0))
        outward = np.concatenate([foot[pair], outer[pair][::-1]])
        if _faces(outward, eye, floor[pair].mean(axis=0)):
            _paint_wall(light, outward, tray.rim_rgb, scene, eye, floor[pair].mean(axis=0))
    for quad in _rim_quads(top, outer):
        _paint_wall(light, quad, tray.rim_rgb, scene, eye, np.array([0, 0, 1.0]))
    return light


def hiding(tray: Tray, eye: Eye) -> FloatArray:
    """Coverage (height, width) of the walls that stand between the camera and the floor, with their rim."""
    floor, top, outer, foot = rings(tray)
    count, quads = len(floor), []
    for k in range(count):
        pair = [k, (k + 1) % count]
        inner = np.concatenate([floor[pair], top[pair][::-1]])
        if not _faces(inner, eye, -floor[pair].mean(axis=0)):
            quads.append(inner)
            quads.append(np.concatenate([top[pair], outer[pair][::-1]]))
            quads.append(np.concatenate([foot[pair], outer[pair][::-1]]))
    return _mask([_pixels(eye, q) for q in quads], (eye.height_px, eye.width_px))


def _rim_quads(top: FloatArray, outer: FloatArray) -> list[FloatArray]:
    pairs = [[k, (k + 1) % len(top)] for k in range(len(top))]
    return [np.concatenate([top[p], outer[p][::-1]]) for p in pairs]


def _paint_wall(
    light: FloatArray,
    quad: FloatArray,
    rgb: tuple[float, float, float],
    scene: Scene,
    eye: Eye,
    towards: FloatArray,
) -> None:
    """Fill one flat piece with its colour in the scene's light; `towards` is the side its normal looks to."""
    middle = np.asarray(quad.mean(axis=0), np.float32)[:, None]
    normal = _normal(quad, towards)
    total = np.asarray(scene.ambient, np.float32) * (0.55 + 0.35 * float(normal[2]))
    for lamp in scene.lights:
        to, _, strength = irradiance(lamp, middle)
        total = total + np.asarray(lamp.power, np.float32) * max(0.0, float(normal @ to[:, 0])) * float(
            strength[0]
        )
    colour = linear(rgb) * total
    corners = np.round(_pixels(eye, quad) * (1 << _SHIFT)).astype(np.int32)
    if np.abs(corners).max() < 1 << 20:
        cv2.fillConvexPoly(light, corners, [float(c) for c in colour], cv2.LINE_8, _SHIFT)


def _faces(quad: FloatArray, eye: Eye, towards: FloatArray) -> bool:
    return bool(_normal(quad, towards) @ (eye.place_mm - quad.mean(axis=0)) > 0)


def _normal(quad: FloatArray, towards: FloatArray) -> FloatArray:
    n = np.cross(quad[1] - quad[0], quad[2] - quad[1])
    n = n / max(float(np.linalg.norm(n)), 1e-9)
    return np.asarray(n if n @ towards >= 0 else -n)


def _mask(polygons: list[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    mask = np.zeros(shape[:2], np.uint8)
    for polygon in polygons:
        corners = np.round(np.clip(polygon, -20000, 20000) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA, _SHIFT)
    return np.asarray(mask.astype(np.float32) / 255, np.float32)


def _pixels(eye: Eye, points: FloatArray) -> FloatArray:
    return np.asarray(eye.project(points), np.float32)


def _at(flat: FloatArray, height: float) -> FloatArray:
    return np.column_stack([flat, np.full(len(flat), height)])
