"""Rotations and the camera: from millimetres to pixels and back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lab.scenes.values import FloatArray, Lens, Turn, Vec


def turn_about(axis: Vec, angle_rad: float) -> FloatArray:
    """The rotation matrix about `axis` by Rodrigues' formula, shape (3, 3)."""
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle_rad) * cross + (1 - math.cos(angle_rad)) * (cross @ cross))


def yaw(angle_rad: float) -> FloatArray:
    """The rotation about the vertical."""
    return turn_about((0.0, 0.0, 1.0), angle_rad)


def as_turn(matrix: FloatArray) -> Turn:
    """A rotation matrix as plain tuples."""
    rows = [tuple(float(v) for v in row) for row in matrix]
    return ((*rows[0],), (*rows[1],), (*rows[2],))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A lens set before a picture of a given size.

    `axes` rows are the picture's right, its down and the direction of view, in world coordinates.
    """

    place_mm: FloatArray
    axes: FloatArray
    focal_px: float
    width_px: int
    height_px: int
    distortion: float

    @property
    def half_px(self) -> float:
        """Half the width: the unit of the distortion's radius."""
        return self.width_px / 2

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Pixels (n, 2) of points (n, 3); pixel centres are at whole numbers."""
        seen = (np.atleast_2d(points_mm) - self.place_mm) @ self.axes.T
        flat = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6) * (self.focal_px / self.half_px)
        return self._bent(flat) * self.half_px + self._middle()

    def rays(self, x_px: FloatArray, y_px: FloatArray) -> FloatArray:
        """Unit directions (3, n) of the rays through pixels, float32."""
        cx, cy = self._middle()
        x = (x_px.ravel() - np.float32(cx)) / np.float32(self.half_px)
        y = (y_px.ravel() - np.float32(cy)) / np.float32(self.half_px)
        bend = 1 + np.float32(self.distortion) * (x * x + y * y)
        seen = np.stack([x * bend, y * bend, np.full_like(x, self.focal_px / self.half_px)])
        world = self.axes.T.astype(np.float32) @ seen
        return np.asarray(world / np.sqrt(np.einsum("ij,ij->j", world, world)), np.float32)

    def on_table(self, x_px: FloatArray, y_px: FloatArray) -> FloatArray:
        """Points of the table (2, n) in millimetres behind pixels; rays that miss it are cut off far away."""
        ray = self.rays(x_px, y_px)
        down = np.minimum(ray[2], np.float32(-0.02))
        reach = np.float32(-self.place_mm[2]) / down
        return np.asarray(self.place_mm[:2, None].astype(np.float32) + ray[:2] * reach, np.float32)

    def scale_at(self, point_mm: FloatArray) -> float:
        """Pixels per millimetre at a point, across the line of sight."""
        return float(self.focal_px / max(1e-6, (point_mm - self.place_mm) @ self.axes[2]))

    def _middle(self) -> FloatArray:
        return np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])

    def _bent(self, flat: FloatArray) -> FloatArray:
        """Where the lens puts undistorted points: solves d (1 + k d^2) = u for d by Newton's method."""
        u = np.linalg.norm(flat, axis=1, keepdims=True)
        d = u.copy()
        for _ in range(6):
            d -= (d + self.distortion * d**3 - u) / (1 + 3 * self.distortion * d * d)
        return flat * np.where(u > 1e-9, d / np.maximum(u, 1e-9), 1.0)


def eye(lens: Lens, width_px: int, height_px: int) -> Eye:
    """The camera of a scene before a picture of `width_px` by `height_px`."""
    back = turn_about((0, 0, 1), math.radians(lens.azimuth_deg)) @ _tilted(math.radians(lens.tilt_deg))
    roll = math.radians(lens.roll_deg)
    right, down, view = back[:, 0], back[:, 1], back[:, 2]
    axes = np.stack(
        [
            math.cos(roll) * right + math.sin(roll) * down,
            -math.sin(roll) * right + math.cos(roll) * down,
            view,
        ]
    )
    place = np.array([*lens.target_mm, 0.0]) - view * lens.distance_mm
    focal = width_px / 2 / math.tan(math.radians(lens.fov_deg) / 2)
    return Eye(place, axes, focal, width_px, height_px, lens.distortion)


def _tilted(tilt_rad: float) -> FloatArray:
    """Columns right, down and view of a camera tilted back from the vertical by `tilt_rad`."""
    downward = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])  # looks down, the picture's top is +y
    return np.asarray(turn_about((1, 0, 0), tilt_rad) @ downward)
