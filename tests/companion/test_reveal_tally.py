"""The interval of the matching count: the same as by going through every way the things may be dice."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reveal.claims import Doubles, Seen, tally

HIT, MISS, UNSURE = Seen(matches=True), Seen(), Seen(certain=False)
SAID_HIT, SAID_MISS = Seen(matches=True, by_hand=True), Seen(by_hand=True)


def by_every_way(dice: list[Seen], expected: int) -> tuple[int, int]:
    """The least and the most matching dice: as few things as possible are none, and none by hand."""
    number = min(len(dice), expected)
    counts: set[int] = set()
    for way in combinations(range(len(dice)), number):
        if all(k in way for k, die in enumerate(dice) if die.by_hand):
            known = [dice[k] for k in way if dice[k].certain]
            hits = sum(die.matches for die in known)
            counts |= {hits, hits + expected - len(known)}
    return min(counts), max(counts)


@given(st.lists(st.sampled_from([HIT, MISS, UNSURE, SAID_HIT, SAID_MISS]), max_size=7), st.integers(0, 7))
def test_the_interval_is_that_of_every_way(dice, expected):
    """Where a person spoke it may be wider, never narrower."""
    spoken = sum(die.by_hand for die in dice)
    if spoken <= expected:
        found = tally(dice, expected)
        lo, hi = by_every_way(dice, expected)
        assert (found.lo, found.hi) == (lo, hi) if not spoken else found.lo <= lo <= hi <= found.hi
        assert found.unknown == max(0, expected - sum(die.certain for die in dice))
        assert found.excess == max(0, sum(die.certain for die in dice) - expected)


def of(owner: str | None, *dice: Seen) -> list[Seen]:
    return [Seen(die.matches, die.certain, die.by_hand, owner) for die in dice]


def test_what_a_person_spoke_for_is_never_the_one_too_many():
    """One of Ana's two dice is known to miss, Ben's two are unseen."""
    found = tally(of("Ana", SAID_MISS, MISS, MISS, UNSURE, UNSURE), 4, {"Ana": 2, "Ben": 2})
    assert (found.lo, found.hi, found.excess, found.swaps) == (0, 3, 1, 1)


BOTH = {"Ana": 2, "Ben": 1}


@pytest.mark.parametrize(
    ("dice", "expected", "interval", "surplus", "reason"),
    [
        (of("Ana", HIT, MISS) + of("Ben", HIT), 3, (2, 2), (), "everybody shows what he has"),
        (of("Ana", HIT) + of("Ben", HIT), 3, (2, 3), (), "Ana lacks one"),
        (of("Ben", MISS), 3, (0, 2), (), "Ana lacks both"),
        ([], 3, (0, 3), (), "nobody has shown a die"),
        (of("Ana", HIT, UNSURE) + of("Ben", HIT), 3, (2, 3), (), "an unsure one is none"),
        (of("Ana", HIT) + of("Ben", HIT, HIT), 3, (2, 3), (("Ben", 1),), "one too many there"),
        (of("Ana", HIT) + of("Ben", HIT) + of(None, HIT), 3, (3, 3), (), "nobody's may be the one"),
        (of("Ana", HIT, MISS) + of("Ben", HIT) + of("Eva", HIT), 3, (2, 2), (), "another's is none here"),
    ],
)  # fmt: skip
def test_each_players_dice_are_counted_against_the_own_number(dice, expected, interval, surplus, reason):
    found = tally(dice, expected, BOTH)
    assert ((found.lo, found.hi), found.surplus) == (interval, surplus), reason


@pytest.mark.parametrize(
    ("dice", "expected", "stranger", "reason"),
    [
        ([HIT, MISS], 2, (False, False), "all are seen"),
        ([HIT, MISS], 3, (True, True), "one is unseen: either may be nobody's"),
        ([MISS, UNSURE], 3, (False, True), "none matches"),
        ([HIT, SAID_MISS], 3, (True, False), "a person spoke for the other"),
        ([UNSURE], 3, (False, False), "what is unsure is counted nowhere"),
    ],
)
def test_a_stranger_may_lie_in_the_room_of_an_unseen_die(dice, expected, stranger, reason):
    assert tally(dice, expected).stranger == stranger, reason


def test_a_stranger_may_lie_only_where_a_player_lacks_a_die():
    assert tally(of("Ana", HIT) + of("Ben", MISS), 3, BOTH).stranger == (True, False)


@pytest.mark.parametrize(
    ("doubles", "interval", "reason"),
    [
        (Doubles(), (2, 2), "none was seen twice"),
        (Doubles(matching=1), (1, 2), "a matching one may be another seen twice"),
        (Doubles(other=1), (2, 3), "so another die, which may match, was not seen"),
        (Doubles(matching=9, other=9), (0, 3), "the interval stays within what there is"),
    ],
)
def test_dice_seen_twice_widen_the_interval(doubles, interval, reason):
    found = tally([HIT, HIT, MISS], 3, None, doubles)
    assert (found.lo, found.hi) == interval, reason
