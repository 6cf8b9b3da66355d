"""A tally in place of lost dice, or dice that are gained: put right, with late comers, and in statistics."""

import pytest

from companion.errors import BadCommand
from companion.rules.events import Event, HandedBack, Joined, Left, Started
from companion.rules.explain import explain
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC
from companion.rules.records import written
from companion.statistics.exporting import game_json
from companion.statistics.record import Counted, GameRecord, game_record
from companion.statistics.scores import courses
from companion.storage.form import Record
from companion.table.table import Table
from tests.companion.at_table import after, begin, events, in_play, play, said, say
from tests.refusals import refused

NAMES = ("Ana", "Beto", "Carla")


DOUBTED = "Ana 3x4, Beto dudo"
LOST, HELD = f"{DOUBTED}, 2", f"{DOUBTED}, 3"
"""Ana is wrong, or Beto is."""


def begun(*steps: Event | str, **house: object) -> Game:
    return said(CLASSIC.with_house({"penalty": "tally", "tally_to": 3, **house}), NAMES, *steps)


def kept(script: str, **house: object) -> GameRecord:
    """A game as its journal tells of it."""
    started = Started(CLASSIC.with_house(house), tuple((name, "") for name in NAMES), "Ana")
    lines = [
        Record(n, "2026-11-01T20:00:00+00:00", written(event))
        for n, event in enumerate((started, *events(script)))
    ]
    return game_record("g", lines[0].at, lines)


def test_an_exact_calza_strikes_a_mark_out():
    game = begun(HandedBack("Beto", 2), "Ana 3x4, Beto calza, 3", calza_exact="regain")
    assert (game.player("Beto").marks, game.verdict.gainer, game.verdict.losers) == (1, "Beto", ())
    assert "Beto loses a mark and starts" in explain(game.verdict, "en")


@pytest.mark.parametrize(("marks", "reason"), [(0, None), (2, None), (3, "bad_marks"), (-1, "bad_marks")])
def test_marks_are_put_right_below_those_that_end_the_game(marks, reason):
    most = {"most": 2} if reason else {}
    with refused(reason, BadCommand, **most):
        assert begun(LOST, HandedBack("Ana", marks)).player("Ana").marks == marks


@pytest.mark.parametrize(("loser", "marks"), [("loser", 2), ("winner", 0)])
def test_who_comes_late_is_no_better_off_than_the_worst(loser, marks):
    count = 9 if loser == "loser" else 2
    game = begun(HandedBack("Ana", 2), Joined("Dora"), f"{DOUBTED}, {count}, next", loser=loser)
    assert game.player("Dora").marks == marks


def test_whoever_goes_takes_the_marks_along():
    alone = begun(HandedBack("Ana", 2), Left("Ana"), Left("Beto"))
    assert (alone.phase, alone.winner) == (Phase.OVER, "Carla")


TWICE = "Ana 3x4, Beto dudo, 2, next, Ana 3x4, Beto dudo, 2"
"""Ana has two marks, which end the game as soon as nobody is level with the best."""


@pytest.mark.parametrize(
    ("script", "winner", "why"),
    [
        (TWICE, None, "three are level"),
        (f"{TWICE}, Beto leaves", None, "two still are"),
        (f"{TWICE}, Beto leaves, Carla leaves", "Dora", "one is ahead, and plays no round for it"),
        (f"{TWICE}, next, Beto leaves, Carla leaves", "Dora", "in the middle of a round, too"),
        (f"{TWICE}, Ana leaves, Beto leaves", None, "nobody who stays has marks enough"),
        (f"{TWICE}, Beto leaves, Carla leaves, undo", None, "it can be taken back"),
    ],
)
def test_a_level_tally_ends_as_who_was_level_goes(journal, script, winner, why):
    table = Table(journal)
    begin(table, "Ana Beto Carla Dora", script, rules="classic", penalty="tally", tally_to=2)
    now = table.snapshot()
    assert (in_play(table).winner, now.state.goes_on) == (winner, winner is None), why
    assert Table(journal).snapshot().state == now.state
    record = game_record(str(now.game_id), "", journal.records(str(now.game_id)))
    assert (record.winner, record.over) == (winner, winner is not None), why


@pytest.mark.parametrize(
    ("script", "steps", "why"),
    [
        (f"{TWICE}, Beto leaves, Carla leaves", ["left Carla", "left Beto", "correction "], "with her"),
        (f"{TWICE}, Beto leaves, abandon", ["stop ", "left Beto"], "a person stopped it"),
    ],
)
def test_an_end_that_came_by_itself_is_taken_back_with_the_step_before(table, script, steps, why):
    begin(table, "Ana Beto Carla Dora", script, rules="classic", penalty="tally", tally_to=2)
    for step in steps:
        undoes = table.snapshot().undoes
        assert undoes is not None
        assert f"{undoes.kind} {undoes.player}" == step, why
        play(table, "undo")


def test_marks_put_right_end_a_tally_that_was_level(journal):
    table = Table(journal)
    begin(table, "Ana Beto Carla", TWICE, rules="classic", penalty="tally", tally_to=2)
    say(table, "hand_back", player="Beto", count=1)
    assert in_play(table).winner == "Carla"


def test_statistics_count_marks():
    found = kept(f"{LOST}, next, {HELD}, next, Beto 1x2", penalty="tally", tally_to=2)
    assert (found.counted, found.starting) == (Counted.MARKS, 0)
    assert courses(found) == {"Ana": (0, 1, 1), "Beto": (0, 0, 1), "Carla": (0, 0, 0)}
    exported = game_json(found)
    assert exported["starts_with"] == {"marks": 0}
    assert exported["rounds"][0]["left"]["Ana"] == {"dice": 5, "lives": 0, "marks": 1, "out": False}


GAIN = {"penalty": "gain", "starting_dice": 5, "out_below": 3}


@pytest.mark.parametrize(("dice", "reason"), [(1, None), (5, None), (6, "bad_count"), (0, "bad_count")])
def test_gained_dice_are_put_right_up_to_all_of_them(dice, reason):
    game = begun(LOST, **GAIN)
    most = {"most": 5} if reason else {}
    with refused(reason, BadCommand, **most):
        right = after(game, HandedBack("Ana", dice, strict=True)).player("Ana")
        assert (right.dice, right.marks, right.out) == (dice, dice - 1, False)


@pytest.mark.parametrize("strict", [False, True])
def test_who_comes_late_has_gained_as_many_dice_as_the_worst_off(strict):
    game = begun(HandedBack("Ana", 3), Joined("Dora", strict=strict), f"{LOST}, next", **GAIN)
    dora = game.player("Dora")
    assert (dora.dice, dora.marks) == (4, 3), "Ana lost with three"


def test_who_leaves_with_all_dice_in_his_turn_has_no_seat_to_come_back_to():
    with refused("out_of_game", BadCommand):
        begun(HandedBack("Ana", 5), Left("Ana", strict=True), Joined("Ana", strict=True), **GAIN)


def test_statistics_count_gained_dice_from_one():
    found = kept(f"{LOST}, next, {HELD}, next", **GAIN)
    assert courses(found) == {"Ana": (1, 2, 2), "Beto": (1, 1, 2), "Carla": (1, 1, 1)}
    assert game_json(found)["starts_with"] == {"dice": 1}
