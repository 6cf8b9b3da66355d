"""The coach: exact chances and the call that keeps the dice, and what of it the page tells a phone."""

from random import Random

import pytest

from companion.bots.coach import advise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, Dudo, DudoPass, Pass
from companion.rules.events import Called
from companion.rules.game import apply
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.table.table import Table
from companion.texts import languages, translate
from tests.companion.at_table import begin, play, said
from tests.companion.outside.tables import ChanceTable
from tests.new_games import new_game
from web.pages.dialogs import coaching

NAMES = ("Ana", "Bea")
BONUSES = Ruleset(starting_dice=3, stairs=True, hand_bonus=2)


def facing(rules: Ruleset, bid: Bid, own: tuple[int, ...], names: tuple[str, ...] = NAMES) -> SeatView:
    return SeatView(said(rules, names, f"{bid}"), names[1], ((names[1], own),))


def test_dice_that_are_known_in_part_count_alone():
    odds = Odds(facing(BONUSES, Bid(1, 2), (1, 2)))
    assert odds.holds(Bid(2, 2)) == 1
    assert odds.holds(Bid(3, 2)) < 1


@pytest.mark.parametrize(
    ("bid", "own", "first", "why"),
    [
        (Bid(9, 4), (2, 2, 3, 5, 6), Dudo, "doubt"),
        (Bid(2, 4), (4, 4, 4, 4, 1), BidCall, "sure"),
    ],
)
def test_the_call_that_wins_most_comes_first_and_the_best_says_why(bid, own, first, why):
    advice = advise(facing(PRESETS["classic"], bid, own), Random(1))
    assert isinstance(advice.calls[0].call, first)
    assert [one.wins for one in advice.calls] == sorted((one.wins for one in advice.calls), reverse=True)
    assert {type(one.call) for one in advice.calls} == {BidCall, Dudo, Calza}
    assert advice.best in advice.calls
    assert isinstance(advice.best.call, first)
    assert advice.why == why


def test_a_doubt_wins_when_the_bid_fails_and_shares_are_those_of_the_strong_level():
    advice = advise(facing(PRESETS["classic"], Bid(4, 4), (4, 4, 2, 3, 6)), Random(1))
    assert advice.holds is not None
    doubt = next(one for one in advice.calls if isinstance(one.call, Dudo))
    assert doubt.wins == 1 - advice.holds
    assert 0 < sum(one.share for one in advice.calls) <= 1 + 1e-9


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("why", ["sure", "even", "bluff", "doubt", "trap", "exact", "pass"])
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


@pytest.fixture
def table(journal):
    table = Table(journal, frames=1, roll=lambda number: (4,) * number)
    table.seat({"Ana": "of Ana"})
    begin(table, "Ana Bea Carlos", rules="classic", cups="Ana")
    return table


def asked(table: Table, seat: str | None, typed: tuple[int, ...] = (), phone: str = "phone"):
    return coaching(table.snapshot(), seat, phone, typed)


def test_without_dice_there_are_odds_and_no_advice(table):
    found = asked(table, "Bea")
    assert found.advice is None
    assert 0 < found.odds.holds(Bid(5, 4)) < 1
    assert asked(table, "Bea", (4, 4)).advice is None, "two of five dice are known"


@pytest.mark.parametrize("seat", ["Ana", None])
def test_a_whole_hand_is_advised_for_the_seat_or_for_who_is_on_turn(table, seat):
    found = asked(table, seat, (4, 4, 4, 1, 1))
    assert found.odds.holds(Bid(5, 4)) == 1
    assert found.advice.calls[0].wins == 1


def test_a_phone_in_another_seat_learns_nothing_of_a_cup(table):
    mine, theirs = asked(table, "Ana", phone="of Ana"), asked(table, "Bea", phone="of Ana")
    assert mine.odds.holds(Bid(5, 4)) == 1
    assert theirs.odds.holds(Bid(5, 4)) < 1


def test_without_a_game_there_is_nothing_to_tell(table):
    assert coaching(play(table, "abandon"), "Ana", "phone", (4,) * 5) is None
    assert coaching(play(table, "away"), "Ana", "phone", ()) is None


def test_there_are_odds_as_long_as_the_dice_of_the_round_are_in_question(tmp_path):
    """At the verdict a player has fewer dice than are shown: nothing of it can be said of the next round."""
    found = []
    with ChanceTable(tmp_path / "table", people=("Ana", "Beto"), starting_dice=2) as chance:
        chance.table.seat({"Ana": "of Ana"})
        while not chance.winners:
            now = chance.act()
            found.append((now.state.game.phase, coaching(now, "Ana", "of Ana", ()) is not None))
    phases = {Phase.BIDDING: True, Phase.REVEAL: True, Phase.VERDICT: False, Phase.OVER: False}
    assert {phase: phases[phase] for phase, _ in found} == dict(found)
    assert {Phase.BIDDING, Phase.VERDICT, Phase.OVER} <= {phase for phase, _ in found}


def test_a_roll_for_seats_has_no_odds(table):
    play(table, "abandon, away")
    begin(table, "Ana Bea", cups="Ana", roll_off=True)
    assert coaching(table.snapshot(), "Ana", "of Ana", ()) is None
