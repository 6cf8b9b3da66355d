"""Pips as the second stage gives them, made for tests of the later stages."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vision.counting.pips import Pips

RADIUS_PX = 4.0


def pips_at(
    xy_px: ArrayLike,
    *,
    radius_px: ArrayLike = RADIUS_PX,
    flat: ArrayLike = 0.9,
    contrast: ArrayLike = 0.8,
    quality: ArrayLike = 0.6,
) -> Pips:
    """Dark pips at the places (N, 2); each property is one for all or one per pip."""
    places = np.asarray(xy_px, np.float32)
    count = len(places)

    def each(value: ArrayLike) -> np.ndarray:
        return np.array(np.broadcast_to(np.asarray(value, np.float32), count))

    inside, ring = np.zeros((count, 3), np.float32), np.full((count, 3), 0.5, np.float32)
    return Pips(
        places,
        each(radius_px),
        each(flat),
        np.zeros(count, bool),
        inside,
        ring,
        each(contrast),
        each(0.05),
        each(quality),
    )
