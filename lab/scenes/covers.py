"""What tables are covered with, painted from above: materials, patterns printed on them, and what lies about.

Each painter fills a canvas of linear light (height, width, 3), order red, green, blue.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from lab.scenes.colours import linear, mixed, shaded, times
from lab.scenes.materials import axes, carpet, felt, leather, plain, stone, weave, wood
from lab.scenes.noise import Shape, fractal, smooth, strokes
from lab.scenes.values import Cover, FloatArray

Rng = np.random.Generator
Painter = Callable[[Cover, Rng, Shape, float], FloatArray]


def paint(cover: Cover, shape: Shape, mm_per_px: float) -> FloatArray:
    """The cover as linear albedo (height, width, 3), `mm_per_px` millimetres to a pixel."""
    rng = np.random.default_rng(cover.seed)
    canvas = PAINTERS[cover.kind](cover, rng, shape, mm_per_px)
    stains = 1 + 0.05 * cover.contrast * fractal(rng, shape, 120 / mm_per_px, 2)
    canvas = littered(times(canvas, stains), rng, mm_per_px, cover.litter)
    return np.asarray(np.clip(canvas, 0.004, 0.95), np.float32)


def littered(canvas: FloatArray, rng: Rng, mm_per_px: float, much: float) -> FloatArray:
    """The cover with what lies about, `much` in [0, 1]: dark and pale crumbs, dust, lint and hairs."""
    shape = canvas.shape[:2]
    for shade, share in ((0.04, 0.5), (0.5, 0.4)):
        specks = np.maximum(_dust(rng, shape, mm_per_px, much), _hairs(rng, shape, mm_per_px, much))
        cover = share * cv2.GaussianBlur(specks, (5, 5), 0.8)[..., None]
        canvas = np.asarray(canvas + (shade - canvas) * cover, np.float32)
    return canvas


def _dust(rng: Rng, shape: Shape, mm_per_px: float, much: float) -> FloatArray:
    """Specks (height, width) in [0, 1], smaller than any pip."""
    count = int(min(3000, 0.1 * much * _area_cm2(shape, mm_per_px)))
    dust = np.zeros(shape, np.uint8)
    for x, y, size in rng.uniform(0, 1, (count, 3)):
        radius = max(0.4, (0.1 + 0.3 * size**3) / mm_per_px)
        at = (int(x * shape[1] * 16), int(y * shape[0] * 16))
        cv2.circle(dust, at, int(radius * 16), int(90 + 165 * size), -1, cv2.LINE_AA, 4)
    return np.asarray(dust / np.float32(255), np.float32)


def _hairs(rng: Rng, shape: Shape, mm_per_px: float, much: float) -> FloatArray:
    """Hairs and lint (height, width) in [0, 0.5], thinner than a pixel as a rule."""
    count = int(min(400, 0.01 * much * _area_cm2(shape, mm_per_px)))
    lines = strokes(rng, shape, count, (3 / mm_per_px, 15 / mm_per_px), bend=0.6)
    return np.asarray(np.minimum(0.25 * np.abs(lines), 0.5), np.float32)


def _area_cm2(shape: Shape, mm_per_px: float) -> float:
    return shape[0] * shape[1] * mm_per_px**2 / 100


def _paper(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Paper with a grid of lines in the second colour."""
    x, y = axes(cover, shape, mm_per_px)
    half = 0.5 * max(0.25, mm_per_px) / cover.pitch_mm
    near = np.minimum(np.abs((x % 1) - 0.5), np.abs((y % 1) - 0.5))
    line = np.clip(1.5 - near / half, 0, 1) * 0.7 * cover.contrast
    return shaded(mixed(cover.rgb, cover.second_rgb, line), 0.015 * smooth(rng, shape, 1.2))


def _dots(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Polka dots, or the holes of a mesh: the pattern that looks most like pips."""
    x, y = axes(cover, shape, mm_per_px)
    x = x + 0.5 * (np.floor(y) % 2) * (cover.seed % 2)
    radius = 0.14 + 0.24 * ((cover.seed // 2) % 7) / 6
    away = np.sqrt((x % 1 - 0.5) ** 2 + (y % 1 - 0.5) ** 2)
    step = mm_per_px / cover.pitch_mm
    return shaded(
        mixed(cover.rgb, cover.second_rgb, (radius - away) / step + 0.5), 0.05 * smooth(rng, shape, 1.5)
    )


def _stripes(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Stripes or checks of cloth."""
    x, y = axes(cover, shape, mm_per_px)
    a = (np.sin(2 * np.pi * x) > 0).astype(np.float32)
    b = (np.sin(2 * np.pi * y) > 0).astype(np.float32)
    share = a if cover.seed % 2 else 0.5 * (a + b)
    share = cv2.GaussianBlur(share, (3, 3), 0.8) * min(1.0, cover.contrast)
    return shaded(mixed(cover.rgb, cover.second_rgb, share), 0.10 * smooth(rng, shape, 0.8 / mm_per_px))


def _print(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """A printed cloth or oilcloth: leaves, rings, discs and stars strewn in several colours."""
    ground = np.uint8(np.clip(np.array(cover.rgb) * 255, 0, 255))
    canvas = np.empty((*shape, 3), np.uint8)
    canvas[:] = ground
    pitch = cover.pitch_mm / mm_per_px
    inks = [np.array(cover.second_rgb) * 255, rng.uniform(20, 250, 3), rng.uniform(20, 250, 3)]
    count = int(min(900, 1.6 * shape[0] * shape[1] / pitch**2))
    for x, y, kind in zip(*rng.uniform(0, 1, (2, count)), rng.integers(0, 4, count), strict=True):
        at = (int(x * shape[1]), int(y * shape[0]))
        ink = tuple(float(v) for v in inks[rng.integers(3)])
        size = float(pitch * rng.uniform(0.1, 0.45))
        _motif(canvas, int(kind), at, size, float(rng.uniform(0, 360)), ink)
    light = np.power(canvas.astype(np.float32) / 255, 2.2)
    return shaded(light, 0.06 * smooth(rng, shape, 0.8 / mm_per_px))


def _motif(
    canvas: np.ndarray, kind: int, at: tuple[int, int], size: float, angle: float, ink: tuple[float, ...]
) -> None:
    """One leaf (0), ring (1), disc (2) or flower (3) of `size` pixels."""
    if kind == 0:
        cv2.ellipse(
            canvas, at, (max(1, int(size)), max(1, int(size / 3))), angle, 0, 360, ink, -1, cv2.LINE_AA
        )
    elif kind == 1:
        cv2.circle(canvas, at, max(1, int(size)), ink, max(1, int(size / 4)), cv2.LINE_AA)
    elif kind == 2:
        cv2.circle(canvas, at, max(1, int(size / 2)), ink, -1, cv2.LINE_AA)
    else:
        for k in range(5):
            turn = np.radians(angle + 72 * k)
            petal = (at[0] + int(size * 0.6 * np.cos(turn)), at[1] + int(size * 0.6 * np.sin(turn)))
            cv2.circle(canvas, petal, max(1, int(size * 0.35)), ink, -1, cv2.LINE_AA)


def _tiles(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """A game board or floor: hexagons of several colours with grout between and a numbered disc on some."""
    x, y = axes(cover, shape, mm_per_px)
    row = np.floor(y / 0.866)
    shift = x - 0.5 * (row % 2)
    column, u, v = np.floor(shift), shift % 1 - 0.5, (y / 0.866) % 1 - 0.5
    inks = np.stack(
        [linear(cover.rgb), linear(cover.second_rgb), *np.power(rng.uniform(0.1, 0.9, (3, 3)), 2.2)]
    )
    which = (np.abs(np.sin(column * 12.9898 + row * 78.233 + cover.seed % 31) * 43758.5) % 1 * 5).astype(int)
    canvas = np.asarray(inks.astype(np.float32)[np.clip(which, 0, 4)], np.float32)
    grout = np.maximum(np.abs(u), np.abs(v)) > 0.5 - 0.6 * max(mm_per_px, 0.8) / cover.pitch_mm
    canvas[grout] *= 0.45
    disc = (np.hypot(u, v) < 0.16) & (which % 2 == 0) & (cover.seed % 2 == 0)
    canvas[disc] = 0.75
    canvas[disc & (np.abs(u) < 0.02 + 0.04 * (cover.seed // 2 % 2)) & (np.abs(v) < 0.06)] = 0.05
    return shaded(canvas, 0.12 * cover.contrast * fractal(rng, shape, 3 / mm_per_px, 3))


PAINTERS: dict[str, Painter] = {
    "plain": plain,
    "wood": wood,
    "weave": weave,
    "felt": felt,
    "leather": leather,
    "carpet": carpet,
    "paper": _paper,
    "dots": _dots,
    "stripes": _stripes,
    "print": _print,
    "stone": stone,
    "tiles": _tiles,
}
