"""A tally in place of lost dice: marks in words, given back, with late comers, on pages and in statistics."""

import pytest

from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo
from companion.rules.events import Called, Event, HandedBack, Joined, Left, NextRound, Revealed, Started
from companion.rules.explain import explain
from companion.rules.game import Game, Phase, apply
from companion.rules.judge import Reveal
from companion.rules.presets import CLASSIC
from companion.rules.records import written
from companion.statistics.exporting import game_json
from companion.statistics.record import Counted, game_record
from companion.statistics.scores import courses
from companion.storage.journal import Record
from tests.companion.playing import fold

NAMES = ("Ana", "Beto", "Carla")


def begun(*events: Event, **house: object) -> Game:
    rules = CLASSIC.with_house({"penalty": "tally", "tally_to": 3, **house})
    return fold([Started(rules, tuple((name, "") for name in NAMES), "Ana"), *events])


def judged(count: int, call: Call | None = None) -> tuple[Event, ...]:
    """Ana bids three fours, Beto calls, and so many lie there."""
    bid = Called(BidCall("Ana", Bid(3, 4)))
    return bid, Called(call or Dudo("Beto")), Revealed(Reveal(count=count))


def test_an_exact_calza_strikes_a_mark_out():
    game = apply(begun(calza_exact="regain"), HandedBack("Beto", 2))
    for event in judged(3, Calza("Beto")):
        game = apply(game, event)
    assert (game.player("Beto").marks, game.verdict.gainer, game.verdict.losers) == (1, "Beto", ())
    assert "Beto loses a mark and starts" in explain(game.verdict, "en")


@pytest.mark.parametrize(("marks", "reason"), [(0, None), (2, None), (3, "bad_marks"), (-1, "bad_marks")])
def test_marks_are_put_right_below_those_that_end_the_game(marks, reason):
    game = begun(*judged(2))
    if reason is None:
        assert apply(game, HandedBack("Ana", marks)).player("Ana").marks == marks
        return
    with pytest.raises(BadCommand) as refused:
        apply(game, HandedBack("Ana", marks))
    assert (refused.value.reason, refused.value.values["most"]) == (reason, 2)


@pytest.mark.parametrize(("loser", "marks"), [("loser", 2), ("winner", 0)])
def test_who_comes_late_is_no_better_off_than_the_worst(loser, marks):
    game = begun(HandedBack("Ana", 2), Joined("Dora"), *judged(9 if loser == "loser" else 2), loser=loser)
    assert apply(game, NextRound()).player("Dora").marks == marks


def test_whoever_goes_takes_the_marks_along():
    alone = apply(apply(begun(HandedBack("Ana", 2)), Left("Ana")), Left("Beto"))
    assert (alone.phase, alone.winner) == (Phase.OVER, "Carla")


def test_statistics_count_marks():
    rules = CLASSIC.with_house({"penalty": "tally", "tally_to": 2})
    started = Started(rules, tuple((name, "") for name in NAMES), "Ana")
    history = (started, *judged(2), NextRound(), *judged(3), NextRound(), Called(BidCall("Beto", Bid(1, 2))))
    lines = [Record(n, "2026-11-01T20:00:00+00:00", written(event)) for n, event in enumerate(history)]
    found = game_record("g", lines[0].at, lines)
    assert (found.counted, found.starting) == (Counted.MARKS, 0)
    assert courses(found) == {"Ana": (0, 1, 1), "Beto": (0, 0, 1), "Carla": (0, 0, 0)}
    exported = game_json(found)
    assert exported["starts_with"] == {"marks": 0}
    assert exported["rounds"][0]["left"]["Ana"] == {"dice": 5, "lives": 0, "marks": 1, "out": False}
