"""What cameras do to a picture: blur, noise, JPEG, flat contrast. Colours are varied while training."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.pictures.textures import Image, Rng


def augmented(rng: Rng, image: Image) -> NDArray[np.uint8]:
    """The picture (BGR, 0 to 255) as a camera might have given it."""
    if rng.random() < 0.45:
        image = _blurred(rng, image)
    if rng.random() < 0.25:
        image = image.mean() + (image - image.mean()) * rng.uniform(0.35, 0.9)
    if rng.random() < 0.5:
        image = image + rng.normal(0, rng.uniform(1, 14), image.shape).astype(np.float32)
    coarse = np.clip(image, 0, 255).astype(np.uint8)
    return _jpeg(rng, coarse) if rng.random() < 0.4 else coarse


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


def _jpeg(rng: Rng, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
