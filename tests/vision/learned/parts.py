"""Dice half hidden, and what the nets for parts of dice are made to say of a table, for their tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.learned import covered
from vision.learned.net import Level
from vision.scenes import DieTruth, Picture
from vision.values import Die, Doubt

HAND = (120, 150, 200)


def with_a_hand(picture: Picture, die: DieTruth, way_deg: float) -> Image:
    """The picture with a finger over half of one die's face."""
    image = picture.image_bgr.copy()
    out = np.array([np.cos(np.radians(way_deg)), np.sin(np.radians(way_deg))])
    near = np.array([die.x_px, die.y_px]) + out * 0.8 * die.size_px
    ends = (tuple(int(v) for v in near + out * far * die.size_px) for far in (0, 4))
    cv2.line(image, *ends, HAND, round(1.6 * die.size_px), cv2.LINE_AA)
    return image


SIZE = 32.0
TABLE = np.full((160, 240, 3), 90, np.uint8)


def die_at(x: float, y: float, size: float = SIZE) -> Die:
    return Die(3, x, y, size, 0.0, 0.99, True, "white")


def level(cells: Sequence[tuple[int, int]], scale: float = 1.0, odds: float = 2.0) -> Level:
    """A level whose features say that the cells (row, column) show parts, by such odds."""
    features = np.full((1, 20, 30), -3, np.float32)
    for cell in cells:
        features[0][cell] = odds
    return Level(scale, (160, 240), np.zeros((13, 20, 30), np.float32), features)


def told_of(levels: Sequence[Level], dice: Sequence[Die], told: Sequence[Doubt]) -> list[Doubt]:
    return covered.parts(TABLE, covered.looks(TABLE, levels, dice), dice, told)


def turned_to_say(
    monkeypatch: pytest.MonkeyPatch, said: Sequence[float], cut: Sequence[float] | None = None
) -> list[float]:
    """Let the turned views say such odds of any place, one after the other, that a die is covered there and
    as much that one is cut off, or `cut`; which were looked at."""
    looked_at = list[float]()

    def turned(_: object, place: covered.Place) -> Iterator[tuple[covered.Look, covered.Place]]:
        for odds in zip(said, cut or said, strict=True):
            looked_at.append(odds[0])
            cells = (np.full((20, 20), one, np.float32) for one in odds)
            yield covered.Look(1.0, (160, 160), *cells), (80, 80, place[2])

    monkeypatch.setattr(covered, "_turned", turned)
    return looked_at
