"""Crops out of larger labelled pictures, photographs and rendered scenes alike: turned, scaled, tilted."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pictures.augmentation import augmented
from lab.training.pictures.crops import SIDE_PX, Crop, Mark, judged_px
from lab.training.pictures.textures import Rng

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Aim = tuple[float, float, float]
"""A place in a picture: x, y and the side of what lies there."""
WANTED_PX = (16.0, 66.0)
"""Sides of faces in crops; a wider range than the trained one, so that there are faces to ignore."""


@dataclass(frozen=True, slots=True)
class Label:
    """One die of a picture, in its pixels: centre and corners (4, 2) of its top face; a face of `crops`.

    `turned`: whether the corners give the die's turn; `reach_px` is half the width of the whole die.
    """

    centre_px: tuple[float, float]
    corners_px: Points
    face: int
    turned: bool
    reach_px: float

    @property
    def size_px(self) -> float:
        """Side of a square as large as the face."""
        return float(np.sqrt(cv2.contourArea(self.corners_px.astype(np.float32))))


def square(x: float, y: float, size: float) -> Points:
    """Corners of an upright square."""
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 + (x, y)


def cut(
    rng: Rng,
    image: Image,
    labels: tuple[Label, ...],
    pips: Points | None,
    aim: Aim | None = None,
) -> Crop:
    """A crop about one of the dice or about any place, or about `aim`.

    `pips` has rows (x, y, radius), None if not known.
    """
    x, y, size = aim or _aim(rng, image, labels)
    scale = float(np.clip(np.exp(rng.uniform(*np.log(WANTED_PX))) / size, 0.2, 2.6))
    middle = np.array([x, y]) + rng.uniform(-0.4, 0.4, 2) * SIDE_PX / scale
    warp = _warp(rng, middle, scale)
    step = max(1, image.shape[0] // 32)
    edge = np.median(image[::step, ::step], (0, 1)).tolist()
    base = cv2.GaussianBlur(image, (0, 0), 0.4 / scale) if scale < 0.6 else image
    out = cv2.warpPerspective(base, warp, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderValue=edge)
    marks = tuple(m for m in (_mark(label, warp) for label in labels) if _near(m))
    taken = augmented(rng, out.astype(np.float32), judged_px(marks))
    return Crop(taken, marks, None if pips is None else _moved(pips, warp, scale))


def _aim(rng: Rng, image: Image, labels: tuple[Label, ...]) -> Aim:
    """One of the dice, or now and then any place at the scale of one."""
    height, width = image.shape[:2]
    chosen = labels[int(rng.integers(len(labels)))] if labels else None
    size = chosen.size_px if chosen else width / 14
    if chosen is None or rng.random() < 0.15:
        return float(rng.uniform(0, width)), float(rng.uniform(0, height)), size
    return (*chosen.centre_px, size)


def _warp(rng: Rng, middle: Points, scale: float) -> Points:
    """Picture to crop: turned freely, stretched a little, leaning a little."""
    turn, half = rng.uniform(0, 2 * np.pi), SIDE_PX / 2
    cos, sin, squeeze = np.cos(turn), np.sin(turn), rng.uniform(0.9, 1.1)
    spin = np.array([[cos, -sin, 0], [sin * squeeze, cos * squeeze, 0], [0, 0, 1]]) * [[scale], [scale], [1]]
    there, lean, back = np.eye(3), np.eye(3), np.eye(3)
    lean[2, :2] = rng.normal(0, 0.0006, 2)
    there[:2, 2], back[:2, 2] = -middle, half
    return np.asarray(back @ lean @ spin @ there)


def _mark(label: Label, warp: Points) -> Mark:
    points = np.concatenate([label.corners_px, [label.centre_px]])
    out = cv2.perspectiveTransform(points[None], warp)[0]
    size = float(np.sqrt(cv2.contourArea(out[:4].astype(np.float32))))
    edge = out[1] - out[0]
    angle = float(np.degrees(np.arctan2(edge[1], edge[0])) % 90) if label.turned else float("nan")
    return Mark(float(out[4, 0]), float(out[4, 1]), size, angle, label.face)


def _near(mark: Mark) -> bool:
    slack = mark.size_px
    return -slack < mark.x_px < SIDE_PX + slack and -slack < mark.y_px < SIDE_PX + slack


def _moved(pips: Points, warp: Points, scale: float) -> NDArray[np.float32]:
    if not len(pips):
        return np.zeros((0, 3), np.float32)
    places = cv2.perspectiveTransform(np.asarray(pips[:, :2], np.float64)[None], warp)[0]
    return np.concatenate([places, pips[:, 2:] * scale], 1).astype(np.float32)
