"""The test of fairness against the tables of the chi-square, and what so many throws can show."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.bids import Bid
from companion.rules.hands import Counting
from companion.rules.odds import Knowledge
from companion.statistics.fairness import (
    MIN_THROWS,
    POWER,
    chi_square_tail,
    detectable_chance,
    fairness,
    luck,
    of_all,
    throws_to_detect,
    together,
)
from companion.statistics.scores import Score

#: Upper critical values of chi-square with 5 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
#: Methods, section 1.3.6.7.4).
CRITICAL = [
    (9.236, 0.10),
    (11.070, 0.05),
    (12.833, 0.025),
    (15.086, 0.01),
    (20.515, 0.001),
    (1.610, 0.90),
    (1.145, 0.95),
    (0.831, 0.975),
    (0.554, 0.99),
    (0.210, 0.999),
]


@pytest.mark.parametrize(("statistic", "tail"), CRITICAL)
def test_the_tail_is_that_of_the_tables(statistic, tail):
    assert chi_square_tail(statistic) == pytest.approx(tail, rel=5e-3)


@pytest.mark.parametrize(
    ("counts", "statistic", "word"),
    [
        ((5, 5, 5, 5, 5, 5), 0.0, "usual"),
        ((16, 15, 4, 6, 14, 5), 15.4, "rare"),
        ((20, 8, 8, 8, 8, 8), 12.0, "rare"),
        ((40, 4, 4, 4, 4, 4), 108.0, "very_rare"),
        ((4, 5, 5, 5, 5, 5), None, "few"),
        ((0,) * 6, None, "few"),
    ],
)
def test_counts_are_judged(counts, statistic, word):
    found = fairness(counts)
    assert found.statistic == (pytest.approx(statistic) if statistic is not None else None)
    assert found.word == word
    assert (found.notices is None) == (found.throws < MIN_THROWS)


def _noncentral_tail(statistic: float, noncentrality: float) -> float:
    """P(X >= statistic): a Poisson mixture of chi-squares of 5, 7, 9, ... degrees."""
    tail, found = chi_square_tail(statistic), 0.0
    term = (statistic / 2) ** 2.5 * math.exp(-statistic / 2) / math.gamma(3.5)
    for k in range(200):
        found += math.exp(-noncentrality / 2 + k * math.log(noncentrality / 2) - math.lgamma(k + 1)) * tail
        tail, term = tail + term, term * statistic / (2 * (k + 3.5))
    return found


def test_the_power_is_four_in_five():
    assert chi_square_tail(11.0705) == pytest.approx(0.05, abs=1e-5)
    assert _noncentral_tail(11.0705, POWER) == pytest.approx(0.8, abs=1e-3)


@given(st.integers(MIN_THROWS, 100_000))
def test_throws_and_what_they_notice_belong_together(throws):
    assert abs(throws_to_detect(detectable_chance(throws)) - throws) <= 1


@pytest.mark.parametrize(("chance", "sets"), [(0.2, 400), (0.25, 1500)])
def test_a_loaded_die_is_detected_two_times_in_three_at_least(chance, sets):
    """The promise that the page makes; four standard deviations below it would still be a broken one."""
    random = Random(2)
    throws = throws_to_detect(chance)
    weights = (chance, *((1 - chance) / 5,) * 5)
    detected = 0
    for _ in range(sets):
        faces = random.choices(range(6), weights, k=throws)
        detected += fairness(faces.count(face) for face in range(6)).word != "usual"
    assert detected / sets > 2 / 3


@given(st.integers(0, 80), st.integers(1, 80))
def test_the_share_of_players_with_such_luck_is_exact(aces, dice):
    """As many or more; or below the expected as few or fewer."""
    found = luck(Score(dice=dice, aces=min(aces, dice)))
    assert found is not None
    many = found.aces >= found.expected
    tail = Knowledge({"all": dice}, {}).holds(Bid(found.aces + (not many), 2), Counting(0))
    assert found.share == pytest.approx(float(tail if many else 1 - tail), rel=1e-9, abs=1e-12)


def test_colours_add_up():
    found = together([{"red": (1, 0, 0, 0, 0, 2)}, {"red": (1, 1, 0, 0, 0, 0), "blue": (0, 0, 3, 0, 0, 0)}])
    assert found == {"red": (2, 1, 0, 0, 0, 2), "blue": (0, 0, 3, 0, 0, 0)}
    assert of_all(found) == (2, 1, 3, 0, 0, 2)
