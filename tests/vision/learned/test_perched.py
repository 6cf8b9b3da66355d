"""Dice that lie on other dice: what is told of them, what follows from it, what the net learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.arrays import Image
from vision.learned import perched, surroundings
from vision.learned.net import Net
from vision.learned.turns import Place
from vision.read import read
from vision.scenes import LEVELS, Picture, render, throw
from vision.training.pictures import crops, heaps
from vision.training.pictures import perched as piles
from vision.training.pictures.crops import IGNORED, Crop, Mark
from vision.training.pictures.perched import ALONE, PERCHED
from vision.values import Die, Doubt

pytestmark = pytest.mark.slow

STACKED = replace(LEVELS["easy"], stacked=1.0, tilt_deg=6.0)
SEEDS = range(7_510_000, 7_510_018)
"""Of tables that nothing was trained on, nor chosen by."""
ABOUT = 1.7
"""So many sides from the upper die's middle the lower one's is seen, from the side too."""
IN_VIEW = (0.12, 0.9)
"""Share of the lower die's top."""


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def die_at(x: float) -> Die:
    return Die(3, x, 20, 40, 0, 0.99, True, "red")


@pytest.mark.parametrize(
    ("first", "again", "told", "reason"),
    [
        (3.0, 2.6, 1, "one of the two lies on another, however it is looked at"),
        (3.0, 2.4, 0, "looked at again it does so no more"),
        (1.1, 2.6, 1, "looked at again it does so the more"),
        (0.9, 9.0, 0, "neither does, so neither is looked at again"),
    ],
)
def test_what_is_told(
    first: float, again: float, told: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(_: Image, places: Sequence[Place], net: Net) -> list[float]:
        return [first if x > 100 else -9.0 for x, *_ in places]

    monkeypatch.setattr(surroundings, "odds", say)
    monkeypatch.setattr(surroundings, "odds_again", lambda *_: again)
    doubts = perched.on_others(np.zeros((40, 300, 3), np.uint8), [die_at(50), die_at(200)])
    assert doubts == [Doubt("on_another", 200, 20, 40)][:told], reason


@pytest.mark.parametrize(
    ("reader", "expect", "doubts", "reason"),
    [
        ("both", None, {"on_another"}, "nobody knows how many there are"),
        ("both", 5, {"on_another", "count"}, "one is missing, and that is where"),
        ("both", 4, set(), "all are read: none can lie beneath"),
        ("pips", None, set(), "the pips way does without nets"),
    ],
)
def test_a_die_on_another_is_a_doubt_where_one_may_be_missing(
    reader: str, expect: int | None, doubts: set[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = render(throw(21, (3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    monkeypatch.setattr(perched, "told", lambda _, places: places[:1])
    reading = read(picture.image_bgr, expect=expect, reader=reader)
    assert {doubt.key for doubt in reading.doubts} == doubts, reason
    assert reading.certain is not bool(doubts), reason


def told(picture: Picture, number: int) -> bool:
    """Whether one of the dice is said to lie on another."""
    die = picture.truth[number]
    seen = Die(die.face, die.x_px, die.y_px, die.size_px, 0.0, 0.99, True, "white")
    return bool(perched.on_others(picture.image_bgr, [seen]))


def stack(seed: int) -> Picture:
    """A drawn table whose last die lies on the first."""
    return render(throw(seed, count=(3, 6), level=STACKED), 1000, 750)


def test_the_net_tells_dice_on_dice_from_others() -> None:
    drawn = (stack(seed) for seed in SEEDS)
    pictures = [picture for picture in drawn if IN_VIEW[0] <= picture.truth[0].visible < IN_VIEW[1]]
    assert len(pictures) >= 10
    uppers = [told(picture, -1) for picture in pictures]
    others = [told(picture, k) for picture in pictures for k in range(1, len(picture.truth) - 1)]
    assert np.mean(uppers) >= 0.5, uppers
    assert np.mean(others) <= 0.05, others


@pytest.mark.parametrize("seed", range(4))
def test_painted_piles_carry_some_dice_and_leave_those_beneath_to_nobody(seed: int) -> None:
    crop = piles.pile(rng(seed))
    on_others = [mark for mark in crop.marks if mark.face == PERCHED]
    assert {mark.face for mark in crop.marks} <= {ALONE, PERCHED, IGNORED}
    for mark in on_others:
        about = [m for m in crop.marks if m is not mark and far(m, mark) < ABOUT * mark.size_px]
        assert any(m.face == IGNORED for m in about), "a die lies under it, which is judged by nobody"


def far(one: Mark, other: Mark) -> float:
    return float(np.hypot(one.x_px - other.x_px, one.y_px - other.y_px))


def a_crop() -> Crop:
    image = np.full((crops.SIDE_PX, crops.SIDE_PX, 3), 90, np.uint8)
    return Crop(image, (Mark(80, 80, 30, float("nan"), 4),), None)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_laid_into_a_photograph_lies_on_its_die_or_beside(seed: int) -> None:
    low, *laid = piles.laid(rng(seed), a_crop(), 14.0).marks
    for mark in laid:
        beside = far(low, mark) > mark.size_px
        assert mark.face == ALONE if beside else mark.face in (PERCHED, IGNORED)
        assert beside or low.face == IGNORED, "nobody judges what is covered"


def test_nothing_is_laid_where_no_die_is_large_enough() -> None:
    small = Crop(a_crop().image_bgr, (Mark(80, 80, 9, 0.0, 4),), None)
    assert [mark.face for mark in piles.laid(rng(), small, 14.0).marks] == [ALONE]


def test_drawn_piles_have_their_upper_die_in_every_second_crop() -> None:
    made = [crop for seed in (1, 2, 5) for crop in heaps.scene_piles(rng(seed), seed, 4)]
    assert any(mark.face == PERCHED for crop in made for mark in crop.marks)


def test_where_the_border_leaves_a_die_out_nobody_judges_the_upper_one() -> None:
    scene = next(s for s in (throw(seed, count=(3, 3), level=STACKED) for seed in SEEDS) if heaps._lifted(s))
    picture = render(scene, 320, 240)
    lacking = Picture(picture.image_bgr, picture.truth[1:])
    assert [label.face for label in heaps._labels(scene, lacking)][-1] == IGNORED
