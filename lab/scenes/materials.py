"""Materials that tables are made of or covered with: wood, cloth, leather, carpet, stone, paint.

Each paints a canvas of linear light (height, width, 3), order red, green, blue.
"""

from __future__ import annotations

import cv2
import numpy as np

from lab.scenes.colours import mixed, shaded
from lab.scenes.noise import Shape, fractal, grains, shading, smooth, strokes
from lab.scenes.values import Cover, FloatArray

Rng = np.random.Generator


def axes(cover: Cover, shape: Shape, mm_per_px: float) -> tuple[FloatArray, FloatArray]:
    """Coordinates in units of the pitch, turned by the cover's angle, each of `shape`."""
    scale = mm_per_px / cover.pitch_mm
    c, s = scale * np.cos(np.radians(cover.angle_deg)), scale * np.sin(np.radians(cover.angle_deg))
    x, y = np.arange(shape[1], dtype=np.float32)[None], np.arange(shape[0], dtype=np.float32)[:, None]
    return np.asarray(c * x + s * y, np.float32), np.asarray(c * y - s * x, np.float32)


def plain(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Painted board, plastic, a white table: nearly even, wiped and scratched a little."""
    peel = grains(rng, shape, 1.5 / mm_per_px)
    wiped = fractal(rng, shape, 40 / mm_per_px, 3)
    area = shape[0] * shape[1] * mm_per_px**2
    scratches = strokes(rng, shape, int(area / 900), (8 / mm_per_px, 60 / mm_per_px), bend=0.03)
    shade = 0.02 * peel + 0.05 * wiped + 0.08 * scratches
    return shaded(mixed(cover.rgb, cover.rgb, np.zeros(shape, np.float32)), cover.contrast * shade)


def wood(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Boards along x: rings cut lengthwise that darken slowly and end at once, pores as short dark dashes."""
    board, joint = _boards(cover, rng, shape, mm_per_px)
    y = np.arange(shape[0], dtype=np.float32)[:, None] * np.float32(mm_per_px)
    bend = fractal(rng, shape, 45 / mm_per_px, 3, stretch=7.0)
    phase = y / cover.pitch_mm + 1.3 * bend + 0.25 * smooth(rng, shape, 2 / mm_per_px, 60) + 7.3 * board
    late = (phase % 1) ** 2 * np.clip((1 - phase % 1) * 6, 0, 1)
    pores = _pores(rng, shape, mm_per_px)
    fine, coarse = (smooth(rng, shape, max(1.0, mm / mm_per_px), long) for mm, long in ((0.3, 30), (0.9, 25)))
    fibres = fine + coarse
    share = 0.25 + cover.contrast * (0.55 * late + 0.10 * bend + 0.09 * fibres)
    tone = 0.12 * np.sin(board * 12.9898 + cover.seed % 97)
    shade = tone - 0.5 * joint + cover.contrast * (0.04 * fibres - (0.4 + 0.5 * late) * pores)
    return mixed(cover.rgb, cover.second_rgb, share, shade)


def _boards(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> tuple[FloatArray, FloatArray]:
    """Number of the board and depth of the joint in [0, 1], each (height, 1); often there is only one."""
    y = np.arange(shape[0], dtype=np.float32)[:, None] * np.float32(mm_per_px)
    if rng.uniform() < 0.5:
        return np.zeros_like(y), np.zeros_like(y)
    wide, shift = float(rng.uniform(45, 140)), float(rng.uniform(0, 1))
    place = y / np.float32(wide) + np.float32(shift)
    joint = np.clip(1 - np.minimum(place % 1, 1 - place % 1) * wide / 0.5, 0, 1)
    return np.asarray(np.floor(place), np.float32), np.asarray(joint, np.float32)


def _pores(rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Vessels cut open: dashes in [0, 1] along x."""
    area = shape[0] * shape[1] * mm_per_px**2
    count, width = int(area * rng.uniform(0.15, 0.9)), max(1.0, 0.18 / mm_per_px)
    dashes = strokes(rng, shape, count, (1 / mm_per_px, 7 / mm_per_px), width, along_rad=0.0, bend=0.02)
    return np.asarray(cv2.GaussianBlur(np.abs(dashes), (3, 3), 0.5), np.float32)


def weave(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Threads over and under one another, as in linen, canvas, upholstery: no two as thick or as dark."""
    x, y = axes(cover, shape, mm_per_px)
    pitch = cover.pitch_mm / mm_per_px
    x = x + 0.15 * grains(rng, shape, 2.5 * pitch) + 0.5 * grains(rng, shape, 15 * pitch)
    y = y + 0.15 * grains(rng, shape, 2.5 * pitch) + 0.5 * grains(rng, shape, 15 * pitch)
    over = np.sin(np.pi * x) * np.sin(np.pi * y)
    thread = np.where(over > 0, np.abs(np.sin(np.pi * y)), np.abs(np.sin(np.pi * x)))
    own = np.where(over > 0, _of_its_own(y, rng), _of_its_own(x, rng))
    tone = 0.5 + 0.5 * np.clip(over * 4, -1, 1) + 0.35 * own + 0.25 * grains(rng, shape, 0.7 * pitch)
    fluff = _fluff(rng, shape, mm_per_px, 0.15)
    shade = 0.5 * (thread - 0.75) + 0.15 * own + 0.15 * fluff
    return mixed(cover.rgb, cover.second_rgb, tone * cover.contrast, cover.contrast * shade)


def _of_its_own(place: FloatArray, rng: Rng) -> FloatArray:
    """A number around 0 with deviation 1 for each whole step of `place`."""
    own = rng.normal(0, 1, 509).astype(np.float32)
    return np.asarray(own[np.floor(place).astype(int) % 509], np.float32)


def _fluff(rng: Rng, shape: Shape, mm_per_px: float, per_mm2: float) -> FloatArray:
    """Fine fibres lying every way, around 0."""
    count = int(per_mm2 * shape[0] * shape[1] * mm_per_px**2)
    hairs = strokes(rng, shape, count, (1 / mm_per_px, 4 / mm_per_px), bend=0.5)
    return np.asarray(cv2.GaussianBlur(hairs, (3, 3), 0.5), np.float32)


def felt(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Fibres pressed together; also cloth seen from afar."""
    clouds = 0.5 * grains(rng, shape, 0.8 / mm_per_px) + 0.5 * fractal(rng, shape, 5 / mm_per_px, 3)
    shade = 0.09 * clouds + 0.22 * _fluff(rng, shape, mm_per_px, 0.9)
    return mixed(cover.rgb, cover.second_rgb, 0.15 + 0.08 * clouds, cover.contrast * shade)


def leather(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Grain between creases that wind and cross, lit from one side."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.5)
    creases = [
        np.exp(-((grains(rng, shape, size * pitch) / width) ** 2))
        for size, width in ((1.9, 0.2), (1.2, 0.25), (0.9, 0.3))
    ]
    crease = np.maximum(np.maximum(creases[0], 0.8 * creases[1]), 0.6 * creases[2]).astype(np.float32)
    height = cv2.GaussianBlur(1 - crease, (0, 0), max(0.6, pitch / 6)) + 0.1 * grains(rng, shape, pitch / 3)
    light = shading(height * min(pitch, 6), np.radians(cover.angle_deg))
    worn = fractal(rng, shape, 25 / mm_per_px, 3)
    shade = 0.9 * light - 0.25 * crease + 0.06 * worn + 0.1
    return mixed(cover.rgb, cover.second_rgb, 0.1 + 0.05 * worn, cover.contrast * shade)


def carpet(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """A pile of fibres in tufts, each with its own shade, dark where one looks down between them."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.2)
    yarn_px = max(1.0, 0.25 / mm_per_px)
    count = int(2 * shape[0] * shape[1] / (pitch * yarn_px))
    yarn = strokes(rng, shape, count, (0.4 * pitch, 1.0 * pitch), yarn_px, bend=0.7)
    yarn = cv2.GaussianBlur(yarn, (3, 3), 0.6) + 0.3 * grains(rng, shape, max(1.0, pitch / 4))
    away = _from_tufts(rng, shape, pitch)
    dome, gap = 1 - 1.5 * away * away, np.clip((away - 0.45) * 2.5, 0, 1)
    light = shading((dome + 0.4 * yarn) * min(pitch, 5), np.radians(cover.angle_deg))
    shade = 0.2 * yarn + 0.22 * light - 0.35 * gap + 0.05 * grains(rng, shape, 5 * pitch) + 0.08
    share = 0.3 + 0.08 * grains(rng, shape, 1.5 * pitch) + 0.15 * yarn
    return mixed(cover.rgb, cover.second_rgb, share, cover.contrast * shade)


def _from_tufts(rng: Rng, shape: Shape, pitch_px: float) -> FloatArray:
    """Distance (height, width) from the nearest of many points strewn at random, in pitches."""
    rows, columns = (int(side / pitch_px) + 3 for side in shape)
    middles = np.moveaxis(np.mgrid[:rows, :columns], 0, -1) + rng.normal(0, 0.35, (rows, columns, 2)) - 0.5
    ground = np.ones(shape, np.uint8)
    y, x = (np.clip(middles[..., k] * pitch_px, 0, shape[k] - 1).astype(int) for k in (0, 1))
    ground[y, x] = 0
    away = cv2.distanceTransform(ground, cv2.DIST_L2, 5) / np.float32(pitch_px)
    ragged = 0.1 * grains(rng, shape, max(1.0, pitch_px / 3))
    return np.asarray(np.clip(away + ragged, 0, 1), np.float32)


def stone(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Granite, terrazzo, laminate: chips of many sizes and shades with sharp edges on a clouded ground."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.2)
    share = 0.25 + 0.08 * fractal(rng, shape, 60 / mm_per_px, 4)
    for size, amount in ((1.0, 0.5), (0.6, -0.25), (0.35, 0.35)):
        bumps = grains(rng, shape, 1.5 * size * pitch) + 0.5 * grains(rng, shape, max(size * pitch / 2, 1))
        share = share + amount * cover.contrast * np.clip((bumps - 1.0) * 3, 0, 1)
    return mixed(cover.rgb, cover.second_rgb, share, 0.04 * smooth(rng, shape, 1.2))
