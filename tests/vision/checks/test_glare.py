"""A lamp's mirror image is told from white things, and minded only where it hides something."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.corpus import scene_of
from tests.vision.pictures import Colour, Image
from vision.checks import glare
from vision.checks.check import Checked
from vision.read import read
from vision.scenes import render
from vision.values import Die, Doubt

TABLE = np.full((480, 640, 3), (60, 50, 40), np.uint8)
X, Y, SIDE = 240, 200, 60
DIE = Die(4, X, Y, SIDE, 0.0, 0.6, False, "red")
SURE = replace(DIE, certain=True)
PLACE = Doubt("die_like", X, Y, SIDE)
RED, WHITE, DARK = (40, 30, 160), (255, 255, 255), (30, 30, 30)


def die(body: Colour, pip: Colour, *pips: tuple[int, int], pip_px: int = 6) -> Image:
    """A die on the table."""
    picture = cv2.rectangle(TABLE.copy(), (X - 30, Y - 30), (X + 30, Y + 30), body, -1)
    for x, y in pips:
        cv2.circle(picture, (X + x, Y + y), pip_px, pip, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


FOUR = ((-15, -15), (15, -15), (-15, 15), (15, 15))
SIX = (*FOUR, (-15, 0), (15, 0))


def lit(picture: Image, x_px: float, y_px: float, radius_px: float) -> Image:
    """A lamp mirrored at a place, burnt out to about a radius."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    bell = np.exp(-((x - x_px) ** 2 + (y - y_px) ** 2) / (1.2 * radius_px) ** 2)
    return np.clip(picture + 500 * bell[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("reason", "picture", "dice", "doubts", "hides"),
    [
        ("nothing shines", die(RED, WHITE, *FOUR), (DIE,), (), False),
        (
            "a lamp over a pip of a die in doubt",
            lit(die(RED, WHITE, *FOUR), X + 12, Y + 12, 12),
            (DIE,),
            (),
            True,
        ),
        ("a lamp over something left unread", lit(die(RED, WHITE), X, Y + 20, 18), (), (PLACE,), True),
        ("the die is read all the same", lit(die(RED, WHITE, *FOUR), X + 12, Y + 12, 12), (SURE,), (), False),
        (
            "the lamp is mirrored beside the die",
            lit(die(RED, WHITE, *FOUR), X + 90, Y, 14),
            (DIE,),
            (),
            False,
        ),
        ("a spark", lit(die(RED, WHITE), X, Y, 3), (DIE,), (), False),
        ("a white die with six dark pips", die(WHITE, DARK, *SIX), (DIE,), (), False),
        ("a red die with large white pips", die(RED, WHITE, *SIX, pip_px=8), (DIE,), (), False),
        ("a white die", die(WHITE, WHITE), (DIE,), (), False),
        ("a doubt about the whole picture", lit(die(RED, WHITE), X, Y, 12), (), (Doubt("blurred"),), False),
        (
            "a place at the border",
            lit(die(RED, WHITE), X, Y, 12),
            (replace(DIE, x_px=0.5, y_px=479.0),),
            (),
            False,
        ),
    ],
)
def test_glare_is_what_hides_something(
    reason: str, picture: Image, dice: tuple[Die, ...], doubts: tuple[Doubt, ...], hides: bool
) -> None:
    assert bool(glare.check(Checked(picture, dice, doubts)).keys) is hides


FLASHED = scene_of("glare", 907_007)


def glaring(shine: float) -> bool:
    """Whether advice about glare is given of a drawn picture with dice as polished as that."""
    dice = tuple(replace(d, make=replace(d.make, gloss=shine)) for d in FLASHED.dice)
    picture = render(replace(FLASHED, dice=dice), 800)
    return "glare" in [doubt.key for doubt in read(picture.image_bgr).doubts]


def test_advice_is_given_of_a_drawn_die_that_a_flash_burns_and_not_of_a_dull_one() -> None:
    assert glaring(shine=FLASHED.dice[0].make.gloss)
    assert not glaring(shine=0.9)
