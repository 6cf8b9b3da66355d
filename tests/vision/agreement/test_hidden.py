"""A die over a part of which something lies is never certain, whatever face is left of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, INK, IVORY, Image
from vision.agreement.misfits import doubting_hidden
from vision.agreement.outline import is_lopsided
from vision.agreement.trust import SETTLED
from vision.values import Die

X, Y, SIDE = 320, 240, 80


def body(right: int = 0, down: int = 0, wide: float = 1.0, turn_deg: float = 0.0) -> Image:
    """A rounded body whose middle lies so far from (X, Y), `wide` times as wide as high."""
    picture = np.full((480, 640, 3), CLOTH, np.uint8)
    rim = 0.1 * SIDE
    size = (SIDE * wide - 2 * rim, SIDE - 2 * rim)
    corners = cv2.boxPoints(((X + right, Y + down), size, turn_deg)).astype(int)
    cv2.fillPoly(picture, [corners], IVORY)
    cv2.polylines(picture, [corners], True, IVORY, round(2 * rim), cv2.LINE_AA)
    cv2.circle(picture, (X, Y), 8, INK, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def die(turn_deg: float = 0.0, chance: float = 0.95, certain: bool = True, face: int = 1) -> Die:
    why = () if certain else ("one_way",)
    return Die(face, X, Y, SIDE, turn_deg, chance, certain, "ivory", why=why)


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 70])
def test_a_whole_die_is_not_lopsided(turn_deg: float) -> None:
    assert not is_lopsided(body(turn_deg=turn_deg), die(turn_deg))


@pytest.mark.parametrize(
    ("reason", "picture"),
    [
        ("an ace beside the middle was a two or a three", body(20, 20)),
        ("nor is it an ace where it lies on one side only", body(0, -22)),
        ("a four on what is wider than high was a six", body(wide=1.5)),
    ],
)
def test_what_is_left_of_a_face_is(reason: str, picture: Image) -> None:
    assert is_lopsided(picture, die()), reason


@pytest.mark.parametrize(
    ("seen", "odds", "picture", "certain", "reason"),
    [
        (die(), 1.2, body(20, 20), False, "the net sees that something covers it, and it is lopsided"),
        (die(), 1.2, body(), True, "a whole die is none"),
        (die(), 0.5, body(20, 20), True, "seen aslant a die is lopsided, too, and nothing covers it"),
        (die(chance=SETTLED), 1.2, body(20, 20), True, "of a die as clear as that more is asked"),
        (die(chance=SETTLED), 2.2, body(20, 20), False, "and is enough"),
        (die(face=4), 2.2, body(20, 20), False, "a four may be left of a six"),
        (die(face=5), 2.2, body(20, 20), True, "a five is part of no other face"),
        (die(face=6), 2.2, body(20, 20), True, "nor is a six, whatever lies at its edge"),
    ],
)
def test_a_die_that_seems_covered_is_doubted(
    seen: Die, odds: float, picture: Image, certain: bool, reason: str
) -> None:
    (doubted,) = doubting_hidden(picture, [seen], [odds])
    assert (doubted.certain, doubted.why) == (certain, () if certain else ("half_hidden",)), reason


def test_what_is_doubted_for_another_reason_keeps_that_one() -> None:
    unsure = die(certain=False)
    assert doubting_hidden(body(20, 20), [unsure], [3.0]) == [unsure]
