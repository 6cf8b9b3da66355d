"""Shadows on the table: the outlines of bodies, cast from points of a lamp and laid over one another."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from lab.scenes.light import lamp_spots
from lab.scenes.space import Eye
from lab.scenes.values import FloatArray, Light

_SHIFT = 4  # fractional bits of OpenCV's polygon corners
_FAR_PX = 20000.0


def lamp_share(light: Light, hulls: Sequence[FloatArray], eye: Eye) -> FloatArray:
    """Share (height, width) of a lamp that each point of the table sees past the hulls (n, 3)."""
    spread = light.radius_mm / float(np.linalg.norm(light.place_mm))
    count = int(np.clip(round(60 * spread), 1, 7))
    total = np.zeros((eye.height_px, eye.width_px), np.float32)
    for spot in lamp_spots(light, count):
        mask = np.zeros((eye.height_px, eye.width_px), np.uint8)
        for hull in hulls:
            _fill(mask, _cast(hull, spot), eye)
        cv2.accumulate(mask, total)
    share = 1 - total / (255 * count)
    if count > 1:
        step = spread * 12 * eye.scale_at(np.zeros(3)) / np.sqrt(count)
        return np.asarray(cv2.GaussianBlur(share, (0, 0), float(np.clip(step, 0.5, 12))), np.float32)
    return np.asarray(share, np.float32)


def closeness(hulls: Sequence[FloatArray], eye: Eye, reach_mm: float) -> FloatArray:
    """Share (height, width) of the sky that bodies standing on the table take from it near their feet."""
    mask = np.zeros((eye.height_px, eye.width_px), np.uint8)
    for hull in hulls:
        if hull[:, 2].min() < reach_mm:
            ground = hull.copy()
            ground[:, 2] = 0
            _fill(mask, ground, eye)
    half = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    sigma = max(0.8, reach_mm * eye.scale_at(np.zeros(3)) / 4)
    wide = cv2.GaussianBlur(half, (0, 0), sigma)
    return np.asarray(
        cv2.resize(wide, (eye.width_px, eye.height_px), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _cast(hull: FloatArray, spot: FloatArray) -> FloatArray:
    """The hull's points (n, 3) thrown onto the table from `spot`."""
    z = np.clip(hull[:, 2:], 0, spot[2] * 0.9)
    ground = hull + (hull - spot) * (z / (spot[2] - z))
    ground[:, 2] = 0
    return np.asarray(ground, np.float32)


def _fill(mask: np.ndarray, ground: FloatArray, eye: Eye) -> None:
    points = eye.project(ground)
    if np.abs(points).max() > _FAR_PX:
        return
    outline = cv2.convexHull(np.asarray(points, np.float32))
    cv2.fillConvexPoly(mask, np.round(outline * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_AA, _SHIFT)
