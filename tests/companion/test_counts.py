"""Interval and probabilities of the matching count: the same as by every way the things may be dice."""

from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.reveal.claims import Doubles, Seen, tally
from companion.reveal.counts import ONE_DIE, Pair, Thing, counts

UNREAD, MATCHING = 0.02, 1 / 3
PROBABILITY = st.floats(0.01, 0.98)


def by_every_way(
    things: list[Thing], expected: int, by_player: dict[str, int], pairs: list[Pair]
) -> tuple[float, ...]:
    """The same probabilities, each way in which things may be dice and one another by itself."""
    shares = [0.0] * (expected + 1)
    for number in range(len(pairs) + 1):
        for taken in combinations(pairs, number):
            ends = [end for pair in taken for end in (pair.first, pair.second)]
            if len(set(ends)) == len(ends):
                for way in product(*(_of_thing(thing) for k, thing in enumerate(things) if k not in ends),
                                   *(_of_pair(things, pair) for pair in taken)):  # fmt: skip
                    _add(shares, way, expected, by_player)
    whole = sum(shares)
    return tuple(share / whole for share in shares) if whole else ()


def _of_thing(thing: Thing) -> list[tuple[float, int, int, str | None]]:
    """Probability, dice, matching ones, owner."""
    none = 1 - thing.matches - thing.other
    return [(none, 0, 0, thing.owner), (thing.matches, 1, 1, thing.owner), (thing.other, 1, 0, thing.owner)]


def _of_pair(things: list[Thing], pair: Pair) -> list[tuple[float, int, int, str | None]]:
    one, other = things[pair.first], things[pair.second]
    odds, there = pair.chance / (1 - pair.chance), one.there + other.there
    single = odds * ONE_DIE
    return [
        (odds * (1 - ONE_DIE), 0, 0, one.owner),
        (single * (one.matches + other.matches) / there, 1, 1, one.owner),
        (single * (one.other + other.other) / there, 1, 0, one.owner),
    ]


def _add(
    shares: list[float],
    way: tuple[tuple[float, int, int, str | None], ...],
    expected: int,
    by_player: dict[str, int],
) -> None:
    weight, dice, hits = 1.0, sum(one[1] for one in way), sum(one[2] for one in way)
    for chance, *_ in way:
        weight *= chance
    full = all(sum(one[1] for one in way if one[3] == p) <= number for p, number in by_player.items())
    lacking = expected - dice
    if lacking < 0 or not full:
        return
    for shown in product((0, 1), repeat=lacking):
        there = weight
        for k, match in enumerate(shown, 1):
            there *= UNREAD / k * (MATCHING if match else 1 - MATCHING)
        shares[hits + sum(shown)] += there


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Thing], int, list[Pair]]:
    likely = draw(st.lists(st.tuples(PROBABILITY, PROBABILITY), min_size=1, max_size=5))
    things = [Thing(there * share, there * (1 - share)) for there, share in likely]
    every = list(combinations(range(len(things)), 2))
    chosen = draw(st.lists(st.sampled_from(every), unique=True, max_size=5)) if every else []
    pairs = [Pair(first, second, draw(st.floats(0.01, 0.5))) for first, second in chosen]
    return things, draw(st.integers(1, 6)), pairs


RARE = [Thing(1 / 4, 1 / 4), Thing(1 / 64, 1 / 64), Thing(0.012, 0.004), *2 * [Thing(0.0137, 0.002)]]
"""Five dice lie there, and hardly anything looks like one: each way is rare, one of them is true."""


@given(tables())
@example((RARE, 5, []))
def test_the_sum_is_that_of_every_way_with_a_number_for_each_player_and_without(table):
    """Ana's things come first; a pair of two players' things is nobody's."""
    things, expected, pairs = table
    half = len(things) // 2
    owned = [Thing(t.matches, t.other, "Ana" if k < half else "Ben") for k, t in enumerate(things)]
    numbers = {"Ana": expected // 2, "Ben": expected - expected // 2}
    inside = [pair for pair in pairs if (pair.first < half) == (pair.second < half)]
    for known, joined in ((numbers, inside), ({}, pairs)):
        found = counts(owned, expected, known, UNREAD, MATCHING, joined)
        assert found == pytest.approx(by_every_way(owned, expected, known, joined), abs=1e-12)
        assert sum(found) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in found)


@given(tables(), PROBABILITY)
def test_a_die_that_is_likelier_to_match_makes_high_counts_likelier(table, more):
    """At every count, the chance of so many or more never falls."""
    things, expected, _ = table
    first = things[0]
    surer = Thing(first.matches + more * first.other, (1 - more) * first.other)
    before, after = (counts([one, *things[1:]], expected, {}, UNREAD, MATCHING) for one in (first, surer))
    for count in range(expected + 1):
        assert sum(after[count:]) >= sum(before[count:]) - 1e-6


STRONG = Thing(0.9995, 0.0)


@pytest.mark.parametrize(
    ("seen", "expected", "pairs", "likeliest", "least", "reason"),
    [
        (5, 5, [(0, 1), (1, 2), (2, 3), (3, 4)], 5, 0.999, "as many as there are: in line, yet all dice"),
        (6, 5, [(0, 1)], 5, 0.9, "one too many: the pair is one die"),
        (6, 4, [(0, 1)], 4, 0.99, "two too many: the pair is a domino"),
        (8, 4, [(0, 1), (2, 3)], 4, 0.99, "two dominoes"),
        (4, 5, [], 4, 0.6, "one lies unread, and matches one time in three"),
    ],
)  # fmt: skip
def test_the_number_tells_what_two_things_are(seen, expected, pairs, likeliest, least, reason):
    joined = [Pair(first, second, 0.002) for first, second in pairs]
    shares = counts([STRONG] * seen, expected, {}, UNREAD, MATCHING, joined)
    assert max(range(expected + 1), key=lambda count: shares[count]) == likeliest, reason
    assert shares[likeliest] > least, reason


def test_a_die_entered_by_hand_is_the_die_of_its_pair():
    things = [Thing(1.0, 0.0), Thing(0.0, 0.9995), Thing(0.0, 0.9995)]
    shares = counts(things, 2, {}, UNREAD, MATCHING, [Pair(0, 1, 0.1)])
    assert shares[1] == pytest.approx(1, abs=1e-3)


def test_two_things_of_two_players_may_be_one_of_either():
    """The colour of one was read wrong: then the player who lacks none has one too many."""
    ana, ben = Thing(0.9995, 0.0, "Ana"), Thing(0.9995, 0.0, "Ben")
    apart = counts([ana, ana, ben, ben], 4, {"Ana": 2, "Ben": 2}, UNREAD, 0.0, [Pair(1, 2, 0.5)])
    assert apart[4] > 0.9


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("said", "seen", "expected"),
    [(Thing(1.0, 0.0), Thing(0.0, 0.9), (0, 1)), (Thing(0.0, 1.0), Thing(0.9, 0.0), (1, 0))],
)
def test_two_things_that_are_one_show_what_a_person_said(order, said, seen, expected):
    shares = counts([said, seen][::order], 1, {}, UNREAD, MATCHING, [Pair(0, 1, 0.3)])
    assert shares == pytest.approx(expected, abs=1e-9)


def test_two_dice_entered_by_hand_are_never_one_thing():
    """Both are there, so a third, which nobody vouches for, is the one too many of two."""
    spoken = [Thing(1.0, 0.0), Thing(0.0, 1.0)]
    shares = counts([*spoken, Thing(0.5, 0.4)], 2, {}, UNREAD, MATCHING, [Pair(0, 1, 0.5)])
    assert shares == pytest.approx((0.0, 1.0, 0.0))
    assert counts([*spoken, *spoken], 2, {}, UNREAD, MATCHING) == (), "nor are there four of two"


HIT, MISS, UNSURE = Seen(matches=True), Seen(), Seen(certain=False)
SAID_HIT, SAID_MISS = Seen(matches=True, by_hand=True), Seen(by_hand=True)


def interval_by_every_way(dice: list[Seen], expected: int) -> tuple[int, int]:
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
        lo, hi = interval_by_every_way(dice, expected)
        assert (found.lo, found.hi) == (lo, hi) if not spoken else found.lo <= lo <= hi <= found.hi
        assert found.unknown == max(0, expected - sum(die.certain for die in dice))
        assert found.excess == max(0, sum(die.certain for die in dice) - expected)
        assert found.swaps >= 0


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
    ("dice", "expected", "numbers", "stranger", "reason"),
    [
        ([HIT, MISS], 2, {}, (False, False), "all are seen"),
        ([HIT, MISS], 3, {}, (True, True), "one is unseen: either may be nobody's"),
        ([MISS, UNSURE], 3, {}, (False, True), "none matches"),
        ([HIT, SAID_MISS], 3, {}, (True, False), "a person spoke for the other"),
        ([UNSURE], 3, {}, (False, False), "what is unsure is counted nowhere"),
        (of("Ana", HIT) + of("Ben", MISS), 3, BOTH, (True, False), "Ben lacks no die"),
    ],
)
def test_a_stranger_may_lie_in_the_room_of_an_unseen_die(dice, expected, numbers, stranger, reason):
    assert tally(dice, expected, numbers).stranger == stranger, reason


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
