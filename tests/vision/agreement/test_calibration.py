"""Calibrated probabilities of what was read."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.agreement.calibration import LOG_RANGE, calibrated, raw_odds, view_of
from vision.fits import rates
from vision.values import Die, Doubt, Nets, Pip, Reading

RATES = rates("calibration")
RAW = (0.001, 0.9, 0.02, 0.005, 0.001, 0.001)
SURE = (0.0001, 0.998, 0.0005, 0.0001, 0.0001, 0.0001)


def die(x_px: float = 100.0, *, certain: bool = True, why: tuple[str, ...] = ()) -> Die:
    raw = SURE if certain else RAW
    why = why or (() if certain else ("ways_differ",))
    return Die(2, x_px, 100.0, 40.0, 0.0, max(raw), certain, "ivory", why=why, chances=raw)


def reading(*dice: Die, doubts: tuple[Doubt, ...] = ()) -> Reading:
    return Reading(640, 480, dice, not doubts, doubts)


def none_of(found: Reading, k: int = 0) -> float:
    return 1 - sum(found.dice[k].chances)


def other_of(found: Reading, k: int = 0) -> float:
    return sum(found.dice[k].chances) - found.dice[k].chances[1]


@given(st.lists(st.sampled_from([0.0, 1e-300, 1e-9, 0.1]) | st.floats(0, 1 / 6), min_size=6, max_size=6))
def test_raw_odds_stay_in_their_range_whatever_the_chances(chances):
    low, high = LOG_RANGE
    assert low <= raw_odds(replace(die(), chances=tuple(chances))) <= high


def test_a_certain_die_is_hardly_another():
    found = calibrated(reading(die()))
    assert other_of(found) == pytest.approx(RATES["certain_face"], rel=0.01)
    assert found.unread is not None
    assert 0 < found.unread < 0.05


@pytest.mark.parametrize(
    ("worse", "reason"),
    [
        (reading(die(certain=False, why=("low_confidence",))), "it is uncertain"),
        (
            reading(die(), die(300.0, certain=False), doubts=(Doubt("slanting"),)),
            "the view is slanting and another die is uncertain",
        ),
        (reading(die(), die(120.0)), "another lies nearer than dice can"),
    ],
)
def test_what_speaks_against_a_die_raises_its_chance_to_be_another(worse, reason):
    assert other_of(calibrated(worse)) > other_of(calibrated(reading(die()))), reason


def test_a_die_whose_face_is_counted_too_is_more_often_none():
    """Things that look like a face to all voices are what is left uncertain of them."""
    differing = die(certain=False)
    counted = replace(differing, pips=(Pip(100.0, 100.0, 4.0),))
    assert none_of(calibrated(reading(counted))) > none_of(calibrated(reading(differing)))


def test_strong_dice_beside_tell_that_the_picture_is_read_well():
    doubted = die(certain=False)
    alone = calibrated(reading(doubted))
    beside = calibrated(reading(doubted, *(die(100.0 + 80 * n) for n in range(1, 6))))
    assert other_of(beside) < other_of(alone)
    assert none_of(beside) < none_of(alone)
    assert (beside.unread or 1) < (alone.unread or 0)


CLEAR = Nets(first=0.9, second=0.99, clear=True)
SURE_OF_FACE = (1e-5, 0.93, 1e-5, 1e-5, 1e-5, 1e-5)


@pytest.mark.parametrize(
    ("changes", "doubts", "seconded", "reason"),
    [
        ({}, (), True, "the first net clearly shows it, and nothing speaks for another"),
        ({"nets": replace(CLEAR, clear=False)}, (), False, "the first net does not"),
        ({"chances": RAW}, (), False, "another face is possible"),
        ({"chances": RAW, "nets": replace(CLEAR, second=None)}, (), True, "the count settles it"),
        ({}, (Doubt("slanting"),), False, "in a slanting view side faces are as clear"),
    ],
)
def test_a_face_that_both_nets_show_is_hardly_another(changes, doubts, seconded, reason):
    one = replace(die(certain=False), **{"chances": SURE_OF_FACE, "nets": CLEAR, **changes})
    found = calibrated(reading(one, doubts=doubts))
    share = other_of(found) / sum(found.dice[0].chances)
    assert (share == pytest.approx(RATES["seconded_face"])) is seconded, reason


@pytest.mark.parametrize(
    ("surer", "reason"),
    [
        ({"first": 0.95}, "the first net is surer of it"),
        ({"second": 0.999}, "the crop classifier is"),
        ({"second": None}, "it was not even asked"),
    ],
)
def test_a_die_is_less_often_none_the_surer_a_net_is(surer, reason):
    dim = Nets(first=0.5, second=0.9)
    before, after = (replace(die(certain=False), nets=nets) for nets in (dim, replace(dim, **surer)))
    assert none_of(calibrated(reading(after))) < none_of(calibrated(reading(before))), reason


def test_places_and_the_picture_get_a_chance():
    at = (300.0, 300.0, 40.0, 0.4)
    found = calibrated(reading(die(), doubts=(Doubt("die_like", *at), Doubt("no_pips", *at), Doubt("torn"))))
    like, pipless, whole = (doubt.chance for doubt in found.doubts)
    assert like is not None
    assert pipless is not None
    assert min(like, pipless) > 0
    assert whole is None
    assert (found.unread or 0) > (calibrated(reading(die())).unread or 1)


@pytest.mark.parametrize("view", [(), (Doubt("slanting"),)])
def test_a_place_is_likelier_a_die_the_surer_the_net_is(view):
    scores = (0.0, 0.1, 0.3, 0.6, 1.0)
    places = tuple(Doubt("die_like", 300.0, 300.0, 40.0, score) for score in scores)
    chances = [doubt.chance for doubt in calibrated(reading(die(), doubts=(*places, *view))).doubts]
    found = [chance for chance in chances if chance is not None]
    assert len(found) == len(scores)
    assert found == sorted(found)
    assert 0 < found[0] < 0.05
    assert 0.9 < found[-1] < 1


def test_dice_without_raw_probabilities_stay_without():
    found = calibrated(reading(die(), replace(die(300.0), chances=())))
    assert [one.chances for one in found.dice] == [(), ()]
    assert found.unread is None


def test_what_is_said_of_two_dice_stays_a_statement_about_the_two():
    """Two in line are doubted where nothing more is known; each by itself is as likely as any other."""
    touching = [replace(die(x, certain=False, why=("one_thing",)), rgb=(200, 30, 30)) for x in (100.0, 141.0)]
    alone, both = (
        calibrated(reading(die())),
        calibrated(reading(*(replace(one, chances=SURE) for one in touching))),
    )
    assert [one.chances for one in both.dice] == [alone.dice[0].chances] * 2
    assert [pair.dice for pair in both.pairs] == [(0, 1)]
    assert 0 < both.pairs[0].chance < 0.1


def test_an_uncertain_die_bears_the_doubt_of_its_pair_itself():
    one, other = (replace(die(x), rgb=(200, 30, 30)) for x in (100.0, 141.0))
    doubted = replace(other, certain=False, why=("ways_differ", "one_thing"))
    assert calibrated(reading(one, doubted)).pairs == ()


def test_darkness_makes_dice_unread_likelier():
    light, dark = calibrated(reading(die())), calibrated(reading(die(), doubts=(Doubt("too_dark"),)))
    assert light.unread is not None
    assert dark.unread == pytest.approx(light.unread + RATES["dark_unread"])


def test_dice_that_touch_are_not_crowded():
    assert not view_of([die(100.0), die(141.0)], ()).crowded
    assert view_of([die(100.0), die(130.0)], ()).crowded
    assert other_of(calibrated(reading(die(100.0), die(130.0)))) == pytest.approx(
        RATES["crowded_face"], rel=0.05
    )
