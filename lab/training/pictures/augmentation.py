"""What cameras do to a picture: blur, noise, JPEG, flat contrast. Colours are varied while training."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pictures.textures import Image, Rng

Picture = NDArray[np.uint8]
DIM, GAIN, LIT = 0.125, (0.15, 0.4), 25.0
"""Share of pictures in dim light, what is left of the light, and the level that bright parts keep."""
COARSE, SHRUNK, LEAST_PX = 0.25, (0.35, 0.75), 8.0
"""Share of pictures of few pixels, how far they are shrunk, and the width of a face that stays readable."""


def augmented(rng: Rng, image: Image, faces_px: Sequence[float] = ()) -> Picture:
    """The picture (BGR, 0 to 255) as a camera might have given it; `faces_px` are the sides of its faces."""
    if rng.random() < 0.45:
        image = _blurred(rng, image)
    if rng.random() < 0.25:
        mean = image.mean()
        image = np.asarray(mean + (image - mean) * rng.uniform(0.35, 0.9), np.float32)
    if rng.random() < 0.5:
        image = image + _grain(rng, rng.uniform(1, 14), image.shape)
    taken = _bytes(image)
    if rng.random() < DIM:
        taken = dimmed(rng, taken)
    if rng.random() < COARSE:
        taken = coarsened(rng, taken, faces_px)
    return _jpeg(rng, taken) if rng.random() < 0.4 else taken


def dimmed(rng: Rng, image: Picture) -> Picture:
    """Too little light: few grey levels, noise in proportion, made bright again by the camera or not."""
    brightest = max(1.0, float(np.percentile(image, 95)))
    gain = max(rng.uniform(*GAIN), min(1.0, LIT / brightest))
    noise = _grain(rng, rng.uniform(0.01, 0.08) * 255 * gain, image.shape)
    dark = _bytes(image * np.float32(gain) + noise)
    return _bytes(dark * np.float32(rng.uniform(0.5, 1) / gain)) if rng.random() < 0.5 else dark


def coarsened(rng: Rng, image: Picture, faces_px: Sequence[float]) -> Picture:
    """Few pixels, enlarged as the reader enlarges small pictures; half the faces stay LEAST_PX wide."""
    least = max(SHRUNK[0], LEAST_PX / float(np.median(faces_px)) if faces_px else 0.0)
    if least >= SHRUNK[1]:
        return image
    side, share = image.shape[0], rng.uniform(least, SHRUNK[1])
    few = (round(side * share), round(side * share))
    small = cv2.resize(image, few, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        small = _bytes(small + _grain(rng, rng.uniform(1, 6), small.shape))
    how = cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (side, side), interpolation=how), np.uint8)


def _grain(rng: Rng, deviation: float, shape: tuple[int, ...]) -> Image:
    return np.asarray(rng.normal(0, deviation, shape), np.float32)


def _bytes(image: Image) -> Picture:
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _blurred(rng: Rng, image: Image) -> Image:
    kind = rng.random()
    if kind < 0.5:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.8)), np.float32)
    if kind < 0.75:
        length = int(rng.integers(2, 7))
        kernel = np.zeros((length, length), np.float32)
        ends = (
            [(0, length // 2), (length - 1, length // 2)]
            if rng.random() < 0.5
            else [(0, 0), (length - 1, length - 1)]
        )
        cv2.line(kernel, ends[0], ends[1], 1.0)
        return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    side = image.shape[0]
    small = cv2.resize(image, None, fx=(s := rng.uniform(0.45, 0.9)), fy=s, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def _jpeg(rng: Rng, image: Picture) -> Picture:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
