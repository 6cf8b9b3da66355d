"""The clock of a turn: how long, the call when it is over, announced and undone."""

import threading
from contextlib import closing
from dataclasses import replace

import pytest

from companion.app.table_parts import Runtime, TableParts, TurnClock
from companion.errors import BadCommand, StaleCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo, DudoPass
from companion.rules.legality import call_when_time_is_up, seconds_to_decide
from companion.rules.position import Phase
from companion.rules.presets import MODERN
from companion.settings import Data, Settings
from companion.storage.side_files import SideFiles
from companion.table import commands as cmd
from companion.table.commands import CLOCK, By
from companion.table.table import Table
from companion.table.view import rounds_view, view
from companion.threads import Ending, Heartbeats
from tests.clocks import FakeClock
from tests.companion.at_table import after, begin, play, said
from tests.refusals import refused

PLAYERS = ("Ana", "Beto", "Carla")
CALM = {"turn_seconds": 20}
STRICT = {**CALM, "turn_over": "dudo"}
LEAST = {**CALM, "turn_over": "least_bid"}


@pytest.mark.parametrize(
    ("house", "bids", "called"),
    [
        (STRICT, "3x4, pass", DudoPass("Carla")),
        (LEAST, "", BidCall("Ana", Bid(1, 2))),
        (LEAST, "3x4", BidCall("Beto", Bid(2, 1))),
        (LEAST, "3x4, pass", BidCall("Carla", Bid(2, 1))),
        ({**LEAST, "zhai": True, "aces_convert": False}, "15x6", BidCall("Beto", Bid(15, 6, True))),
        ({**STRICT, "opening_minimum": 4}, "", BidCall("Ana", Bid(4, 2))),
    ],
)
def test_the_call_of_whoever_did_not_decide(house, bids, called):
    """Beside the cases of row T1."""
    assert call_when_time_is_up(said(MODERN.with_house(house), PLAYERS, bids)) == called


def test_an_opening_has_twice_the_time_and_a_reveal_none():
    game = said(MODERN.with_house(STRICT), PLAYERS)
    assert seconds_to_decide(game) == 40
    assert seconds_to_decide(after(game, "3x4")) == 20
    assert seconds_to_decide(after(game, "3x4", "dudo")) == 0
    assert call_when_time_is_up(after(game, "3x4", "dudo")) is None


def start(table: Table, house: dict[str, object], script: str = "") -> None:
    begin(table, "Ana Beto Carla", script, **house)


def test_a_clock_measures_each_turn_by_itself(table):
    time = FakeClock(100.0)
    clock = TurnClock(time.now_s)
    clock.follow(table.snapshot())
    assert clock.left_s() is None
    start(table, STRICT)
    clock.follow(table.snapshot())
    time.advance(39.0)
    assert clock.left_s() == 1.0
    table.refresh()  # a new version is no new turn
    clock.follow(table.snapshot())
    assert clock.left_s() == 1.0
    play(table, "Ana 3x4")
    clock.follow(table.snapshot())
    assert clock.left_s() == 20.0
    time.advance(30.0)
    assert clock.left_s() == 0.0
    table.do(cmd.Undo())
    clock.follow(table.snapshot())
    assert clock.left_s() == 40.0


JOIN, HAND_BACK = cmd.Join("Dora"), cmd.HandBack("Beto", 3)
LEAVE_EARLIER_BIDDER = cmd.Leave("Ana")


@pytest.mark.parametrize(
    ("bids", "commands", "why"),
    [
        ("3x4", [cmd.Rename("Beto", "Bruno")], "the player on turn is renamed"),
        ("3x4", [cmd.Rename("Ana", "Anna")], "the bidder is renamed"),
        ("3x4", [JOIN, cmd.Rename("Dora", "Dori"), cmd.Leave("Dori")], "somebody comes and goes"),
        ("", [HAND_BACK, cmd.HandBack("Ana", 4)], "dice are handed back"),
        ("3x4, 4x4", [LEAVE_EARLIER_BIDDER], "another goes home, with a bid that was raised"),
        ("3x4", [cmd.Leave("Ana")], "another goes home, with the standing bid"),
        ("3x4", [cmd.Press("dudo"), cmd.Undo()], "a button was pressed, and taken back"),
        ("", [cmd.Press("dudo"), cmd.Undo()], "it is asked what was meant, and that taken back"),
    ],
)
def test_no_turn_gets_time_by_anything_but_a_call(table, bids, commands, why):
    time = FakeClock(100.0)
    clock = TurnClock(time.now_s)
    start(table, {**STRICT, "dudo_by": "anybody"}, bids)
    clock.follow(table.snapshot())
    time.advance(7.0)
    before = clock.left_s()
    for command in commands:
        table.do(command)
        clock.follow(table.snapshot())
    assert (clock.left_s() or 0) <= before, why


def test_it_stands_still_while_somebody_is_asked_and_after_a_restart(table):
    clock = TurnClock(FakeClock().now_s)
    start(table, STRICT)
    table.do(cmd.Press("dudo"))
    clock.follow(table.snapshot())
    assert clock.left_s() is None
    table.do(cmd.Undo())
    clock.follow(replace(table.snapshot(), resumed=True))
    assert clock.left_s() is None


def test_its_call_is_marked_as_such_judged_and_undone(table):
    start(table, STRICT, "Ana 3x4")
    now = table.do(cmd.TimeUp(), author=CLOCK)
    note = now.announcement
    assert (note.kind, note.by, note.player) == ("time_up", By.CLOCK, "Beto")
    play(table, "2")
    verdict = view(table.snapshot())["verdict"]
    assert verdict["by_clock"]
    assert verdict["sentences"]["en"].startswith("Beto’s time was up; ")
    assert rounds_view(table.snapshot())["rounds"][0]["verdict"]["by_clock"]
    game = play(table, "undo, undo").state.game  # the count with its verdict, and the call
    assert (game.phase, game.round.turn) == (Phase.BIDDING, "Beto")


def test_its_mark_outlives_a_new_name(table):
    start(table, STRICT, "Ana 3x4")
    table.do(cmd.TimeUp(), author=CLOCK)
    table.do(cmd.Rename("Beto", "Bruno"))
    state = table.snapshot().state
    assert (state.game.challenge, state.by_clock) == (Dudo("Bruno"), True)


def test_a_call_by_a_person_after_it_is_no_call_of_the_clock(table):
    start(table, STRICT)
    table.do(cmd.TimeUp(), author=CLOCK)
    play(table, "Beto dudo")
    assert not table.snapshot().state.by_clock


@pytest.mark.parametrize("house", [{}, CALM])
def test_without_a_consequence_the_command_is_refused(table, house):
    start(table, house)
    with refused("time_means_nothing", BadCommand):
        table.do(cmd.TimeUp(), author=CLOCK)


def test_a_turn_that_has_just_ended_is_not_ended_again(table):
    start(table, STRICT)
    before = table.snapshot().version
    play(table, "Ana 3x4")
    with pytest.raises(StaleCommand):
        table.do(cmd.TimeUp(), before, CLOCK)


def test_the_box_calls_once_the_time_is_over(tmp_path):
    """And the thread has nothing to hear of meanwhile."""
    time, ending, turns = FakeClock(), Ending(), threading.Semaphore(0)

    def heard() -> float:
        if threading.current_thread().name == "turn clock":
            turns.release()
        return 0.0

    settings = Settings(data=Data(folder=str(tmp_path)))
    with closing(ending):
        parts = TableParts(Runtime(settings, time, Heartbeats(heard), ending, SideFiles(tmp_path)))
        start(parts.table, STRICT, "Ana 3x4")
        while turns.acquire(blocking=False):
            pass
        assert all(turns.acquire(timeout=10) for _ in range(2))
        assert parts.turns.left_s() == 20.0
        before = parts.table.snapshot().version
        time.advance(20.0)
        now = parts.table.wait(before, 10.0)
        assert (now.state.game.challenge, now.state.by_clock) == (Dudo("Beto"), True)
        assert parts.turns.left_s() is None


def test_a_pause_stops_the_clock_until_it_ends_or_anybody_plays_on(table):
    time = FakeClock(0.0)
    clock = TurnClock(time.now_s)
    start(table, STRICT)
    clock.follow(table.snapshot())
    time.advance(30.0)
    for on, left_s in ((True, None), (False, 10.0), (True, None)):
        clock.follow(table.do(cmd.Pause(on)))
        assert clock.left_s() == left_s, "nobody gets more time, and nobody loses any"
        time.advance(60.0 if on else 0.0)
    assert table.snapshot().paused
    table.refresh()
    assert table.snapshot().paused, "a phone that comes or goes ends no pause"
    for command in (cmd.Rename("Beto", "Bruno"), cmd.Join("Dora"), cmd.Leave("Dora")):
        assert table.do(command).paused, "nor does a person, or another name"
    play(table, "Ana 3x4")
    clock.follow(table.snapshot())
    assert clock.left_s() == 20.0


def test_there_is_nothing_to_pause_before_a_game(table):
    with refused("no_game", BadCommand):
        table.do(cmd.Pause(True))
