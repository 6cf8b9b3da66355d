"""Pips and candidates as the second and third stage give them, made for tests of the later stages."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Floats
from vision.counting.faces import MOST_PIPS, OCCUPIED, Faces
from vision.counting.pips import Pips

RADIUS_PX = 4.0
HALF_PX = 5 * RADIUS_PX
"""Half the side of a candidate's face; its pips lie half of that from its axes."""


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


def face_of(value: int, middle_px: tuple[float, float] = (200, 200), half_px: float = HALF_PX) -> Faces:
    """A face candidate whose pips, in the order of `OCCUPIED`, are numbered from 0."""
    one, none = np.ones(1, np.float32), np.zeros(1, np.float32)
    members = np.full((1, MOST_PIPS), -1, np.int32)
    members[0, :value] = np.arange(value)
    row, column = np.array([[0.5 * half_px, 0]], np.float32), np.array([[0, 0.5 * half_px]], np.float32)
    middle = np.array([middle_px], np.float32)
    return Faces(np.array([value], np.int32), members, middle, row, column, none, one, *[none] * 3)


def places_of(value: int, middle_px: tuple[float, float] = (200, 200), half_px: float = HALF_PX) -> Floats:
    """Where the pips of that candidate lie, (value, 2)."""
    lattice = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1], [0, 0], [-1, 0], [1, 0]], np.float32)
    return np.asarray(np.array(middle_px) + 0.5 * half_px * lattice[list(OCCUPIED[value])], np.float32)
