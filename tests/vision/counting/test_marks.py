"""The places of a layout told apart by colour: 1 is a pip, 0 is body."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.counting.marks import darkness
from vision.picture.working import Working

BODY, INK, GLARE = 0.9, 0.1, 1.0
RADIUS_PX = 20.0


def mark(*discs: tuple[float, float, float, float], points: int = 9) -> float:
    """How much the middle of a picture looks like a pip; discs are x, y off it, radius, brightness."""
    picture = np.full((100, 100, 3), BODY, np.float32)
    for x, y, radius, shade in discs:
        cv2.circle(picture, (round(50 + x), round(50 + y)), round(radius), (shade,) * 3, -1)
    places, size = np.array([[[50, 50]]], np.float32), np.array([RADIUS_PX], np.float32)
    inside, ring = (np.full((1, 3), shade, np.float32) for shade in (INK, BODY))
    return float(darkness(Working(picture, 1.0), places, size, inside, ring, points)[0, 0])


@pytest.mark.parametrize(
    ("discs", "dark", "reason"),
    [
        ((), 0.0, "nothing but body"),
        (((0, 0, 20, INK),), 1.0, "a pip"),
        (((0, 0, 20, INK), (0, 0, 4, GLARE)), 1.0, "a glare on its middle is outvoted"),
        (((0, 0, 20, INK), (10, 10, 8, GLARE)), 1.0, "one on its side, too"),
        (((0, 0, 20, GLARE),), -0.125, "burnt out: lighter than the body"),
        (((0, 0, 20, 0.5),), 0.5, "a pip that shines through"),
        (((6, 0, 20, INK),), 1.0, "a pip a little off its place"),
        (((22, 0, 20, INK),), 0.0, "the next pip's border"),
        (((0, 0, 4, INK),), 0.0, "a speck"),
    ],
)
def test_the_middle_of_all_points_tells(
    discs: tuple[tuple[float, float, float, float], ...], dark: float, reason: str
) -> None:
    assert mark(*discs) == pytest.approx(dark, abs=0.05), reason


@pytest.mark.parametrize(("points", "dark"), [(1, -0.125), (9, 1.0)])
def test_the_middle_alone_may_meet_a_glare(points: int, dark: float) -> None:
    assert mark((0, 0, 20, INK), (0, 0, 4, GLARE), points=points) == pytest.approx(dark, abs=0.01)


def test_every_place_of_every_candidate_is_examined() -> None:
    picture = np.full((100, 200, 3), BODY, np.float32)
    cv2.circle(picture, (150, 50), 10, (INK,) * 3, -1)
    places = np.array([[[50, 50], [150, 50]], [[150, 50], [20, 20]]], np.float32)
    size, inside, ring = np.full(2, 10, np.float32), np.full((2, 3), INK), np.full((2, 3), BODY)
    found = darkness(Working(picture, 1.0), places, size, inside.astype(np.float32), ring.astype(np.float32))
    assert found == pytest.approx(np.array([[0, 1], [1, 0]]), abs=0.01)


def test_what_has_no_contrast_is_no_pip() -> None:
    picture = np.full((100, 100, 3), 0.5, np.float32)
    places, size = np.array([[[50, 50]]], np.float32), np.array([10], np.float32)
    same = np.full((1, 3), 0.5, np.float32)
    assert darkness(Working(picture, 1.0), places, size, same, same)[0, 0] == 0
