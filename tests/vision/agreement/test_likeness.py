"""What has the colour of dice that were read."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from vision.agreement.likeness import in_their_colour, of_their_colour
from vision.arrays import Image
from vision.values import Doubt

BLUE, RED, FELT, WHITE = (150, 60, 20), (40, 40, 180), (40, 90, 40), (240, 240, 240)
SIDE_PX = 60
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class At:
    """A place in a picture."""

    x_px: float
    y_px: float
    size_px: float = SIDE_PX


READ = At(80, 120)


def table(ground: Colour, body: Colour, emblem: Colour, at: tuple[int, int] = (200, 120)) -> Image:
    """A blue die where READ is, a body with an emblem in its middle elsewhere."""
    image = np.full((240, 320, 3), ground, np.uint8)
    for (x, y), colour in (((80, 120), BLUE), (at, body)):
        cv2.rectangle(image, (x - 30, y - 30), (x + 30, y + 30), colour, -1)
    cv2.circle(image, at, 16, emblem, -1)
    return image


@pytest.mark.parametrize(
    ("image", "alike", "reason"),
    [
        (table(FELT, BLUE, WHITE), True, "a die like the other, a white shield on it"),
        (table(FELT, BLUE, BLUE), True, "a blank one"),
        (table(FELT, (170, 75, 30), WHITE), True, "a little lighter: it lies nearer to the lamp"),
        (table(FELT, RED, WHITE), False, "another colour: a chip"),
        (table(FELT, RED, BLUE), False, "only its middle is of the colour"),
        (table(BLUE, BLUE, WHITE), False, "the ground is of that colour, too: a print on it"),
    ],
)
def test_a_body_of_a_die_s_colour(image: Image, alike: bool, reason: str) -> None:
    spot = At(200, 120, 44)
    assert of_their_colour(image, [spot], [READ]) == ([spot] if alike else []), reason


@pytest.mark.parametrize(
    ("image", "alike", "reason"),
    [
        (table(FELT, BLUE, BLUE), True, "what is left of a die like the other"),
        (table(FELT, RED, BLUE), True, "whatever lies round it: a red cloth may cover the rest"),
        (table(FELT, RED, RED), False, "a thing of another colour"),
        (table(FELT, BLUE, FELT), False, "the table shows through a ring"),
    ],
)
def test_what_is_left_of_a_die_has_its_colour(image: Image, alike: bool, reason: str) -> None:
    place = Doubt("die_like", 200, 120, SIDE_PX)
    assert in_their_colour(image, [place], [READ]) == ([place] if alike else []), reason
    assert in_their_colour(image, [place], []) == [], "without dice nothing is like them"


@pytest.mark.parametrize("at", [(0, 0), (319, 239), (330, 250), (160, 0)])
@pytest.mark.parametrize("side_px", [1, 5, 60, 900])
def test_any_place_and_size_has_a_colour(at: tuple[int, int], side_px: int) -> None:
    image = np.full((240, 320, 3), BLUE, np.uint8)
    assert of_their_colour(image, [At(*at, side_px)], [At(160, 120, side_px)]) == [], "all is of one colour"


def test_without_dice_nothing_is_like_them() -> None:
    assert of_their_colour(table(FELT, BLUE, WHITE), [At(200, 120)], []) == []
