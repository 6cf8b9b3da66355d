"""Grounds for painted crops: cloth, wood, paper, dots, gradients, drawn from noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Rng = np.random.Generator


def whole(points: NDArray[Any]) -> NDArray[np.int32]:
    """Points as OpenCV's drawing wants them."""
    return np.asarray(points).astype(np.int32)


def ground(rng: Rng, side_px: int) -> Image:
    """A ground of `side_px` squared, BGR float in 0 to 255, of a kind, colour and light drawn by `rng`."""
    kinds: list[Callable[[Rng, int], Image]] = [_plain, _cloth, _wood, _waves, _dots, _checks, tufts, woven]
    kind = kinds[int(rng.choice(len(kinds), p=[0.26, 0.19, 0.17, 0.08, 0.08, 0.07, 0.08, 0.07]))]
    return np.asarray(np.clip(kind(rng, side_px) * _light(rng, side_px)[..., None], 0, 255), np.float32)


def colour(rng: Rng) -> Image:
    """A colour as surfaces have it: greys, saturated ones, and everything between."""
    hue, value = rng.uniform(0, 180), 255 * rng.beta(1.2, 1.2)
    saturation = 255 * rng.choice([0.03, rng.uniform(0, 0.4), rng.uniform(0.4, 1)])
    hsv = np.array([[[hue, saturation, value]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def noise(rng: Rng, side_px: int, cell_px: float, stretch: float = 1.0) -> Image:
    """Smooth noise of unit deviation with blobs of about `cell_px`, `stretch` times longer one way."""
    rows, cols = max(2, round(side_px / cell_px)), max(2, round(side_px / cell_px / stretch))
    small = rng.standard_normal((rows, cols)).astype(np.float32)
    return np.asarray(cv2.resize(small, (side_px, side_px), interpolation=cv2.INTER_CUBIC), np.float32)


def _turned(rng: Rng, image: Image) -> Image:
    side = image.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), rng.uniform(1.0, 1.4))
    return np.asarray(cv2.warpAffine(image, matrix, (side, side), borderMode=cv2.BORDER_REFLECT), np.float32)


def _light(rng: Rng, side: int) -> Image:
    ramp = np.linspace(-1, 1, side, dtype=np.float32)
    slope = rng.normal(0, 0.15, 2).astype(np.float32)
    return np.asarray(np.clip(1 + slope[0] * ramp[None, :] + slope[1] * ramp[:, None], 0.2, 2), np.float32)


def _plain(rng: Rng, side: int) -> Image:
    rough = noise(rng, side, rng.uniform(2, 60))[..., None] * rng.uniform(0, 8)
    return np.asarray(colour(rng) + rough, np.float32)


def _cloth(rng: Rng, side: int) -> Image:
    fine, coarse = noise(rng, side, rng.uniform(2, 5)), noise(rng, side, rng.uniform(5, 30))
    return np.asarray(
        colour(rng) + (fine * rng.uniform(3, 25) + coarse * rng.uniform(0, 15))[..., None], np.float32
    )


def tufts(rng: Rng, side_px: int) -> Image:
    """Carpet, fur, gravel, bark seen from near: lumps of all sizes with light and shade between them."""
    cell, heights = rng.uniform(6, 45), np.zeros((side_px, side_px), np.float32)
    for octave in range(4):
        lumps = noise(rng, side_px, max(1.5, cell / 2**octave), rng.uniform(1, 2.5))
        heights += (np.abs(lumps) if rng.random() < 0.6 else lumps) * rng.uniform(0.4, 0.8) ** octave
    lit = cv2.filter2D(heights, -1, np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32))
    depth = heights * rng.uniform(3, 30) + lit * rng.uniform(0, 30)
    return _turned(rng, np.asarray(colour(rng) + depth[..., None], np.float32))


def _wood(rng: Rng, side: int) -> Image:
    grain = noise(rng, side, rng.uniform(3, 12), rng.uniform(6, 30))
    rings = np.sin(noise(rng, side, rng.uniform(20, 80), 8) * rng.uniform(2, 8))
    first, second = colour(rng), colour(rng)
    mix = np.clip(0.5 + 0.25 * grain * rng.uniform(0, 1) + 0.25 * rings, 0, 1)[..., None]
    depth = rng.uniform(0.1, 0.5)
    return _turned(rng, np.asarray(first * (1 - mix * depth) + second * mix * depth, np.float32))


def _waves(rng: Rng, side: int) -> Image:
    """Fine cloth: light and shade in two directions, without single threads."""
    ramp = np.arange(side, dtype=np.float32)
    pitch = rng.uniform(4, 16, 2)
    threads = np.sin(ramp[None, :] * 2 * np.pi / pitch[0]) * np.sin(ramp[:, None] * 2 * np.pi / pitch[1])
    rough = noise(rng, side, 3) * rng.uniform(0, 10)
    return _turned(
        rng, np.asarray(colour(rng) + (threads * rng.uniform(5, 50) + rough)[..., None], np.float32)
    )


def woven(rng: Rng, side_px: int) -> Image:
    """Coarse cloth of two threads: one or the other lies on top, mostly in order. Seen from near, what stands
    out makes small faces of all kinds."""
    pitch = np.exp(rng.uniform(np.log(4), np.log(22))) * np.exp(rng.normal(0, 0.15, 2))
    at = [np.arange(side_px * 1.0) / p for p in pitch]
    row, column = (np.floor(a).astype(int) for a in at)
    shape = (row[-1] + 1, column[-1] + 1)
    order = int(rng.integers(2, 5))
    over = (np.add.outer(np.arange(shape[0]) * int(rng.integers(1, 3)), np.arange(shape[1])) % order) == 0
    over ^= rng.random(shape) < rng.uniform(0, 0.25)
    bump = np.minimum.outer(*(np.sin(np.pi * (a % 1)) ** rng.uniform(0.3, 1.5) for a in at))
    light = (rng.normal(1, rng.uniform(0, 0.25), shape))[np.ix_(row, column)] * (0.3 + 0.7 * bump)
    upper, lower = colour(rng), colour(rng) * rng.uniform(0.1, 0.8)
    threads = np.where(over[np.ix_(row, column)][..., None], upper, lower) * light[..., None]
    return _turned(rng, np.asarray(cv2.GaussianBlur(threads, (0, 0), rng.uniform(0.5, 2)), np.float32))


def _dots(rng: Rng, side: int) -> Image:
    image = np.empty((side, side, 3), np.float32)
    image[:] = colour(rng)
    pitch, radius, dot = rng.uniform(10, 60), rng.uniform(0.1, 0.35), colour(rng)
    shift = pitch / 2 * rng.integers(0, 2)
    for row in range(int(side / pitch) + 2):
        for col in range(int(side / pitch) + 2):
            at = (int(col * pitch + shift * (row % 2)), int(row * pitch))
            if rng.random() < 0.95:
                cv2.circle(image, at, max(1, int(radius * pitch)), dot.tolist(), -1, cv2.LINE_AA)
    return _turned(rng, image)


def _checks(rng: Rng, side: int) -> Image:
    pitch, depth = rng.uniform(12, 90), rng.uniform(0.1, 1)
    ramp = np.arange(side, dtype=np.float32)
    odd = ((ramp[None, :] // pitch) + (ramp[:, None] // pitch)) % 2
    lines = (np.minimum(ramp % pitch, pitch - ramp % pitch) < rng.uniform(0.5, 3)).astype(np.float32)
    grid = np.maximum(lines[None, :], lines[:, None])
    mask = (odd if rng.random() < 0.5 else grid)[..., None] * depth
    return _turned(rng, np.asarray(colour(rng) * (1 - mask) + colour(rng) * mask, np.float32))
