"""Exact odds: against counting every way the dice can fall, and through the command."""

import pytest

from companion.__main__ import main
from companion.bots.coach import best_raise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.presets import MODERN
from tests.companion.at_table import said


def test_the_best_raise_is_likeliest_and_of_equals_the_highest():
    """Three of a face, or an ace among them, are certain in the own hand; of those the highest is named."""
    game = said(MODERN, ("Ana", "Beto"), "2x6")
    odds = Odds(SeatView(game, "Beto", (("Beto", (1, 1, 2, 3, 4)),)))
    best = best_raise(game, odds)
    assert best == Bid(3, 4)
    assert odds.holds(best) == 1


def test_no_raise_is_best_where_none_is_left():
    game = said(MODERN, ("Ana", "Beto"), "2x6, 10x1")
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
