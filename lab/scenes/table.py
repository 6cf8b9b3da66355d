"""The lit table: cover, prints and tray as the camera sees them, before anything solid stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from lab.scenes.covers import paint
from lab.scenes.light import glare, irradiance
from lab.scenes.prints import lay
from lab.scenes.room import mirrored, room
from lab.scenes.shadows import closeness, lamp_share
from lab.scenes.space import Eye
from lab.scenes.trays import draw_outside, draw_walls
from lab.scenes.values import Cover, Flat, FloatArray, Light, Scene

_GRID = 4  # smooth things are computed on every fourth pixel
_CANVAS_PX = 1600
_CONTACT = ((0.4, 1.0), (0.3, 0.35), (0.3, 0.12))  # shares of the sky taken within so many sides of a body
_UNDERCUT = (0.45, 0.2)  # and of the lamps' light, which rounded lower edges keep from the table


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """The table's linear light (height, width, 3) and its albedo, both in the picture."""

    light: FloatArray
    albedo: FloatArray


def lit_table(scene: Scene, eye: Eye, hulls: Sequence[FloatArray]) -> Lit:
    """The table with the shadows of bodies given by their hulls."""
    ground = _Grid.of(eye)
    albedo = _albedo(scene.cover, scene.flats, eye, ground)
    if scene.tray is not None:
        albedo = draw_outside(albedo, scene.tray, eye, _albedo(scene.tray.outside, (), eye, ground))
    arriving = _sky(scene, eye, hulls)
    touched = 1 - _UNDERCUT[0] * closeness(hulls, eye, _side_mm(scene) * _UNDERCUT[1])
    shine = _mirrored_room(scene, ground)
    for lamp in scene.lights:
        share = lamp_share(lamp, hulls, eye) * touched
        to, distance, strength = irradiance(lamp, ground.points)
        power = np.asarray(lamp.power, np.float32)
        arriving += _coloured(ground.wide(np.clip(to[2], 0, 1) * strength) * share, power)
        if scene.cover.gloss > 0.05:
            shine = shine + _coloured(_shine(scene, lamp, ground, to, distance) * share, power)
    light = np.asarray(cv2.multiply(albedo, arriving) + shine, np.float32)
    if scene.tray is not None:
        light = draw_walls(light, scene, eye)
    return Lit(light, albedo)


def _coloured(share: FloatArray, power: FloatArray) -> FloatArray:
    """The share (height, width) of a light of three powers, (height, width, 3)."""
    return np.asarray(cv2.merge([share * p for p in power]), np.float32)


def _sky(scene: Scene, eye: Eye, hulls: Sequence[FloatArray]) -> FloatArray:
    """Ambient light (height, width, 3) that reaches the table between the bodies."""
    side_mm = _side_mm(scene)
    taken = sum(share * closeness(hulls, eye, side_mm * reach) for share, reach in _CONTACT)
    return _coloured(np.asarray(1 - taken, np.float32), np.asarray(scene.ambient, np.float32))


def _side_mm(scene: Scene) -> float:
    return max((d.make.side_mm for d in scene.dice), default=16.0)


def _shine(scene: Scene, lamp: Light, ground: _Grid, to: FloatArray, distance: FloatArray) -> FloatArray:
    """What a varnished table mirrors of a lamp (height, width), without its colour."""
    mirror, rough, fresnel = _varnish(scene.cover, ground)
    shine = fresnel * np.minimum(glare(lamp, mirror, to, distance, rough), 12) * np.clip(to[2], 0, 1)
    return ground.wide(scene.cover.gloss * shine)


def _mirrored_room(scene: Scene, ground: _Grid) -> FloatArray:
    """What a varnished table mirrors of the room (height, width, 3)."""
    mirror, rough, fresnel = _varnish(scene.cover, ground)
    shine = scene.cover.gloss * fresnel * mirrored(room(scene.seed), mirror, rough)
    return _coloured(ground.wide(shine), np.asarray(scene.ambient, np.float32))


def _varnish(cover: Cover, ground: _Grid) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where the table mirrors from (3, n), how rough (n,), and Fresnel's factor (n,)."""
    mirror = ground.rays * np.array([[1], [1], [-1]], np.float32)
    rough = np.full(mirror.shape[1], 0.5 - 0.42 * cover.gloss, np.float32)
    fresnel = 0.04 + 0.6 * (1 - np.clip(mirror[2], 0, 1)) ** 5
    return mirror, rough, fresnel


def _albedo(cover: Cover, flats: tuple[Flat, ...], eye: Eye, ground: _Grid) -> FloatArray:
    """The cover painted on a canvas in millimetres and seen through the camera."""
    low, high = ground.points[:2].min(axis=1), ground.points[:2].max(axis=1)
    reach = 2.2 * eye.place_mm[2] + 40  # a strongly tilted camera sees far: beyond that the edge is repeated
    low, high = np.maximum(low, eye.place_mm[:2] - reach), np.minimum(high, eye.place_mm[:2] + reach)
    size = np.maximum(high - low, 1.0)
    mm_per_px = max(float(size.max()) / _CANVAS_PX, 1.0 / eye.scale_at(np.zeros(3)))
    shape = (int(size[1] / mm_per_px) + 2, int(size[0] / mm_per_px) + 2)
    canvas = paint(cover, shape, mm_per_px)
    for flat in flats:
        lay(canvas, flat, (float(low[0]), float(low[1])), mm_per_px)
    x = ground.wide((ground.points[0] - low[0]) / mm_per_px)
    y = ground.wide((ground.points[1] - low[1]) / mm_per_px)
    return np.asarray(cv2.remap(canvas, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Points of the table (3, n) and rays (3, n) behind a coarse grid of pixels with one cell to spare."""

    points: FloatArray
    rays: FloatArray
    rows: int
    columns: int
    width_px: int
    height_px: int

    @classmethod
    def of(cls, eye: Eye) -> _Grid:
        rows, columns = -(-eye.height_px // _GRID) + 2, -(-eye.width_px // _GRID) + 2
        x = (np.arange(columns, dtype=np.float32) - 0.5) * _GRID - 0.5
        y = (np.arange(rows, dtype=np.float32) - 0.5) * _GRID - 0.5
        xs, ys = np.meshgrid(x, y)
        flat = eye.on_table(xs, ys)
        points = np.concatenate([flat, np.zeros((1, flat.shape[1]), np.float32)])
        return cls(points, eye.rays(xs, ys), rows, columns, eye.width_px, eye.height_px)

    def wide(self, values: FloatArray) -> FloatArray:
        """Values (n,) of the grid at every pixel (height, width)."""
        size = (self.columns * _GRID, self.rows * _GRID)
        coarse = np.asarray(values, np.float32).reshape(self.rows, self.columns)
        full = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(full[_GRID : _GRID + self.height_px, _GRID : _GRID + self.width_px], np.float32)
