"""Dice of the simulated table whose six is an emblem."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.cameras.simulated_dice import Laid, LaidTable, laid
from vision.arrays import Image

SIX = 6
CROWN = ((-0.8, 0.7), (-0.9, -0.4), (-0.4, 0.1), (0, -0.7), (0.4, 0.1), (0.9, -0.4), (0.8, 0.7))
EMBLEM, BODY = 0.33, 0.44
"""Half the width of an emblem, and of what it is painted on, in sides of a die."""


def drawn(faces: Sequence[int], seed: int, emblem: str = "crown") -> LaidTable:
    """Ivory dice with `faces` up, lying as `seed` says."""
    table = laid([(face, "ivory") for face in faces], seed, width_px=800, height_px=600)
    for number, die in enumerate(table.dice):
        if die.face == SIX:
            _paint(table.image_bgr, die, outline(emblem), seed + number)
    return table


def outline(emblem: str) -> np.ndarray:
    """Points of a crown, or of a star: a sun has many rays, a star has five."""
    if emblem == "crown":
        return np.array(CROWN)
    rays, inner = {"sun": (12, 0.6), "star": (5, 0.4)}[emblem]
    angles = np.arange(2 * rays) * math.pi / rays
    radius = np.where(np.arange(2 * rays) % 2, inner, 1.0)
    return np.column_stack([radius * np.sin(angles), radius * np.cos(angles)])


def _paint(image: Image, die: Laid, points: np.ndarray, turns: int) -> None:
    """An emblem in place of the pips, at four times the size, so that its edges are soft."""
    half = math.ceil(die.size_px)
    x, y = round(die.x_px), round(die.y_px)
    part = image[y - half : y + half, x - half : x + half]
    large = cv2.resize(part, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    body = np.percentile(part.reshape(-1, 3), 97, axis=0)
    cv2.circle(large, (4 * half, 4 * half), round(4 * BODY * die.size_px), body.tolist(), -1)
    turn = 0.7 * turns
    turned = points @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    cv2.fillPoly(large, [np.rint(4 * (half + EMBLEM * die.size_px * turned)).astype(int)], (30, 26, 24))
    part[:] = cv2.resize(large, part.shape[1::-1], interpolation=cv2.INTER_AREA)
