"""How sharp and how bright a picture is. Numpy only, pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """`sharpness` is the variance of the Laplacian of the luma, near 0 when blurred.

    `brightness` is the mean luma from 0 to 1; `dark` and `glare` are the shares of pixels that are nearly
    black and burnt out. `evenness` is the darkest ninth of the picture against the brightest, 1 when alike.
    """

    sharpness: float
    brightness: float
    dark: float
    glare: float
    evenness: float


def luma(image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Luma from 0 to 255 of a picture in blue, green, red (ITU-R BT.601)."""
    weights = np.array([0.114, 0.587, 0.299], dtype=np.float32)
    return (image_bgr.astype(np.float32) @ weights).astype(np.float32)


def sharpness(image_bgr: NDArray[np.uint8]) -> float:
    """Variance of the Laplacian of the luma; higher is sharper, comparable only for the same scene.

    Source: J. L. Pech-Pacheco et al., Diatom autofocusing in brightfield microscopy, ICPR 2000.
    """
    y = luma(image_bgr)
    if min(y.shape) < 3:
        return 0.0
    edges = 4 * y[1:-1, 1:-1] - y[:-2, 1:-1] - y[2:, 1:-1] - y[1:-1, :-2] - y[1:-1, 2:]
    return float(edges.var())


def quality(image_bgr: NDArray[np.uint8]) -> PictureQuality:
    """How sharp and how bright a picture is."""
    y = luma(image_bgr)
    return PictureQuality(
        sharpness=sharpness(image_bgr),
        brightness=float(y.mean()) / 255,
        dark=float((y < 20).mean()),
        glare=float((y > 250).mean()),
        evenness=evenness(y),
    )


def evenness(y: NDArray[np.float32]) -> float:
    """Median luma of the darkest of nine parts over that of the brightest: a few dice do not count."""
    rows = [part for part in np.array_split(y, 3, axis=0) if part.size]
    parts = [part for row in rows for part in np.array_split(row, 3, axis=1) if part.size]
    medians = [float(np.median(part)) for part in parts]
    return (min(medians) + 1) / (max(medians) + 1)
