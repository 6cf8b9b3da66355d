"""Seeded noise on a grid, the stuff that textures are made of."""

from __future__ import annotations

import cv2
import numpy as np

from vision.scenes.values import FloatArray

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


def relief(height: FloatArray, angle_rad: float) -> FloatArray:
    """Light and shade of a height map lit from `angle_rad`: the slope in that direction."""
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3) / 8
    return np.asarray(np.cos(angle_rad) * dx + np.sin(angle_rad) * dy, np.float32)
