"""How well a die's pips stand out in the finished picture, after blur, glare, dimness and noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.scenes.values import DieTruth, FloatArray, PipTruth

_RING = np.array([(np.cos(a), np.sin(a)) for a in np.arange(12) * np.pi / 6], np.float32)


def contrast(truth: DieTruth, image_bgr: NDArray[np.uint8]) -> float:
    """Contrast between the pips and the face round them, in grey levels (0 to 255).

    In the colour channel where they differ most, of the pip with the second lowest contrast (the lowest where
    there are two or fewer). For a face with a mark it is twice the deviation within the face.
    """
    if not truth.pips:
        return _of_mark(truth, image_bgr)
    found = sorted(
        float(np.abs(_disc(image_bgr, p.x_px, p.y_px, p.radius_px) - _round(image_bgr, p)).max())
        for p in truth.pips
    )
    return found[0] if len(found) <= 2 else found[1]


def _disc(image: NDArray[np.uint8], x: float, y: float, radius: float) -> FloatArray:
    """Mean colour (3,) of the inner part of a pip."""
    spots = np.concatenate([[(0, 0)], _RING * 0.25, _RING * 0.5]) * radius + (x, y)
    return np.asarray(_at(image, spots).mean(axis=0))


def _round(image: NDArray[np.uint8], pip: PipTruth) -> FloatArray:
    """Median colour (3,) round a pip."""
    x, y, radius = pip.x_px, pip.y_px, pip.radius_px
    return np.asarray(np.median(_at(image, _RING * 1.45 * radius + (x, y)), axis=0))


def _at(image: NDArray[np.uint8], spots: FloatArray) -> FloatArray:
    """Colours (n, 3) at places (n, 2), between pixels, the border repeated."""
    places = np.asarray(spots, np.float32)[None]
    seen = cv2.remap(image, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return np.asarray(seen[0], np.float32)


def _of_mark(truth: DieTruth, image: NDArray[np.uint8]) -> float:
    corners = np.asarray(truth.corners_px)
    middle = corners.mean(axis=0)
    grid = np.linspace(-0.6, 0.6, 9)
    u, v = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    spots = np.array([middle + a * u + b * v for a in grid for b in grid])
    return float(2 * _at(image, spots).std(axis=0).max())
