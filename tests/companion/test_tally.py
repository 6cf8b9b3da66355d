"""A tally in place of lost dice, or dice that are gained: put right, with late comers, and in statistics."""

import pytest

from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo
from companion.rules.counting import Reveal
from companion.rules.events import Called, Event, HandedBack, Joined, Left, NextRound, Revealed, Started
from companion.rules.explain import explain
from companion.rules.game import apply
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC
from companion.rules.records import written
from companion.statistics.exporting import game_json
from companion.statistics.record import Counted, game_record
from companion.statistics.scores import courses
from companion.storage.journal import Record
from tests.companion.playing import fold
from tests.refusals import refused

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
    with refused(reason, BadCommand, most=2):
        apply(game, HandedBack("Ana", marks))


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


GAIN = {"penalty": "gain", "starting_dice": 5, "out_below": 3}


@pytest.mark.parametrize(("dice", "reason"), [(1, None), (5, None), (6, "bad_count"), (0, "bad_count")])
def test_gained_dice_are_put_right_up_to_all_of_them(dice, reason):
    game = begun(*judged(2), **GAIN)
    if reason:
        with refused(reason, BadCommand, most=5):
            apply(game, HandedBack("Ana", dice, strict=True))
        return
    right = apply(game, HandedBack("Ana", dice, strict=True)).player("Ana")
    assert (right.dice, right.marks, right.out) == (dice, dice - 1, False)


@pytest.mark.parametrize("strict", [False, True])
def test_who_comes_late_has_gained_as_many_dice_as_the_worst_off(strict):
    game = begun(HandedBack("Ana", 3), Joined("Dora", strict=strict), *judged(2), **GAIN)
    dora = apply(game, NextRound()).player("Dora")
    assert (dora.dice, dora.marks) == (4, 3), "Ana lost with three"


def test_who_leaves_with_all_dice_in_his_turn_has_no_seat_to_come_back_to():
    game = apply(begun(HandedBack("Ana", 5), **GAIN), Left("Ana", strict=True))
    with refused("out_of_game", BadCommand):
        apply(game, Joined("Ana", strict=True))


def test_statistics_count_gained_dice_from_one():
    started = Started(CLASSIC.with_house(GAIN), tuple((name, "") for name in NAMES), "Ana")
    history = (started, *judged(2), NextRound(), *judged(3), NextRound())
    lines = [Record(n, "2026-11-01T20:00:00+00:00", written(event)) for n, event in enumerate(history)]
    found = game_record("g", lines[0].at, lines)
    assert courses(found) == {"Ana": (1, 2, 2), "Beto": (1, 1, 2), "Carla": (1, 1, 1)}
    assert game_json(found)["starts_with"] == {"dice": 1}
