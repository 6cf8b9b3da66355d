"""The simulated table: the real reader reads what was laid, and the same throw gives the same picture."""

import math
from functools import cache, partial
from random import Random

import numpy as np
import pytest

from hardware.cameras import simulated_dice
from hardware.cameras.simulated_dice import APART, Laid, LaidTable, laid
from tests.effort import draws
from vision.read import read
from vision.values import Die

TABLES = draws(60, 1000)
BATCHES = 6
PLAYERS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "pink", "wood", "grey")


def rolled(seed: int) -> list[tuple[int, str]]:
    """One to six players with one to five dice each."""
    rng = Random(seed)
    return [
        (rng.randint(1, 6), colour)
        for colour in rng.sample(PLAYERS, rng.randint(1, 6))
        for _ in range(rng.randint(1, 5))
    ]


@pytest.fixture(scope="module")
def one_cloth():
    """The cloth and the dice's pictures, the same every time, are made once: a third of what laying costs."""
    atlas, cloth = cache(simulated_dice._atlas), cache(simulated_dice._cloth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated_dice, "_atlas", atlas)
        patch.setattr(simulated_dice, "_cloth", lambda *sizes: cloth(*sizes).copy())
        yield


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.usefixtures("one_cloth")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_real_reader_reads_what_was_laid(batch):
    """No die is certain and wrong, and hardly any is uncertain."""
    uncertain = number = 0
    for seed in range(batch, TABLES, BATCHES):
        table = laid(rolled(seed), seed)
        found = read(table.image_bgr).dice
        for die in filter(lambda die: die.certain, found):
            nearest = min(range(len(table.dice)), key=partial(away, table, die))
            assert away(table, die, nearest) < 0.3 * table.dice[nearest].size_px, f"seed {seed}"
            assert die.face == table.dice[nearest].face, f"seed {seed}"
        number += len(table.dice)
        uncertain += len(table.dice) - sum(die.certain for die in found)
    assert uncertain <= 0.01 * number + 1


@pytest.mark.parametrize("count", [0, 1, 6, 30, 60])
@pytest.mark.parametrize("size", [(1024, 768), (320, 240), (768, 1024)])
def test_dice_lie_apart_and_whole_in_the_picture(count, size):
    rows = [(1 + k % 6, PLAYERS[k // 5 % len(PLAYERS)]) for k in range(count)]
    table = laid(rows, 3, width_px=size[0], height_px=size[1])
    assert table.image_bgr.shape == (size[1], size[0], 3)
    assert [die.face for die in table.dice] == [face for face, _ in rows]
    for number, die in enumerate(table.dice):
        assert die.size_px <= die.x_px <= size[0] - die.size_px
        assert die.size_px <= die.y_px <= size[1] - die.size_px
        for other in table.dice[:number]:
            assert math.dist(at(die), at(other)) > 0.7 * APART * die.size_px


def test_the_same_throw_is_the_same_picture_and_another_seed_another():
    dice = [(3, "red"), (5, "blue")]
    first, again, other = (laid(dice, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.image_bgr, again.image_bgr)
    assert first.dice == again.dice != other.dice


@pytest.mark.slow
def test_dice_have_the_colour_that_was_asked_for():
    """The reader names most of them so: more than it does on photographs."""
    right = number = 0
    for seed in range(3):
        rows = [(face, colour) for colour in PLAYERS[:6] for face in (2, 4, 5)]
        table = laid(rows, seed)
        for die in read(table.image_bgr).dice:
            nearest = min(range(len(rows)), key=partial(away, table, die))
            right, number = right + (die.colour == rows[nearest][1]), number + 1
    assert right > 0.8 * number


def at(die: Laid) -> tuple[float, float]:
    return die.x_px, die.y_px


def away(table: LaidTable, die: Die, number: int) -> float:
    """Pixels between a die that was read and one that was laid."""
    return math.dist(at(table.dice[number]), (die.x_px, die.y_px))
