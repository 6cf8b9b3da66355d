"""Emblem faces shown alone a few times, then known again among other dice, always with doubt."""

from functools import lru_cache

import pytest

from tests.vision.learned.emblem_dice import SIX, drawn
from vision.learned.emblems import examples, shown_alone
from vision.learned.taught import Taught
from vision.read import read

pytestmark = pytest.mark.slow

THROW = (6, 3, 6, 1, 5, 2)


@lru_cache(maxsize=4)
def lessons(emblem: str) -> tuple[Taught, ...]:
    """Two showings of one die."""
    pictures = [drawn((SIX,), seed, emblem).image_bgr for seed in (2, 3)]
    return tuple(e for image in pictures for e in examples(image, shown_alone(image)[0], SIX))


@pytest.mark.parametrize("emblem", ["crown", "sun"])
def test_taught_emblems_are_read_and_stay_uncertain(emblem):
    image = drawn(THROW, 9, emblem).image_bgr
    dice = read(image, taught=lessons(emblem)).dice
    assert sorted(die.face for die in dice) == sorted(THROW)
    results = {die.face: (die.certain, die.why) for die in dice}
    assert results[SIX] == (False, ("taught",))
    assert all(certain for face, (certain, _) in results.items() if face != SIX)


def test_without_lessons_nobody_takes_an_emblem_for_a_six():
    dice = read(drawn(THROW, 9).image_bgr).dice
    assert sorted(die.face for die in dice if die.certain) == [1, 2, 3, 5]


def test_an_emblem_that_was_never_shown_is_never_certain():
    dice = read(drawn(THROW, 9, "star").image_bgr, taught=lessons("crown")).dice
    assert sorted(die.face for die in dice if die.certain) == [1, 2, 3, 5]


def test_pips_are_no_emblem():
    image = drawn((1, 2, 3, 4, 5), 4).image_bgr
    assert read(image, taught=lessons("crown")) == read(image)


@pytest.mark.parametrize(
    ("why", "faces", "things"), [("nothing", (), 0), ("one", (6,), 1), ("two", (6, 3), 2)]
)
def test_what_is_shown_must_lie_alone(why, faces, things):
    assert len(shown_alone(drawn(faces, 0).image_bgr)) == things, why
