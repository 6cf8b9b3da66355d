"""How sharp and how bright a picture is. Numpy only, pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """`sharpness` is the variance of the Laplacian of the luma, near 0 when blurred.

    `brightness` is the mean luma from 0 to 1; `dark` and `glare` are the shares of pixels that are nearly
    black and burnt out.
    """

    sharpness: float
    brightness: float
    dark: float
    glare: float


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
    )


def advice(found: PictureQuality) -> tuple[str, ...]:
    """What a person should change about light and focus, most important first; empty when all is well."""
    said = []
    if found.brightness < 0.15:
        said.append("It is too dark: switch on the light ring or bring a lamp.")
    if found.glare > 0.02:
        said.append("Parts are burnt out: dim the light or move it to the side.")
    if found.brightness > 0.85:
        said.append("It is too bright: dim the light.")
    if found.sharpness < 20:
        said.append("It is blurred: set the focus, or clean the lens.")
    return tuple(said)
