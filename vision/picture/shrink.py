"""Pictures made smaller (or larger) without aliasing, and quickly."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.arrays import Image
from vision.picture.once import once


def resized(image: Image, factor: float) -> Image:
    """The picture `factor` times as large, at least a pixel each way.

    It is halved for as long as it stays large enough, and what is left to do shrinks it by less than half.
    So two neighbours each way are all that is ever to be averaged, which linear interpolation does: five
    times as quick as one step by areas, and the nets see as much in it.
    """
    size = _size(image, factor)
    return _linear(_halved(image, size), size)


def halved(image: Image, factor: float) -> Image:
    """The picture halved for as long as it stays `factor` times as large or larger."""
    times = max(0, math.floor(-math.log2(factor)))
    height, width = image.shape[:2]
    return _halved(image, (max(1, width >> times), max(1, height >> times)))


def _size(image: Image, factor: float) -> tuple[int, int]:
    """Width and height of the picture to be."""
    height, width = image.shape[:2]
    return max(1, round(width * factor)), max(1, round(height * factor))


def _halved(image: Image, size: tuple[int, int]) -> Image:
    """The picture halved for as long as it stays as large as `size`."""
    halves, times = once(image, "halves", lambda: [image]), 0
    while halves[times].shape[1] >= 2 * size[0] and halves[times].shape[0] >= 2 * size[1]:
        times += 1
        if times == len(halves):
            halves.append(_half(halves[-1]))
    return halves[times]


def _half(image: Image) -> Image:
    """Half as wide and high: the mean of each four pixels."""
    height, width = image.shape[:2]
    return _linear(image, (width // 2, height // 2))


def _linear(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
