"""A second look at one die that another way of reading has found: its pips, counted classically."""

from __future__ import annotations

import numpy as np

from vision.arrays import Image
from vision.body import find_bodies
from vision.candidates import find_spots
from vision.evidence import chances
from vision.faces import find_faces
from vision.intruders import unspoilt
from vision.pips import fit_pips
from vision.working import prepare

CROP = 2.4
"""Side of the crop over that of the top face: the body with its side faces, little of its neighbours."""

FACE_PX = 60.0
"""Side of the top face in the crop as it is read."""

SAME_PLACE = 0.3
"""A guess counts when its middle is within this share of the face's side of the place asked for."""

SIZES = (0.6, 1.7)
"""And its size within these multiples of the size asked for."""


def pips_at(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> tuple[int, float]:
    """Face and chance that the pips give to the top face at a place: (0, 0.0) where they give none.

    `x_px`, `y_px` is the middle and `size_px` the side of the top face in pixels of the picture.
    """
    left, top, right, bottom = _crop(image_bgr.shape, x_px, y_px, size_px)
    crop = np.ascontiguousarray(image_bgr[top:bottom, left:right])
    if min(crop.shape[:2]) < 8:
        return 0, 0.0
    working = prepare(crop, factor=FACE_PX / size_px)
    pips = fit_pips(working, find_spots(working))
    faces = unspoilt(pips, find_faces(working, pips))
    bodies = find_bodies(working, pips, faces)
    chance = chances(pips, faces, bodies)
    middle = np.array([x_px - left, y_px - top]) * working.factor
    off = np.linalg.norm(faces.middle_px - middle, axis=1)
    size = 2 * faces.half_px * bodies.scale / FACE_PX
    here = (off < SAME_PLACE * FACE_PX) & (size > SIZES[0]) & (size < SIZES[1])
    if not here.any():
        return 0, 0.0
    best = int(np.argmax(np.where(here, chance, -1)))
    return int(faces.face[best]), float(chance[best])


def _crop(shape: tuple[int, ...], x_px: float, y_px: float, size_px: float) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the crop, within the picture."""
    reach = CROP * size_px / 2
    left, top = max(0, round(x_px - reach)), max(0, round(y_px - reach))
    return left, top, min(shape[1], round(x_px + reach)), min(shape[0], round(y_px + reach))
