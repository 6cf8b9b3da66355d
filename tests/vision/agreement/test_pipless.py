"""The last look: a body without a face is doubted, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.corpus import scene_of
from tests.vision.pictures import INK, IVORY, Colour, Drawn, Image, draw
from vision.agreement import pipless
from vision.learned import closeup
from vision.read import read
from vision.scenes import render
from vision.values import Die, Doubt, Reading

pytestmark = pytest.mark.slow

SIDE_PX = 60.0
RED, GROUND, DARKER = (60, 20, 190), (140, 120, 100), (90, 75, 60)


def die(x_px: float, y_px: float, body: Colour = IVORY) -> Die:
    """One that was read; its colour is told as red, green, blue."""
    return Die(3, x_px, y_px, SIDE_PX, 0.0, 0.99, True, "", (), (), (), rgb=body[::-1])


@pytest.mark.parametrize(
    ("side_px", "shape", "body", "nothing", "found", "reason"),
    [
        (SIDE_PX, (1, 1), RED, 0.5, 1, "it stands out, and the net does not say that it is nothing"),
        (SIDE_PX, (1, 1), RED, 0.85, 1, "what stands out has to be nothing more surely"),
        (SIDE_PX, (1, 1), RED, 0.95, 0, "a thing of a die's size, but surely none"),
        (SIDE_PX, (1, 1), IVORY, 0.5, 2, "it stands out and has the colour of a die that was read"),
        (SIDE_PX, (3.0, 0.2), RED, 0.5, 0, "a stick"),
        (3 * SIDE_PX, (1, 1), RED, 0.5, 0, "a plate"),
        (SIDE_PX / 3, (1, 1), RED, 0.5, 0, "a crumb"),
    ],
)
def test_bodies_away_from_the_dice_are_doubted(
    side_px: float,
    shape: tuple[float, float],
    body: Colour,
    nothing: float,
    found: int,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = draw([Drawn(3, 150, 150)])
    wide, high = (round(share * side_px / 2) for share in shape)
    cv2.rectangle(picture, (400 - wide, 300 - high), (400 + wide, 300 + high), body, -1)
    monkeypatch.setattr(closeup, "classes", saying(nothing))
    doubts = pipless.bodies(picture, [die(150, 150)])
    assert len(doubts) == found, reason
    assert all(np.hypot(d.x_px - 400, d.y_px - 300) < SIDE_PX / 4 for d in doubts), reason
    assert all((d.key, d.size_px) == ("unread_body", SIDE_PX) for d in doubts)


@pytest.mark.parametrize(
    ("side_px", "nothing", "doubted", "reason"),
    [
        (60, 0.85, True, "as large as dice are that can be read"),
        (60, 0.95, False, "but surely none"),
        (10, 0.2, True, "so small that no face can be read, and yet much like one"),
        (10, 0.5, False, "a speck, made large, looks like nothing less surely"),
    ],
)
def test_bodies_on_an_empty_table_are_doubted_by_their_size(
    side_px: int, nothing: float, doubted: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = draw([])
    cv2.rectangle(picture, (300, 200), (300 + side_px, 200 + side_px), RED, -1)
    monkeypatch.setattr(closeup, "classes", saying(nothing))
    assert bool(pipless.bodies(picture, [])) == doubted, reason


def test_more_bodies_than_are_looked_at_keep_a_picture_from_being_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture = draw([], (1280, 960))
    for k in range(pipless.MOST + 1):
        x, y = 40 + 150 * (k % 8), 40 + 200 * (k // 8)
        cv2.rectangle(picture, (x, y), (x + 60, y + 60), RED, -1)
    monkeypatch.setattr(closeup, "classes", saying(0.99))
    assert pipless.bodies(picture, []) == [Doubt("unread_body")]


def saying(nothing: float) -> Callable[..., np.ndarray]:
    """A close look that gives every place this chance of nothing."""
    chances = np.zeros(closeup.NOTHING + 1)
    chances[closeup.NOTHING] = nothing
    return lambda *_: chances


@pytest.mark.parametrize(
    ("x_px", "body", "nothing", "doubted", "reason"),
    [
        (385, DARKER, 0.7, False, "the shadow of the die beside it"),
        (385, DARKER, 0.4, True, "too much like a die for a shadow"),
        (500, DARKER, 0.7, True, "no die is near enough to throw it"),
        (385, RED, 0.7, True, "no shadow is red"),
        (385, INK, 0.7, True, "as dark as another die that was read"),
    ],
)
def test_shadows_are_told_from_bodies(
    x_px: int, body: Colour, nothing: float, doubted: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = draw([Drawn(3, 300, 300)], cloth=GROUND)
    cv2.rectangle(picture, (x_px - 30, 270), (x_px + 30, 330), body, -1)
    monkeypatch.setattr(closeup, "classes", saying(nothing))
    dice = [die(300, 300), die(60, 60, INK)]
    assert bool(pipless.bodies(picture, dice)) == doubted, reason


@pytest.mark.parametrize("side_px", [30.0, 60.0, 120.0])
def test_without_dice_bodies_of_any_usual_size_are_looked_for(
    side_px: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closeup, "classes", lambda *_: np.zeros(closeup.NOTHING + 1))
    picture = draw([])
    cv2.rectangle(picture, (300, 200), (300 + round(side_px), 200 + round(side_px)), RED, -1)
    assert pipless.bodies(picture, [])


def blank(picture: Image, found: Die) -> Image:
    """The face painted over with its body's colour."""
    changed = picture.copy()
    assert found.rgb
    cv2.circle(
        changed, (round(found.x_px), round(found.y_px)), round(0.55 * found.size_px), found.rgb[::-1], -1
    )
    return changed


def rolling(picture: Image, found: Die) -> Image:
    """The die blurred until no pip is left of it."""
    mask = np.zeros(picture.shape, np.uint8)
    cv2.circle(mask, (round(found.x_px), round(found.y_px)), round(0.75 * found.size_px), (1, 1, 1), -1)
    return np.where(mask > 0, cv2.GaussianBlur(picture, (0, 0), found.size_px / 5), picture)


CERTAIN = (900_002, 900_003, 900_006, 900_008, 900_012, 900_014)


@pytest.fixture(scope="module")
def drawn() -> list[tuple[Image, Reading]]:
    pictures = [render(scene_of("easy", seed), 960).image_bgr for seed in CERTAIN]
    return [(picture, read(picture)) for picture in pictures]


def test_pictures_without_such_a_body_are_certain(drawn: list[tuple[Image, Reading]]) -> None:
    assert [reading.certain for _, reading in drawn] == [True] * len(CERTAIN)


@pytest.mark.parametrize("change", [blank, rolling])
def test_dice_without_a_face_are_seldom_overlooked(
    change: Callable[[Image, Die], Image], drawn: list[tuple[Image, Reading]]
) -> None:
    fewer = [
        reading.certain
        for picture, before in drawn
        for found in before.dice
        for reading in (read(change(picture, found)),)
        if len(reading.dice) < len(before.dice)
    ]
    assert len(fewer) >= 8
    assert sum(fewer) <= 0.3 * len(fewer)
