"""Buttons and tokens are round, dice are not, however round their edges are."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, INK, IVORY, Image
from vision.agreement.misfits import doubting_round
from vision.agreement.outline import are_round
from vision.values import Die

X, Y, SIDE = 320, 240, 70
DIE = Die(4, X, Y, SIDE, 20.0, 0.99, True, "ivory", rgb=(240, 228, 200))
PIPS = ((-16, -16), (16, -16), (-16, 16), (16, 16))


def is_round(picture: Image, die: Die) -> bool:
    (told,) = are_round(picture, [die])
    return told


def table() -> Image:
    return np.full((480, 640, 3), CLOTH, np.uint8)


def dotted(picture: Image) -> Image:
    """With four pips, seen through a lens."""
    for x, y in PIPS:
        cv2.circle(picture, (X + x, Y + y), 6, INK, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def disc(radius_px: int, flat: float = 1.0, off: tuple[int, int] = (0, 0)) -> Image:
    axes = (radius_px, round(radius_px * flat))
    return dotted(cv2.ellipse(table(), (X + off[0], Y + off[1]), axes, 30, 0, 360, IVORY, -1, cv2.LINE_AA))


def body(turn_deg: float, corner: float, side: float = SIDE) -> Image:
    """A rounded square; `corner` is the radius of its corners over half its side."""
    half, radius = side / 2, corner * side / 2
    middles = np.array([(x, y) for x in (-1, 1) for y in (-1, 1)], np.float64) * (half - radius)
    angle = np.radians(turn_deg)
    middles = middles @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + (X, Y)
    around = np.radians(np.arange(0, 360, 5))
    rim = middles[:, None] + radius * np.stack([np.cos(around), np.sin(around)], axis=1)
    outline = cv2.convexHull(np.rint(16 * rim).astype(np.int32).reshape(-1, 2))
    return dotted(cv2.fillConvexPoly(table(), outline, IVORY, cv2.LINE_AA, 4))


@pytest.mark.parametrize(
    ("reason", "picture"),
    [
        ("a button", disc(42)),
        ("a small token", disc(34)),
        ("one whose face was found beside its middle", disc(42, off=(4, -4))),
        ("one seen a little aslant", disc(42, 0.96)),
    ],
)
def test_discs_are_round(reason: str, picture: Image) -> None:
    assert is_round(picture, DIE)


@pytest.mark.parametrize("corner", [0.05, 0.3, 0.5, 0.65])
@pytest.mark.parametrize("turn_deg", [0, 20, 45, 70])
def test_dice_are_not_however_round_their_edges(turn_deg: float, corner: float) -> None:
    assert not is_round(body(turn_deg, corner), DIE)


def test_a_disc_printed_round_the_pips_leaves_the_die_a_die() -> None:
    picture = cv2.circle(body(20, 0.3, 96), (X, Y), 36, (60, 60, 60), -1, cv2.LINE_AA)
    assert not is_round(dotted(picture), DIE)


def test_nothing_is_round_where_nothing_is() -> None:
    assert not is_round(table(), DIE)


@pytest.mark.parametrize("at", [(0.0, 0.0), (639.0, 479.0), (320.0, 2.0)])
def test_a_die_at_the_border_can_be_asked_about(at: tuple[float, float]) -> None:
    assert not is_round(body(0, 0.2), replace(DIE, x_px=at[0], y_px=at[1]))


def test_a_round_die_is_doubted_and_says_why() -> None:
    doubted = doubting_round(disc(42), [DIE])[0]
    assert (doubted.certain, doubted.why) == (False, ("round_body",))
    assert doubting_round(body(20, 0.4), [DIE]) == [DIE]
    unsure = replace(DIE, certain=False, why=("one_way",))
    assert doubting_round(disc(42), [unsure]) == [unsure]
