"""Light in which a reading cannot be believed is told: too dark, too bright, one side without light."""

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Image, all_faces, draw
from vision.arrays import Floats
from vision.checks.check import Checked
from vision.checks.picture import light
from vision.read import read
from vision.values import Die


def table() -> Image:
    return cv2.GaussianBlur(draw(all_faces()), (0, 0), 0.8)


def lit(picture: Image, gain: float | Floats) -> Image:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def shaded(rows: slice, columns: slice) -> Image:
    """With hardly any light on a part, the edge of the shadow soft."""
    gain = np.ones(table().shape[:2])
    gain[rows, columns] = 0.1
    return lit(table(), cv2.GaussianBlur(gain, (0, 0), 12)[..., None])


def burnt(share: float) -> Image:
    """White as can be from the left, to this share of the width."""
    picture = table()
    picture[:, : round(share * picture.shape[1])] = 255
    return picture


def paper(level: int) -> Image:
    """A sheet of so many grey levels over the left third."""
    picture = table()
    picture[:, : picture.shape[1] // 3] = level
    return picture


def on_black(dice: slice) -> Image:
    """Some of the dice on a black cloth."""
    return draw(all_faces()[dice], cloth=(2, 2, 2), noise=1.0)


def dim_below() -> Image:
    """Dice on the upper half of a black cloth, and less light on the lower one."""
    picture = draw(all_faces()[:3], cloth=(20, 20, 20), noise=1.0)
    return lit(picture, np.repeat([1.0, 0.2], 240)[:, None, None])


def reflection(sides: float) -> Image:
    """With a lamp's reflection of so many sides over the first die."""
    picture, die = table(), all_faces()[0]
    radius_px = round(sides * die.side_px / 2)
    cv2.circle(picture, (round(die.x_px), round(die.y_px)), radius_px, (255, 255, 255), -1)
    return picture


HALF, THIRD = slice(0, 240), slice(0, 320)
OTHER_HALF, OTHER_THIRD = slice(240, None), slice(320, None)
ALL = slice(None)


@pytest.mark.parametrize(
    ("reason", "make", "keys"),
    [
        ("as it should be", table, []),
        ("no lamp", lambda: lit(table(), 0.05), ["too_dark"]),
        ("the lamp is on the right", lambda: shaded(ALL, THIRD), ["too_dark"]),
        ("the lamp is on the left", lambda: shaded(ALL, OTHER_THIRD), ["too_dark"]),
        ("the lamp is below", lambda: shaded(HALF, ALL), ["too_dark"]),
        ("the lamp is above", lambda: shaded(OTHER_HALF, ALL), ["too_dark"]),
        ("a reflection of a tenth burns out", lambda: burnt(0.1), []),
        ("a fifth burns out", lambda: burnt(0.2), []),
        ("a quarter burns out: a white die would not be seen there", lambda: burnt(0.25), ["too_bright"]),
        ("a third is bright paper, which burns nothing out", lambda: paper(235), []),
        ("a third is paper that does", lambda: paper(250), ["too_bright"]),
        ("a black cloth, and dice everywhere", lambda: on_black(ALL), []),
        ("a black cloth, and dice above alone: nothing tells a shadow", lambda: on_black(slice(0, 3)), []),
        ("the same, and less light below", dim_below, []),
        ("a black cloth without light", lambda: lit(on_black(ALL), 0.1), ["too_dark"]),
        ("a red lamp: the other colours still tell", lambda: lit(table(), np.array([0.8, 0.8, 9.0])), []),
    ],
)
def test_light_that_hides_dice_is_found(reason, make, keys):
    picture = make()
    assert light(Checked(picture, (), ())).keys == tuple(keys), reason


@pytest.mark.parametrize("sides", [1.3, 1.6, 2.2])
def test_a_reflection_over_a_whole_die_may_hide_it(sides):
    reading = read(reflection(sides))
    (place,) = [doubt for doubt in reading.doubts if doubt.key == "die_like"]
    die = all_faces()[0]
    assert (place.x_px, place.y_px) == pytest.approx((die.x_px, die.y_px), abs=die.side_px / 4)
    assert place.size_px == pytest.approx(die.side_px, rel=0.2)
    assert 0.01 < (place.chance or 0) < 0.2
    assert not reading.certain


@pytest.mark.parametrize(
    ("reason", "sides", "aslant"),
    [("too small", 0.3, 0), ("too large", 4.0, 0), ("as large as a die, but a strip aslant", 0.5, 85)],
)
def test_a_reflection_of_another_size_hides_no_single_die(reason, sides, aslant):
    picture = table()
    ends = (600 - aslant, 440 - aslant), (600, 440)
    cv2.line(picture, *ends, (255, 255, 255), thickness=round(sides * 60))
    dice = read(table()).dice
    assert light(Checked(picture, dice, ())).places == (), reason


@pytest.mark.parametrize(
    ("width", "height", "grey", "places"),
    [(100, 80, 250, 0), (100, 76, 250, 1), (40, 24, 250, 1), (40, 20, 250, 0), (40, 24, 240, 0)],
    ids=["five faces", "a little less", "a little more", "half a face", "bright, but not burnt out"],
)
def test_a_patch_is_as_large_as_a_die_between_half_a_face_and_five(width, height, grey, places):
    picture, die = np.zeros((480, 640, 3), np.uint8), Die(4, 100.0, 100.0, 40.0, 0.0, 0.95, True, "white")
    picture[300 : 300 + height, 400 : 400 + width] = grey
    assert len(light(Checked(picture, (die,), ())).places) == places


def test_no_empty_table_is_certain_where_white_dice_would_be_lost():
    white = np.full((480, 640, 3), 90, np.uint8)
    cv2.circle(white, (320, 240), 160, (255, 255, 255), -1)
    assert not read(white).certain
