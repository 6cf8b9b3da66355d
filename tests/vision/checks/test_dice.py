"""Dice that do not fit beside one another are never certain."""

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.checks.check import Checked, applied
from vision.checks.dice import OF_DICE, SPECK_PX, SPOTS, pairs
from vision.checks.picture import OF_PICTURES, cut_off
from vision.values import Die, Doubt

pytestmark = pytest.mark.slow


IMAGE = np.zeros((480, 640, 3), np.uint8)


def checked(*dice: Die, left: int = 0) -> tuple[Die, ...]:
    """The dice after the checks, with so many places that nobody reads."""
    places = tuple(Doubt("die_like", 10.0 * k, 400.0, 40.0) for k in range(left))
    return applied(OF_DICE, Checked(IMAGE, dice, places)).dice


def die(x: float = 100.0, size: float = 40.0) -> Die:
    return Die(4, x, 100.0, size, 0.0, 0.95, True, "white")


@pytest.mark.parametrize(
    ("other", "why", "reason"),
    [
        (die(x=145), (), "a die beside it"),
        (die(x=137), (), "two that touch, their sides read a little too large"),
        (die(x=135), ("one_thing",), "nearer than dice can lie: a side face"),
    ],
)
def test_outliers_are_never_certain(other, why, reason):
    fits = [die(x=x) for x in (100.0, 500.0, 560.0)]
    doubted = checked(*fits, other)
    assert doubted[-1].why == why, reason
    assert doubted[-1].certain is not bool(why), reason
    assert doubted[-1].confidence == (0.9 if why else 0.95), reason


RED, DARK_RED, SHADED_RED, BLUE = (180, 30, 30), (150, 25, 25), (95, 11, 11), (30, 40, 160)
DARK_BLUE = (11, 16, 84)


@pytest.mark.parametrize(
    ("angle", "rgb", "x", "certain", "reason"),
    [
        (1.0, RED, 141.0, False, "edge to edge, straight, of one colour: a domino's halves"),
        (46.0, RED, 141.0, False, "a two tells its turn but for an eighth"),
        (20.0, RED, 141.0, True, "turned: two dice that touch"),
        (8.0, DARK_RED, 141.0, False, "the top of a die and, darker, its side"),
        (1.0, SHADED_RED, 141.0, False, "the side in a quarter of the light"),
        (1.0, (45, 4, 4), 141.0, False, "the side in a twentieth of the light"),
        (1.0, (180, 30, 50), 141.0, False, "nearly of one hue"),
        (1.0, (180, 30, 64), 141.0, True, "a red and a pink"),
        (1.0, BLUE, 141.0, True, "two colours"),
        (1.0, DARK_BLUE, 141.0, True, "two colours, one of them in shade"),
        (1.0, RED, 150.0, True, "a gap between them"),
    ],
)
def test_dominoes_are_never_certain(angle, rgb, x, certain, reason):
    one, other = replace(die(), rgb=RED), replace(die(x=x), angle_deg=angle, rgb=rgb)
    assert [d.certain for d in checked(one, other)] == [certain, certain], reason


@pytest.mark.parametrize("turn", [0, 30, 45, 80, 90, 137, 180, 250, 315, 340])
@pytest.mark.parametrize(
    ("apart", "askew", "certain", "reason"),
    [
        (1.02, 0.0, False, "edge to edge and straight"),
        (1.02, 8.0, False, "nearly straight"),
        (1.02, 12.0, True, "too askew"),
        (1.11, 0.0, False, "nearly edge to edge"),
        (1.13, 0.0, True, "a gap between them"),
        (0.89, 22.0, False, "nearer than dice can lie, whatever their turn"),
        (0.91, 22.0, True, "as near as dice can lie"),
    ],
)
def test_a_domino_is_found_at_every_turn(turn, apart, askew, certain, reason):
    step, angle = math.radians(turn), (turn + askew) % 90
    one = replace(die(), rgb=RED, angle_deg=float(turn % 90))
    x, y = one.x_px + 40 * apart * math.cos(step), one.y_px + 40 * apart * math.sin(step)
    other = replace(one, x_px=x, y_px=y, angle_deg=angle)
    assert [d.certain for d in checked(one, other)] == [certain, certain], reason


@pytest.mark.parametrize(
    ("apart_px", "angle", "found", "reason"),
    [
        (56.0, 0.0, True, "1.12 sides, straight in line: still edge to edge"),
        (56.0, 10.0, False, "ten degrees askew: two dice"),
        (45.0, 20.0, False, "0.9 sides, turned: dice can lie so"),
    ],
)
def test_a_threshold_itself_belongs_to_one_side(apart_px, angle, found, reason):
    one = replace(die(size=50.0), rgb=RED, angle_deg=angle)
    assert bool(pairs([one, replace(one, x_px=100.0 + apart_px)])) is found, reason


@pytest.mark.parametrize(
    ("x", "y"), [(18.0, 240.0), (320.0, 18.0), (639.0 - 18.0, 240.0), (320.0, 479.0 - 18.0)]
)
def test_a_die_is_cut_nearer_than_so_many_sides_to_any_border(x, y):
    """Sides of 40 pixels: 0.45 of them are 18."""
    whole = replace(die(), x_px=x, y_px=y)
    out = replace(whole, x_px=x + math.copysign(0.1, x - 320), y_px=y + math.copysign(0.1, y - 240))
    assert cut_off(Checked(IMAGE, (whole, out), ())).dice == (1,)


def test_dice_of_two_sizes_touch_at_their_mean():
    """Sides of 40 and 20 pixels: 30 apart they touch."""
    for x, certain in ((126.5, False), (130.0, True)):
        pair = replace(die(), rgb=RED), replace(die(x=x, size=20.0), rgb=BLUE)
        assert [d.certain for d in checked(*pair)] == [certain, certain]


@pytest.mark.parametrize(
    ("face", "size", "certain", "reason"),
    [
        (1, 24.0, False, "a flower printed on a cloth has a dot in its middle, too"),
        (1, SPECK_PX, True, "wide enough to tell"),
        (4, 24.0, True, "four dots in a square are no flower"),
    ],
)
def test_a_speck_is_no_certain_ace(face, size, certain, reason):
    (doubted,) = checked(replace(die(size=size), face=face))
    assert doubted.certain is certain, reason


@pytest.mark.parametrize(
    ("face", "left", "doubtful", "certain", "reason"),
    [
        (1, 0, 0, True, "a table with nothing else on it"),
        (1, SPOTS - 1, 0, True, "clutter"),
        (1, SPOTS, 0, False, "a board of tiles, each with a disc on it"),
        (1, 15, 15, False, "the same, some of them taken for aces"),
        (4, SPOTS, 0, True, "four dots in a square are on no tile"),
    ],
)
def test_an_ace_among_many_like_it_is_not_certain(face, left, doubtful, certain, reason):
    dim = [
        replace(die(x=100.0 + 60 * k), face=1, certain=False, why=("one_way",))
        for k in range(1, doubtful + 1)
    ]
    *others, doubted = checked(*dim, replace(die(), face=face), left=left)
    assert doubted.certain is certain, reason
    assert others == dim, "what is doubted already stays as it is"


def test_a_check_has_one_name():
    assert not OF_DICE.keys() & OF_PICTURES.keys()


def test_each_reason_of_a_picture_is_reported_once():
    dark = Checked(IMAGE, (), (Doubt("too_dark"),))
    assert [doubt.key for doubt in applied(OF_PICTURES, dark).doubts].count("too_dark") == 1
