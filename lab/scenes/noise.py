"""Seeded noise on a grid, the stuff that textures are made of."""

from __future__ import annotations

import cv2
import numpy as np

from lab.scenes.values import FloatArray

Shape = tuple[int, int]


def smooth(rng: np.random.Generator, shape: Shape, pitch_px: float, stretch: float = 1.0) -> FloatArray:
    """Noise of mean 0 and deviation near 1 with bumps of `pitch_px`, `stretch` times longer in x."""
    rows = int(np.clip(shape[0] / max(pitch_px, 1.0), 2, shape[0])) + 2
    columns = int(np.clip(shape[1] / max(pitch_px * stretch, 1.0), 2, shape[1])) + 2
    small = rng.standard_normal((rows, columns), dtype=np.float32)
    if (rows, columns) == (shape[0] + 2, shape[1] + 2):
        return np.asarray(small[1:-1, 1:-1], np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def fractal(
    rng: np.random.Generator, shape: Shape, pitch_px: float, octaves: int = 4, stretch: float = 1.0
) -> FloatArray:
    """Sum of `octaves` noises, each half as large and half as strong as the one before; deviation near 1."""
    total = np.zeros(shape, np.float32)
    weight, sum2 = 1.0, 0.0
    for octave in range(octaves):
        pitch = pitch_px / 2**octave
        if pitch < 1.0 and octave:
            break
        total += weight * smooth(rng, shape, pitch, stretch)
        sum2 += weight * weight
        weight *= 0.6
    return np.asarray(total / np.sqrt(sum2), np.float32)


def grains(rng: np.random.Generator, shape: Shape, pitch_px: float) -> FloatArray:
    """Noise of mean 0 and deviation 1 whose bumps, about `pitch_px` apart, follow no grid."""
    coarse = max(1.0, pitch_px / 6)  # wide bumps need no pixel of their own
    small = rng.standard_normal([int(side / coarse) + 8 for side in shape], dtype=np.float32)
    bumps = cv2.GaussianBlur(small, (0, 0), max(0.4, pitch_px / coarse / 3))
    wide = cv2.resize(bumps, (0, 0), fx=coarse, fy=coarse, interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide[: shape[0], : shape[1]] / bumps.std(), np.float32)


_MAX_STROKES, _JOINTS = 24000, 4


def strokes(
    rng: np.random.Generator,
    shape: Shape,
    count: int,
    length_px: tuple[float, float],
    width_px: float = 1.0,
    *,
    along_rad: float | None = None,
    bend: float = 0.3,
) -> FloatArray:
    """Curved strokes on a ground of 0 (height, width), each of its own shade in [-1, 1].

    They lie `along_rad`, or every way; `bend` is how far they turn from joint to joint, in radians.
    """
    count = min(count, _MAX_STROKES)
    canvas = np.full(shape, 128, np.uint8)
    turn = rng.uniform(0, 2 * np.pi, count) if along_rad is None else rng.normal(along_rad, 0.03, count)
    turns = turn[:, None] + np.cumsum(rng.normal(0, bend, (count, _JOINTS)), axis=1)
    pace = rng.uniform(*length_px, (count, 1, 1)) / _JOINTS
    paths = np.cumsum(pace * np.stack([np.cos(turns), np.sin(turns)], axis=2), axis=1)
    paths = paths - paths[:, :1] + rng.uniform((0, 0), shape[::-1], (count, 2))[:, None]
    inks = rng.integers(0, 256, count).tolist()
    for path, ink in zip(np.round(paths * 16).astype(np.int32), inks, strict=True):
        cv2.polylines(canvas, [path], False, ink, max(1, round(width_px)), cv2.LINE_AA, 4)
    return np.asarray(canvas.astype(np.float32) / 127.5 - 128 / 127.5, np.float32)


def shading(height: FloatArray, angle_rad: float) -> FloatArray:
    """Light and shade of a height map lit from `angle_rad`: the slope in that direction."""
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3) / 8
    return np.asarray(np.cos(angle_rad) * dx + np.sin(angle_rad) * dy, np.float32)
