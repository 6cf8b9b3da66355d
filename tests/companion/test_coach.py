"""The coach: exact chances and the call that keeps the dice, what of it a phone sees, and `dudo odds`."""

from random import Random

import pytest

from companion.__main__ import main
from companion.bots.coach import advise, best_raise
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


def test_the_best_raise_is_likeliest_and_of_equals_the_highest():
    """Three of a face, or an ace among them, are certain in the own hand; of those the highest is named."""
    game = said(PRESETS["modern"], NAMES, "2x6")
    odds = Odds(SeatView(game, "Bea", (("Bea", (1, 1, 2, 3, 4)),)))
    best = best_raise(game, odds)
    assert best == Bid(3, 4)
    assert odds.holds(best) == 1


def test_no_raise_is_best_where_none_is_left():
    game = said(PRESETS["modern"], NAMES, "2x6, 10x1")
    assert best_raise(game, Odds(SeatView(game, "Ana"))) is None


def test_the_command(capsys):
    assert main(["odds", "5x3", "--dice", "15", "--own", "3,3,1,5,6"]) == 0
    *lines, best = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "  raise:" not in line] == [
        "5 threes, 15 dice in play, holding 3,3,1,5,6:",
        "  holds                        89.60%  17635/19683",
        "  exact                        19.51%  1280/6561",
        "  best raise: 6x3 (6 threes)   70.09%  13795/19683",
        "  calza                        19.51%  1280/6561",
        "  dudo                         10.40%  2048/19683",
    ]
    assert best.startswith("Best call: raise: "), "most likely it holds, so nobody doubts"


def test_the_call_that_wins_most_is_named_first(capsys):
    """Ten fours on thirty dice, none of them one's own."""
    assert main(["odds", "10x4", "--dice", "30", "--own", "2,2,2,6,6"]) == 0
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    calls = [(line[1], next(cell for cell in line[2:] if "%" in cell).strip()) for line in lines[3:5]]
    assert calls[0] == ("dudo", "69.56%")
    assert calls[1][0].startswith("best raise: ")
    assert calls[1][1] == "62.97%"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["6x3", "--own", "1,2,3,4,5", "--rules", "snyd"], "holds                      100.00%  1"),
        (["2x5", "--own", "5,2", "--palifico"], "best raise: 3x5 (3 fives)"),
        (["2x6", "--own", "6,6", "--rules", "bluff"], "holds"),
        (["2x5", "--own", "5,1", "--house", "wild=none"], "best raise: 3x5 (3 fives)"),
    ],
)
def test_the_command_knows_the_rules_of_the_table(arguments, line, capsys):
    """A stair counts one more than its dice, a palifico keeps its face, sixes are wild."""
    assert main(["odds", "--dice", "10", *arguments]) == 0
    assert line in capsys.readouterr().out


def test_more_dice_than_a_hand_holds_are_those_of_several(capsys):
    assert main(["odds", "12x3", "--dice", "20", "--own", "3" * 12]) == 0
    assert "100.00%" in capsys.readouterr().out


def test_the_command_where_no_raise_is_left(capsys):
    assert main(["odds", "3x1", "--dice", "3", "--language", "es"]) == 0
    assert "ya no se puede subir" in capsys.readouterr().out
