"""What several steps of one reading make of its picture, made once: smaller ones, and one for colours.

A reading wants its picture smaller four to six times, and to halve 12 Mpx takes 5 ms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar, cast

import cv2
import numpy as np

from vision.arrays import Floats, Image

T = TypeVar("T")

_MADE: ContextVar[tuple[Image, dict[Hashable, object]] | None] = ContextVar("made", default=None)
"""The picture that is being read, and what was made of it so far."""


@contextmanager
def reading(image: Image) -> Iterator[None]:
    """Within, what is made of this very picture is kept for all who want it; it must not change meanwhile."""
    before = _MADE.set((image, {}))
    try:
        yield
    finally:
        _MADE.reset(before)


def once(image: Image, what: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives; of the picture that is being read, what it gave when `what` was asked for first."""
    made = _MADE.get()
    if made is None or made[0] is not image:
        return make()
    if what not in made[1]:
        made[1][what] = make()
    return cast(T, made[1][what])


def resized(image: Image, factor: float) -> Image:
    """The picture `factor` times as large, at least a pixel each way.

    It is halved for as long as it stays large enough, and what is left to do shrinks it by less than half.
    So two neighbours each way are all that is ever to be averaged, which linear interpolation does: five
    times as quick as one step by areas, and the nets see as much in it.
    """
    height, width = image.shape[:2]
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return _linear(_halved(image, size), size)


def halved(image: Image, factor: float) -> Image:
    """The picture halved for as long as it stays `factor` times as large or larger."""
    times = max(0, math.floor(-math.log2(factor)))
    height, width = image.shape[:2]
    return _halved(image, (max(1, width >> times), max(1, height >> times)))


def _halved(image: Image, size: tuple[int, int]) -> Image:
    """The picture halved for as long as it stays as large as `size`."""
    halves, times = once(image, "halves", lambda: [image]), 0
    while halves[times].shape[1] >= 2 * size[0] and halves[times].shape[0] >= 2 * size[1]:
        times += 1
        if times == len(halves):
            height, width = halves[-1].shape[:2]
            halves.append(_linear(halves[-1], (width // 2, height // 2)))  # the mean of each four pixels
    return halves[times]


def _linear(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True, slots=True)
class Working:
    """A picture in which colours are measured.

    `factor` is its pixels per pixel of the picture as it came.
    """

    image: Image
    factor: float


def for_colours(image_bgr: Image) -> Working:
    """The picture scaled down for measuring colours, which is five times as fast."""
    factor = min(COLOURS_LONG_PX / max(image_bgr.shape), 1.0)
    return once(image_bgr, "colours", lambda: Working(resized(image_bgr, factor), factor))


def roots(image: Image) -> Floats:
    """The square root of every value, from 0 to 1, float32: it evens out noise and opens shadows."""
    return np.asarray(cv2.LUT(image, _ROOTS), np.float32)


_ROOTS = np.sqrt(np.arange(256, dtype=np.float32) / 255)
COLOURS_LONG_PX = 480
"""A die is a dozen pixels wide there, and its middle colour is that of its body."""
