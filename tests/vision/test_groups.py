"""Dice that look alike are found to be one group, others not."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from tests.vision.pictures import INK, IVORY, Colour, Drawn, draw
from vision.contract import to_json
from vision.groups import grouped
from vision.picture.colour import lab
from vision.picture.photos import load
from vision.read import read
from vision.values import Die

pytestmark = pytest.mark.slow

BLUE, RED, WHITE_INK = (170, 70, 20), (40, 30, 190), (240, 240, 240)
BURNT_OUT, PALE_IVORY, PALE_WHITE = (254, 254, 254), (246, 240, 222), (245, 246, 243)
CREAM = (150, 205, 235)


def in_light(per_cent: int) -> Colour:
    """Ivory lit so much less."""
    return (IVORY[0] * per_cent // 100, IVORY[1] * per_cent // 100, IVORY[2] * per_cent // 100)


def row(*kinds: tuple[Colour, Colour, float]) -> list[Drawn]:
    """A die of each kind (body, ink, side), side by side."""
    return [
        Drawn(1 + k % 6, 60.0 + 100 * k, 240, side, 15.0 * k, body, ink)
        for k, (body, ink, side) in enumerate(kinds)
    ]


@pytest.mark.parametrize(
    ("kinds", "groups", "reason"),
    [
        ([(IVORY, INK, 60)] * 4, [4], "one set"),
        ([(IVORY, INK, 60), (BLUE, WHITE_INK, 60)] * 3, [3, 3], "two players"),
        ([(IVORY, INK, 60), (BLUE, WHITE_INK, 60), (RED, WHITE_INK, 60)] * 2, [2, 2, 2], "three players"),
        ([(RED, INK, 60), (RED, WHITE_INK, 60)] * 2, [2, 2], "one colour, but dark pips and light ones"),
        ([(IVORY, INK, 44), (IVORY, INK, 78)] * 2, [2, 2], "one colour, but large ones and small ones"),
        ([(IVORY, INK, 60), (in_light(85), INK, 62)] * 2, [4], "a little darker at the table's border"),
        ([(in_light(k), INK, 60) for k in (100, 90, 80, 70, 60, 50)], [6], "light falls off along the row"),
        (
            [(IVORY, INK, side) for side in (42, 50, 60, 72, 86)],
            [2, 2, 1],
            "each is a little larger than the last",
        ),
        ([(RED, WHITE_INK, 60)], [1], "a single one"),
    ],
)
def test_equal_dice_are_one_group(kinds, groups, reason):
    reading = read(draw(row(*kinds), cloth=(95, 100, 105)))
    assert len(reading.dice) == len(kinds)
    assert [len(group.dice) for group in reading.groups] == groups, reason
    for group in reading.groups:
        assert {reading.dice[k].colour for k in group.dice} == {group.colour}


def test_each_die_is_in_one_group_and_only_those_whose_colour_is_known():
    picture = draw(row(*[(IVORY, INK, 60.0)] * 3))
    dice = read(picture, reader="pips").dice
    blank = Die(1, 500.0, 240.0, 60.0, 0.0, 0.5, False, "white", rgb=None)
    named, groups = grouped(picture, (*dice, blank))
    assert sorted(k for group in groups for k in group.dice) == [0, 1, 2]
    assert named[3] == blank


@pytest.mark.parametrize(
    ("ink", "bodies", "name", "reason"),
    [
        (INK, [BURNT_OUT] * 2 + [PALE_IVORY], "ivory", "a burnt-out body has lost its colour"),
        (INK, [BURNT_OUT] * 3, "white", "all burnt out: nothing better is known"),
        (INK, [PALE_IVORY] * 2 + [PALE_WHITE], "ivory", "most of them"),
        (INK, [(110, 105, 90)] * 2, "grey", "pips darker still: only in the shade"),
        (WHITE_INK, [(40, 40, 40)] * 2, "black", "pips lighter: black indeed"),
    ],
)
def test_a_group_is_named_by_those_whose_colour_shows(ink, bodies, name, reason):
    picture = draw(row(*[(BLUE if ink == WHITE_INK else BURNT_OUT, ink, 60.0)] * len(bodies)))
    seen = read(picture, reader="pips").dice
    dice = [replace(die, rgb=rgb) for die, rgb in zip(seen, bodies, strict=True)]
    named, (group,) = grouped(picture, dice)
    assert group.colour == name, reason
    assert {die.colour for die in named} == {name}


@pytest.mark.parametrize(
    ("kinds", "names", "reason"),
    [
        ([(IVORY, INK), (CREAM, INK)], 2, "ivory and cream"),
        ([(RED, INK), (RED, WHITE_INK)], 1, "one colour with two kinds of pips: nothing in it differs"),
    ],
)
def test_a_name_tells_colours_apart_where_the_next_likely_one_is_free(kinds, names, reason):
    reading = read(draw(row(*[(body, ink, 60.0) for body, ink in kinds * 3]), cloth=(95, 100, 105)))
    assert [len(group.dice) for group in reading.groups] == [3, 3]
    assert len({group.colour for group in reading.groups}) == names, reason


@pytest.mark.parametrize(
    "cloth", [(90, 230, 160), (60, 190, 120), (120, 220, 120)], ids=["lime", "dark lime", "green"]
)
def test_a_green_cloth_is_no_green_lamp(cloth):
    """Lamps and sky lie between amber and blue: cream dice on lime are not pink, which they would be if the
    lamp were green."""
    reading = read(draw(row((CREAM, INK, 60.0), (IVORY, INK, 60.0)), cloth=cloth))
    assert {die.colour for die in reading.dice} <= {"white", "ivory", "yellow"}


def test_no_dice_are_no_group():
    assert grouped(draw([]), ()) == ((), ())


def test_the_contract_names_the_dice_by_their_places():
    reading = read(draw(row((IVORY, INK, 60.0), (BLUE, WHITE_INK, 60.0), (IVORY, INK, 60.0))), reader="pips")
    data = json.loads(json.dumps(to_json(reading, "a.jpg", {})))
    (pair, single) = data["groups"]
    assert [data["dice"][k]["colour"] for k in pair["dice"]] == [pair["colour"]] * 2
    assert (len(single["dice"]), single["colour"]) == (1, "blue")
    assert 0 < pair["size"] < 0.2


def test_the_table_for_people_says_which_are_alike(tmp_path, capsys):
    photo = tmp_path / "dice.png"
    cv2.imwrite(str(photo), draw(row((IVORY, INK, 60.0), (BLUE, WHITE_INK, 60.0), (IVORY, INK, 60.0))))
    assert main(["read", "--reader", "pips", str(photo)]) == 0
    (alike,) = [line for line in capsys.readouterr().out.splitlines() if "alike" in line]
    pair = read(load(photo), reader="pips").groups[0]
    assert alike.strip() == f"alike: 2 {pair.colour}, 1 blue"


def test_colours_lie_where_the_standard_has_them():
    known = {
        (255, 255, 255): (100.0, 0.0, 0.0),
        (119, 119, 119): (50.03, 0.0, 0.0),
        (0, 0, 0): (0.0, 0.0, 0.0),
        (255, 0, 0): (53.24, 80.09, 67.20),
        (0, 255, 0): (87.73, -86.18, 83.18),
        (0, 0, 255): (32.30, 79.19, -107.86),
    }
    assert lab(np.array(list(known), np.float32)) == pytest.approx(np.array(list(known.values())), abs=0.05)
