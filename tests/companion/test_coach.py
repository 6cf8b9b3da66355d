"""The coach: exact chances, hands that count more, and the call that keeps the dice."""

from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from companion.bots.coach import WHY, advise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, Dudo, DudoPass, Pass
from companion.rules.counting import Bonuses
from companion.rules.dice import matching
from companion.rules.events import Called
from companion.rules.game import Game, apply, new_game
from companion.rules.players import RoundKind
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.texts import languages, translate

NAMES = ("Ana", "Bea")
BONUSES = Ruleset(starting_dice=3, stairs=True, hand_bonus=2)


def facing(rules: Ruleset, bid: Bid, own: tuple[int, ...], names: tuple[str, ...] = NAMES) -> SeatView:
    game = apply(new_game(rules, names, names[0]), Called(BidCall(names[0], bid)))
    return SeatView(game, names[1], ((names[1], own),))


@pytest.mark.parametrize("bid", [Bid(2, 4), Bid(3, 4), Bid(4, 4), Bid(2, 1), Bid(5, 3)])
@pytest.mark.parametrize("own", [(1, 2, 3), (4, 4, 1), (2, 2, 6)])
def test_odds_are_the_share_of_all_ways_with_stairs_and_all_alike(bid, own):
    odds = Odds(facing(BONUSES, Bid(1, 2), own))
    bonuses = Bonuses(BONUSES, bid.face, 1 if bid.face != 1 else 0, {})

    def count(hand: tuple[int, ...]) -> int:
        return matching(hand, bid.face, 1) + bonuses.of(hand)

    counts = [count(own) + count(other) for other in product(range(1, 7), repeat=3)]
    assert odds.holds(bid) * len(counts) == sum(n >= bid.quantity for n in counts)
    assert odds.exact(bid) * len(counts) == sum(n == bid.quantity for n in counts)


def test_dice_that_are_known_in_part_count_alone():
    odds = Odds(facing(BONUSES, Bid(1, 2), (1, 2)))
    assert odds.holds(Bid(2, 2)) == 1
    assert odds.holds(Bid(3, 2)) < 1


def test_aces_are_plain_in_a_palifico():
    view = facing(PRESETS["modern"], Bid(1, 2), (1, 1, 1, 1, 1))
    game = replace(view.game, round=replace(view.game.round, kind=RoundKind.PALIFICO))
    assert Odds(view).holds(Bid(5, 4)) == 1
    assert Odds(SeatView(game, view.seat, view.hands)).holds(Bid(5, 4)) < 0.01


@pytest.mark.parametrize(
    ("bid", "own", "first"),
    [
        (Bid(9, 4), (2, 2, 3, 5, 6), Dudo),
        (Bid(2, 4), (4, 4, 4, 4, 1), BidCall),
        (Bid(1, 2), (2, 3, 3, 3, 4), BidCall),
    ],
)
def test_the_call_that_wins_most_comes_first(bid, own, first):
    advice = advise(facing(PRESETS["classic"], bid, own), Random(1))
    assert isinstance(advice.calls[0].call, first)
    assert [one.wins for one in advice.calls] == sorted((one.wins for one in advice.calls), reverse=True)
    assert {type(one.call) for one in advice.calls} == {BidCall, Dudo, Calza}
    assert advice.best in advice.calls
    assert advice.why


def test_on_thirty_dice_the_doubt_is_named_before_the_best_raise():
    """The example of the rules: ten fours, holding 2,2,2,6,6."""
    view = facing(PRESETS["modern"], Bid(10, 4), (2, 2, 2, 6, 6), tuple("ABCDEF"))
    doubt, raised = advise(view, Random(1)).calls[:2]
    assert (doubt.call, round(100 * float(doubt.wins), 1)) == (Dudo("B"), 69.6)
    assert isinstance(raised.call, BidCall)
    assert round(100 * float(raised.wins), 1) == 63.0


def test_a_doubt_wins_when_the_bid_fails_and_shares_are_those_of_the_strong_level():
    advice = advise(facing(PRESETS["classic"], Bid(4, 4), (4, 4, 2, 3, 6)), Random(1))
    assert advice.holds is not None
    doubt = next(one for one in advice.calls if isinstance(one.call, Dudo))
    assert doubt.wins == 1 - advice.holds
    assert 0 < sum(one.share for one in advice.calls) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("bid", "own", "best", "why"),
    [
        (Bid(9, 4), (2, 2, 3, 5, 6), Dudo, "doubt"),
        (Bid(2, 4), (4, 4, 4, 4, 1), BidCall, "sure"),
    ],
)
def test_the_best_call_says_why(bid, own, best, why):
    advice = advise(facing(PRESETS["classic"], bid, own), Random(1))
    assert isinstance(advice.best.call, best)
    assert advice.why == why


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("why", WHY)
def test_a_reason_has_ten_words_at_most(why, language):
    words = translate(language, f"odds.why.{why}").split()
    assert 3 <= sum(word[0].isalpha() for word in words) <= 10


def test_before_a_bid_an_opening_is_advised_and_off_turn_none_but_challenges():
    game = new_game(PRESETS["modern"], NAMES, NAMES[0])
    advice = advise(SeatView(game, NAMES[0], ((NAMES[0], (5, 5, 5, 1, 2)),)), Random(1))
    assert (advice.holds, advice.exact) == (None, None)
    assert {type(one.call) for one in advice.calls} == {BidCall}
    assert advise(SeatView(game, NAMES[1], ()), Random(1)).calls == ()
    assert advise(SeatView(game, NAMES[1], ()), Random(1)).best is None


def test_after_a_pass_its_doubt_is_advised():
    def passed(game: Game) -> Game:
        return apply(game, Called(Pass(NAMES[1])))

    view = facing(PRESETS["modern"], Bid(2, 4), (2, 2, 3, 3, 3))
    advice = advise(SeatView(passed(view.game), NAMES[0], ((NAMES[0], (1, 2, 2, 4, 6)),)), Random(1))
    assert {type(one.call) for one in advice.calls} == {BidCall, DudoPass}
