"""Names for the arrays that pass between the stages, and what several stages ask of colours in them.

The names say what an array holds; the element type is left open to the checker, because numpy's own hints
widen it at every step.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue, green, red."""

Floats = NDArray[Any]
"""float32, unless said otherwise."""

Ints = NDArray[Any]
"""Whole numbers, mostly indices."""

Bools = NDArray[Any]
"""True or false."""


def along(vectors: Floats, axis: Floats) -> Floats:
    """Products of vectors (..., n) of few parts with an axis (..., n) that broadcasts to them, summed: (...).

    Three times as quick as einsum, and no BLAS: some emulated processors make nonsense of its products.
    """
    total = vectors[..., 0] * axis[..., 0]
    for part in range(1, vectors.shape[-1]):
        total += vectors[..., part] * axis[..., part]
    return np.asarray(total)


def lengths(vectors: Floats) -> Floats:
    """Of vectors (..., n) of few parts, (...): of differences of colours, or of steps in the picture."""
    return np.asarray(np.sqrt(along(vectors, vectors)))


def medians(rows: Floats) -> Floats:
    """The median of each column of rows (n, c), (c,): of a few hundred in a third of numpy's own time."""
    half = len(rows) // 2
    middle = [half - 1 + len(rows) % 2, half]
    return np.asarray(np.partition(rows, middle, axis=0)[middle].mean(axis=0))


def without(vectors: Floats, base: Floats) -> Floats:
    """The vectors (M, ..., n) less those of their row, `base` (M, n), in their own memory.

    In rows of many vectors this takes a tenth of the time that numpy needs along a short axis.
    """
    count = math.prod(vectors.shape[1:-1])
    wide = vectors.shape[-2] if vectors.shape[-2] >= MANY else count
    rows = vectors.reshape(len(vectors), count // max(wide, 1), wide * vectors.shape[-1])
    rows -= np.tile(base, wide)[:, None]
    return vectors


MANY = 8
"""Rows of so many vectors are long enough."""


def picked(values: Floats, which: Ints) -> Floats:
    """Of values (..., n) or vectors (..., n, c) those numbered `which` (...): (...) or (..., c). Ten times as
    quick as numpy.take_along_axis."""
    first = np.arange(which.size).reshape(which.shape) * values.shape[which.ndim]
    return np.asarray(values.reshape(-1, *values.shape[which.ndim + 1 :]).take(first + which, axis=0))
