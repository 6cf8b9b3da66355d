"""What the reader makes of scenes that no simulated table has: a board of tiles, a hand over dice."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.scenes import render, table_scene, throw
from lab.scenes.values import Cover, Thing
from vision.picture.settle import Settled, Settler
from vision.read import read

pytestmark = pytest.mark.slow

STEP_S = 0.1
TILED = 7_720_006
"""A throw before which a board of tiles shows its discs well."""


def test_discs_on_the_tiles_of_a_board_are_no_certain_aces():
    scene = throw(TILED, count=(2, 6))
    tiles = Cover("tiles", (0.5, 0.3, 0.6), (0.05, 0.05, 0.05), 17.0, 1.0, 0.0, 10.0, seed=2)
    picture = render(replace(scene, cover=tiles, tray=None, things=(), flats=()))
    lying = [(die.x_px, die.y_px, die.size_px) for die in picture.truth]
    for read_die in read(picture.image_bgr).dice:
        on_a_die = any(math.hypot(read_die.x_px - x, read_die.y_px - y) < side for x, y, side in lying)
        assert on_a_die or not read_die.certain


def reaching(x_mm: float) -> Thing:
    """A drawn hand that comes in from the right."""
    turned = ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))
    return Thing("hand", (180.0, 90.0, 30.0), (x_mm, 0.0, 40.0), turned, (0.8, 0.6, 0.5))


def test_a_drawn_hand_over_drawn_dice():
    """The same with the renderer's light, shadows and skin."""
    dice = table_scene([(5, "ivory"), (3, "red"), (2, "ivory"), (1, "black")], 3, width_px=160, height_px=120)
    with_hand = [replace(dice, things=(reaching(x),)) for x in (160.0, 100.0, 50.0)]
    rng, settler, n, said = np.random.default_rng(5), Settler(), 0, []
    for scene, pictures in [(dice, 6), *((h, 1) for h in with_hand), (with_hand[-1], 6), (dice, 6)]:
        grey = cv2.cvtColor(render(scene).image_bgr, cv2.COLOR_BGR2GRAY)
        for _ in range(pictures):
            noisy = np.clip(grey + rng.normal(0, 2, grey.shape), 0, 255).astype(np.uint8)
            settler = settler.feed(noisy, n * STEP_S)
            n += 1
        said.append(settler.word)
    assert said == [Settled.STILL, *[Settled.MOVING] * 3, Settled.HAND, Settled.STILL]
