"""Variation of crops while training: turns, flips, and what light and colour can do, quick on a CPU."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.uint8]

SHADED = 0.15
"""Share of the pictures over which a shadow's edge runs: a hand, a cup, a lamp at the side."""


def varied(images: Picture, moves: NDArray[np.int64], rng: Rng) -> Picture:
    """Pictures (n, h, h, 3), each turned by its move (see `targets.moved`), seldom shaded, recoloured."""
    turned = (_turned(image, int(move)) for image, move in zip(images, moves, strict=True))
    return np.stack([_recoloured(_shaded(i, rng) if rng.random() < SHADED else i, rng) for i in turned])


def _turned(image: Picture, move: int) -> Picture:
    image = image[:, ::-1] if move & 1 else image
    image = image[::-1] if move & 2 else image
    return image.transpose(1, 0, 2) if move & 4 else image


def _shaded(image: Picture, rng: Rng) -> Picture:
    """The picture with the shadow of something out of view over a part of it, its edge hard or soft."""
    side, way = image.shape[0], rng.uniform(0, 2 * np.pi)
    ramp = np.linspace(-1, 1, side, dtype=np.float32)
    past = np.add.outer(ramp * np.sin(way), ramp * np.cos(way)) - rng.uniform(-0.6, 0.6)
    cover = 1 / (1 + np.exp(-np.clip(past * side / 2 / rng.uniform(0.3, 4), -30, 30)))
    return np.asarray(image * (1 - cover * rng.uniform(0.25, 0.85))[..., None], np.uint8)


def _recoloured(image: Picture, rng: Rng) -> Picture:
    mixed = cv2.transform(np.ascontiguousarray(image), _mixing(rng))
    return np.asarray(cv2.LUT(mixed, _curve(rng)), np.uint8)


def _mixing(rng: Rng) -> NDArray[np.float32]:
    """A 3x3 matrix: grey, shuffled channels, or a slight mix."""
    kind = rng.random()
    if kind < 0.2:
        return np.tile(np.array([0.114, 0.587, 0.299], np.float32), (3, 1))
    order = rng.permutation(3) if kind < 0.4 else np.arange(3)
    return np.eye(3, dtype=np.float32)[order] + rng.normal(0, 0.06, (3, 3)).astype(np.float32)


def _curve(rng: Rng) -> Picture:
    """A table (1, 256, 3) of gamma, gain, tint, offset, and now and then an inversion."""
    ramp = np.linspace(0, 1, 256, dtype=np.float32)[None, :, None]
    ramp = 1 - ramp if rng.random() < 0.12 else ramp
    gain = np.exp(rng.uniform(-0.6, 0.25) + rng.normal(0, 0.08, 3))
    curve = ramp ** np.exp(rng.uniform(-0.5, 0.5)) * gain + rng.uniform(-0.1, 0.12)
    return np.asarray(np.clip(curve, 0, 1) * 255, np.uint8)
