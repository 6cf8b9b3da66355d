"""What is left unread, and what is no more than a mark on the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, INK, IVORY, Drawn, Image, all_faces, draw
from vision.read import read

pytestmark = pytest.mark.slow

DICE = all_faces()[:5]


def _with(*marks: tuple[str, int, int, int, tuple[int, int, int]]) -> Image:
    """Five dice, and discs (x, y, radius, colour) on the cloth."""
    picture = draw(DICE)
    for _, x, y, radius, colour in marks:
        cv2.circle(picture, (x, y), radius, colour, -1, cv2.LINE_AA)
    return picture


FAINT = tuple(int(0.75 * c) for c in CLOTH)


@pytest.mark.parametrize(
    ("marks", "doubted", "reason"),
    [
        ((), False, "nothing is left"),
        ((("spot", 530, 60, 34, FAINT),), False, "a faint stain without anything in it is no body"),
        (
            (("body", 530, 60, 34, IVORY),),
            True,
            "a disc in the dice's colour may be a die whose pips cannot be seen",
        ),
        (
            (("body", 530, 60, 34, (40, 40, 190)), ("pip", 530, 60, 8, INK)),
            True,
            "a body of another colour with something like a pip in it",
        ),
        ((("pip", 530, 60, 7, (250, 250, 250)),), True, "one very strong round spot"),
    ],
)
def test_places_left_unread(
    marks: tuple[tuple[str, int, int, int, tuple[int, int, int]], ...], doubted: bool, reason: str
) -> None:
    reading = read(_with(*marks), reader="pips")
    left = [d for d in reading.doubts if d.key.startswith("unread") or d.key == "die_like"]
    read_more = len(reading.dice) > len(DICE)
    assert bool(left or read_more) is doubted, (reason, reading.doubts)
    assert reading.certain is not doubted or read_more
    assert np.isfinite([d.x_px or 0.0 for d in left]).all()


@pytest.mark.parametrize(
    ("face", "pip", "certain", "reason"),
    [
        (4, 0.1, True, "pips of the usual size"),
        (4, 0.045, False, "very small ones set far apart may be the holes of a button"),
        (5, 0.045, True, "no button has five holes"),
    ],
)
def test_fours_like_holes_of_a_button(face: int, pip: float, certain: bool, reason: str) -> None:
    dice = [Drawn(face, x, 240, 90, 20, pip=pip) for x in (120, 320, 520)]
    reading = read(draw(dice, noise=1.0), reader="pips")
    assert [d.face for d in reading.dice] == [face] * 3
    assert [d.certain for d in reading.dice] == [certain] * 3, (reason, [d.why for d in reading.dice])
