"""Things of a die's size, whatever they are: what stands out from the table, and what has a die's colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats
from vision.counting.objects import MOST_SHADES, in_shades, standing_out
from vision.picture.working import Working

TABLE, SHADE = (0.3, 0.35, 0.4), (0.8, 0.2, 0.2)
HALF_PX = 25.0
NONE = np.zeros((0, 3), np.float32)


def table(*boxes: tuple[int, int, int, int], shade: tuple[float, float, float] = SHADE) -> Floats:
    """A picture (480, 640, 3) with boxes of a colour: left, top, width, height."""
    picture = np.full((480, 640, 3), TABLE, np.float32)
    for left, top, width, height in boxes:
        cv2.rectangle(picture, (left, top), (left + width - 1, top + height - 1), shade, -1)
    return picture


CASES = [
    pytest.param((), 0, id="a bare table"),
    pytest.param(((300, 200, 50, 50),), 1, id="a square of a die's size"),
    pytest.param(((300, 200, 50, 66),), 1, id="a body seen aslant"),
    pytest.param(((100, 200, 50, 50), (300, 200, 50, 50)), 2, id="two squares"),
    pytest.param(((100, 200, 200, 6),), 0, id="a thin edge"),
    pytest.param(((300, 200, 20, 20),), 0, id="a crumb"),
    pytest.param(((100, 100, 150, 150),), 0, id="a card"),
    pytest.param(((0, 200, 50, 50),), 0, id="at the border"),
]


@pytest.mark.parametrize(("boxes", "count"), CASES)
def test_compact_things_stand_out(boxes: tuple[tuple[int, int, int, int], ...], count: int) -> None:
    found = standing_out(Working(table(*boxes), 1.0), HALF_PX, NONE)
    assert len(found) == count
    if count:
        middles = sorted((left + w / 2, top + h / 2) for left, top, w, h in boxes)
        assert sorted(found.tolist()) == pytest.approx(np.array(middles), abs=5)


@pytest.mark.parametrize(("boxes", "count"), [case for case in CASES if case.id != "a thin edge"])
def test_patches_in_the_colour_of_dice(boxes: tuple[tuple[int, int, int, int], ...], count: int) -> None:
    found = in_shades(table(*boxes), [np.array(SHADE, np.float32)], NONE, HALF_PX)
    assert len(found) == count


def test_a_slanting_edge_in_the_colour_of_dice_is_too_thin_for_one() -> None:
    picture = table()
    cv2.line(picture, (200, 150), (320, 270), SHADE, 8)
    assert len(in_shades(picture, [np.array(SHADE, np.float32)], NONE, HALF_PX)) == 0


@pytest.mark.parametrize(("step", "count"), [(0.06, 1), (0.2, 0)])
def test_light_falls_unevenly_but_another_colour_is_another(step: float, count: int) -> None:
    near = np.array([SHADE[0] - step, *SHADE[1:]], np.float32)
    assert len(in_shades(table((300, 200, 50, 50)), [near], NONE, HALF_PX)) == count


def test_two_dice_of_like_colour_do_not_tell_of_a_patch_twice() -> None:
    shades = [np.array(SHADE, np.float32) + 0.01 * k for k in range(4)]
    assert len(in_shades(table((300, 200, 50, 50)), shades, NONE, HALF_PX)) == 1


def test_colours_are_bounded() -> None:
    others = [np.array((0.1, 0.95 - 0.15 * k, 0.9), np.float32) for k in range(MOST_SHADES)]
    shades = [*others, np.array(SHADE, np.float32)]
    assert len(in_shades(table((300, 200, 50, 50)), shades, NONE, HALF_PX)) == 0


def test_what_lies_on_dice_that_were_read_is_left_out() -> None:
    picture, taken = table((300, 200, 50, 50)), np.array([[325, 225, 45]], np.float32)
    assert len(standing_out(Working(picture, 1.0), HALF_PX, taken)) == 0
    assert len(in_shades(picture, [np.array(SHADE, np.float32)], taken, HALF_PX)) == 0


@pytest.mark.parametrize("half_px", [2.0, 400.0], ids=["tiny dice", "dice larger than the picture"])
def test_dice_of_no_such_size_are_not_looked_for(half_px: float) -> None:
    assert standing_out(Working(table((300, 200, 50, 50)), 1.0), half_px, NONE).shape == (0, 2)
