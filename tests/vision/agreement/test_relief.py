"""What lies flat in the table is no certain die; what stands up from it may be one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, IVORY, Drawn, Image, draw
from vision.agreement import relief
from vision.agreement.relief import doubting_flat, signs
from vision.read import read
from vision.scenes import render, table_scene
from vision.values import Die

pytestmark = pytest.mark.slow

AT = ((170.0, 140.0), (440.0, 180.0), (300.0, 350.0))
SHADED = (175, 195, 205)


def prints(side_px: float = 80.0, turn_deg: float = 20.0) -> list[Drawn]:
    """Pictures of dice: squares of one shade with dots, alike on all sides."""
    return [Drawn(4, x, y, side_px, turn_deg) for x, y in AT]


def said(drawn: Sequence[Drawn]) -> list[Die]:
    """What both ways would say of them."""
    return [
        Die(d.face, d.x_px, d.y_px, d.side_px, d.turn_deg % 90, 0.99, True, "ivory", rgb=(240, 228, 205))
        for d in drawn
    ]


def risen(drawn: Sequence[Drawn], sides: Sequence[tuple[float, float]]) -> Image:
    """Each with a strip of a side face, seen so far beyond the top as is given, over its side."""
    under = [
        replace(d, x_px=d.x_px + u * d.side_px, y_px=d.y_px + v * d.side_px, body=SHADED, pip=0.0)
        for d, (u, v) in zip(drawn, sides, strict=True)
    ]
    return draw([die for pair in zip(under, drawn, strict=True) for die in pair])


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 45.0, 80.0])
@pytest.mark.parametrize("side_px", [45.0, 80.0, 150.0])
def test_prints_are_flat_whatever_their_size_and_turn(side_px: float, turn_deg: float) -> None:
    drawn = prints(side_px, turn_deg)
    for die in doubting_flat(draw(drawn), said(drawn)):
        assert (die.certain, die.why) == (False, ("flat",))
        assert die.confidence <= 0.9


def lit_from_a_side(picture: Image) -> Image:
    """The bodies shaded towards one side, as round edges are; the table alike everywhere."""
    shade = np.ones(picture.shape, np.float32)
    for x, y in AT:
        away = np.linspace(1.25, 0.75, 81)[None, :, None]
        shade[int(y) - 40 : int(y) + 41, int(x) - 40 : int(x) + 41] = away
    return np.clip(picture * cv2.GaussianBlur(shade, (0, 0), 2.0), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "why", "reason"),
    [
        (draw(prints(turn_deg=0)), ("flat",), "nothing of a body"),
        (draw(prints(turn_deg=0), noise=8.0), ("flat",), "noise is no relief"),
        (
            cv2.GaussianBlur(draw(prints(turn_deg=0)), (0, 0), 1.2),
            ("flat",),
            "nor is blur, alike on all sides",
        ),
        (risen(prints(turn_deg=0), [(0.12, 0.03)] * 3), (), "a strip of their side faces shows"),
    ],
)
def test_a_little_relief_is_enough(picture: Image, why: tuple[str, ...], reason: str) -> None:
    dice = said(prints(turn_deg=0))
    assert [die.why for die in doubting_flat(picture, dice)] == [why] * 3, reason


def test_bodies_paler_at_one_side_look_less_flat() -> None:
    plain = draw(prints(turn_deg=0))
    flat, lit = (signs(picture, said(prints(turn_deg=0))) for picture in (plain, lit_from_a_side(plain)))
    assert (lit[0] > flat[0] + 1).all(), "the shades of their sides lie farther apart"


@pytest.mark.parametrize(
    ("own", "colours", "certain", "reason"),
    [
        ([-3.0, -3.0, 5.0], "iii", "yyy", "one right below the lens among others like it"),
        ([6.0, 5.0, 6.0], "iii", "nnn", "all of them are flat"),
        ([-9.0, -9.0, 9.0], "iii", "yyn", "one flat beyond doubt by itself, whatever the others are"),
        ([-3.0, -3.0, 6.0], "iir", "yyn", "a print of another make beside dice"),
        ([-3.0, -3.0, 3.9], "iir", "yyy", "a die of another make that shows little relief"),
        ([12.0, 7.0, -0.5], "iii", "nny", "one that stands up among prints of its make"),
    ],
)
def test_a_die_is_judged_with_those_that_look_like_it(
    own: list[float], colours: str, certain: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rgb = {"i": (240, 228, 205), "r": (180, 30, 30)}
    dice = [replace(d, rgb=rgb[c]) for d, c in zip(said(prints()), colours, strict=True)]
    say(monkeypatch, own, own)
    found = doubting_flat(draw(prints()), dice)
    assert ["ny"[die.certain] for die in found] == list(certain), reason


def say(monkeypatch: pytest.MonkeyPatch, own: list[float], again: list[float]) -> list[float]:
    """Let dice at AT have such odds to be flat, and when looked at again; which were is told."""
    looked_at = list[float]()

    def once_more(_: Image, die: Die) -> float:
        looked_at.append(again[AT.index((die.x_px, die.y_px))])
        return looked_at[-1]

    said = (np.array(own) - relief.ALWAYS) / relief.NET_WEIGHT
    monkeypatch.setattr(relief.surroundings, "odds", lambda *_: said)
    monkeypatch.setattr(relief, "shown", lambda _, dice: np.zeros(len(dice)))
    monkeypatch.setattr(relief, "flatness_again", once_more)
    return looked_at


@pytest.mark.parametrize(
    ("own", "again", "looks", "certain", "reason"),
    [
        (2.1, 4.1, 1, False, "suspected, and all the more when looked at again"),
        (9.0, 3.9, 1, True, "it looked flat once only"),
        (1.9, 9.0, 0, True, "nothing to look at again"),
    ],
)
def test_what_seems_flat_is_looked_at_again(
    own: float, again: float, looks: int, certain: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = say(monkeypatch, [own], [again])
    (die,) = doubting_flat(draw(prints()[:1]), said(prints()[:1]))
    assert (die.certain, len(looked_at)) == (certain, looks), reason


@pytest.mark.parametrize(
    ("said_of", "looked_for", "reason"),
    [
        ([-9.0, -9.0, -9.0], 0, "the net speaks against it more than any signs can speak for it"),
        ([-1.0, -9.0, -9.0], 0, "one that may be flat among its like, which are not, and not beyond doubt"),
        ([1.0, -9.0, -9.0], 3, "one that may be flat beyond doubt, and its like beside it"),
        ([-1.0, -1.0, -1.0], 3, "all may be flat together"),
    ],
)
def test_signs_are_looked_for_only_where_they_can_matter(
    said_of: list[float], looked_for: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Die]()
    own, drawn = signs, risen(prints(), [(0.12, 0.05)] * 3)
    monkeypatch.setattr(relief.surroundings, "odds", lambda *_: np.array(said_of))
    monkeypatch.setattr(relief, "signs", lambda image, dice: asked.extend(dice) or own(image, dice))
    doubting_flat(drawn, said(prints()))
    assert len(asked) == looked_for, reason


def test_signs_never_speak_more_for_flat_than_is_said() -> None:
    for picture in (draw(prints()), draw(prints(), noise=0.0), np.full((480, 640, 3), 96, np.uint8)):
        assert (np.array(relief.SIGN_WEIGHTS) @ signs(picture, said(prints())) <= relief.MOST_SHOWN).all()


@pytest.mark.parametrize(
    ("sides", "certain", "reason"),
    [
        ([(0.12, 0.05)] * 3, [True, True, True], "dice"),
        ([(0.12, 0.05), (0.0, 0.0), (0.0, 0.0)], [True, False, False], "prints beside one die"),
    ],
)
def test_prints_beside_dice_are_told(
    sides: list[tuple[float, float]], certain: list[bool], reason: str
) -> None:
    drawn = prints()
    assert [die.certain for die in doubting_flat(risen(drawn, sides), said(drawn))] == certain, reason


def test_what_is_uncertain_already_is_left_alone() -> None:
    drawn = prints()
    dice = tuple(replace(die, certain=False, why=("one_way",)) for die in said(drawn))
    assert doubting_flat(draw(drawn), dice) == dice
    assert doubting_flat(draw(drawn), ()) == ()


@pytest.mark.parametrize("at", [(0.0, 0.0), (639.0, 479.0), (320.0, 2.0)])
def test_a_die_at_the_border_can_be_asked_about(at: tuple[float, float]) -> None:
    (die,) = said(prints()[:1])
    assert len(doubting_flat(draw([]), [replace(die, x_px=at[0], y_px=at[1])])) == 1


def test_printed_squares_are_read_but_never_for_certain() -> None:
    reading = read(draw([Drawn(face, x, y, 80.0, 20.0) for face, (x, y) in zip((4, 5, 3), AT, strict=True)]))
    assert sorted(die.face for die in reading.dice) == [3, 4, 5]
    assert not reading.certain
    assert all("flat" in die.why for die in reading.dice)


def yard() -> Image:
    """A Ludo board's yard: a frame, and four large discs of its colour in the white square."""
    picture = np.full((480, 640, 3), CLOTH, np.uint8)
    cv2.rectangle(picture, (250, 170), (390, 310), (40, 40, 190), -1)
    cv2.rectangle(picture, (268, 188), (372, 292), IVORY, -1)
    for x in (294, 346):
        for y in (214, 266):
            cv2.circle(picture, (x, y), 15, (40, 40, 190), -1, cv2.LINE_AA)
    grain = np.random.default_rng(3).normal(0, 3.0, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


def test_a_yard_of_a_board_is_no_certain_four() -> None:
    (die,) = read(yard()).dice
    assert (die.face, die.certain, die.why) == (4, False, ("flat",))


@pytest.mark.parametrize("seed", range(4))
def test_dice_right_below_the_box_stay_certain(seed: int) -> None:
    picture = render(table_scene([(face, "ivory") for face in (2, 3, 4, 5, 6)], seed)).image_bgr
    assert not any("flat" in die.why for die in read(picture).dice)
