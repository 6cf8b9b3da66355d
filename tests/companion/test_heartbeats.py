"""Silent threads and faults of parts are reported and taken back; a thread goes on whatever a turn raises."""

import threading
from pathlib import Path

import pytest

from companion import threads
from companion.app.companion import Companion
from companion.app.reading.reader import Reader
from companion.app.system import health
from companion.app.system.health import FaultReporter, HeartbeatMonitor
from companion.app.table_parts import Keeper, Subscriber
from companion.statistics.archive import Archive
from companion.table.folder import no_room
from companion.table.table import Fault, Table
from companion.threads import Heartbeats, Loop
from tests.clocks import FakeClock
from tests.simulated import simulated


def test_a_thread_is_heard_of_when_it_beats_and_forgotten_when_it_ends():
    clock = FakeClock()
    hearts = Heartbeats(clock.now_s)
    assert hearts.overdue() == (), "nobody is expected"
    beat = hearts.expect("looking", 5.0)
    hearts.expect("lamps", 6.0)
    for after_s, silent in ((5.0, ()), (0.5, ("looking",)), (1.0, ("lamps", "looking"))):
        clock.advance(after_s)
        assert hearts.overdue() == silent, "each has its own limit"
    assert hearts.ages_s() == {"lamps": 6.5, "looking": 6.5}
    hearts.forget("lamps")
    beat()
    assert hearts.overdue() == ()
    clock.advance(6.0)
    hearts.forget("looking")
    beat()
    assert hearts.overdue() == ()


@pytest.mark.parametrize("error", [RuntimeError("odd"), SystemExit(), MemoryError(), KeyboardInterrupt()])
def test_a_loop_goes_on_whatever_a_turn_raises(error, monkeypatch, caplog):
    monkeypatch.setattr(threads, "AFTER_FAULT_S", 0.0)
    turns, went_on, beats = [error], threading.Event(), list[int]()

    def turn() -> float:
        if turns:
            raise turns.pop()
        went_on.set()
        return 0.001

    looped = Loop("torture", turn, lambda: beats.append(1))
    assert went_on.wait(10)
    looped.close()
    looped.close()
    assert len(beats) >= 2
    assert "torture failed and goes on" in caplog.text


def test_a_turn_with_nothing_to_do_is_heard_of_and_comes_when_woken(monkeypatch):
    monkeypatch.setattr(threads, "BEAT_S", 0.001)
    beats, heard, woken = list[int](), threading.Event(), threading.Event()

    def turn() -> None:
        if len(beats) == 5:
            monkeypatch.setattr(threads, "BEAT_S", 60.0)
            heard.set()
        elif len(beats) > 5:
            woken.set()

    looped = Loop("sleeper", turn, lambda: beats.append(1))
    assert heard.wait(10)
    looped.wake()
    assert woken.wait(10)
    looped.close()


def test_closing_does_not_wait_for_a_turn_that_hangs(monkeypatch):
    monkeypatch.setattr(threads, "CLOSE_S", 0.01)
    begun, never = threading.Event(), threading.Event()

    def hang() -> float:
        begun.set()
        never.wait(30)
        return 0.0

    looped = Loop("hanging", hang)
    assert begun.wait(10)
    looped.close()
    never.set()


def wait_for(table: Table, **faults: Fault) -> None:
    """Wait until the table publishes exactly these faults, by their parts."""
    now = table.snapshot()
    while dict(now.faults) != faults:
        later = table.wait(now.version, 10.0)
        assert later.version > now.version, f"nothing happens: {now.faults}"
        now = later


@pytest.fixture
def table(journal, monkeypatch):
    monkeypatch.setattr(health, "EVERY_S", 0.001)
    return Table(journal)


def test_a_thread_that_hangs_is_reported_on_the_page_and_taken_back(table):
    clock = FakeClock()
    hearts = Heartbeats(clock.now_s)
    beat = hearts.expect("looking", 5.0)
    monitor = Loop("heartbeats", HeartbeatMonitor(table, hearts).turn)
    clock.advance(6.0)
    wait_for(table, threads=Fault("part_hangs", (("parts", "looking"),)))
    beat()
    wait_for(table)
    monitor.close()


def test_a_subscriber_that_is_made_to_end_follows_on(journal, monkeypatch):
    """Regression: SystemExit in a subscriber ended its thread unlogged, and the lamps no longer changed."""
    monkeypatch.setattr(threads, "AFTER_FAULT_S", 0.0)
    table, heard, ends = Table(journal), threading.Event(), [SystemExit()]

    def on_change(_: object) -> None:
        if ends:
            raise ends.pop()
        heard.set()

    subscriber = Subscriber("lamps", table, on_change)
    while not heard.wait(0.01):
        table.refresh()
    subscriber.close()


def test_closing_wakes_those_who_wait_for_the_table(journal, monkeypatch):
    """Regression: a box with five such threads took 2.5 s to close."""
    monkeypatch.setattr("companion.app.table_parts.WAIT_S", 600.0)
    monkeypatch.setattr(threads, "CLOSE_S", 20.0)
    before = set(threading.enumerate())
    table, heard = Table(journal), threading.Event()
    subscriber = Subscriber("lamps", table, lambda _: heard.set())
    keeper = Loop("keeper", Keeper(table, journal, Archive(journal)).turn)
    assert heard.wait(10)
    subscriber.close()
    keeper.close()
    assert set(threading.enumerate()) <= before


SERVER_THREADS = "waitress"
"""The watchdog asks one of them a question each time: see PageServer.answers."""


@pytest.mark.slow
def test_every_thread_of_a_box_is_heard_of(tmp_path):
    before = set(threading.enumerate())
    with Companion(simulated(tmp_path), reader=Reader()) as box:
        found = {thread.name for thread in set(threading.enumerate()) - before}
        heard_of = set(box.heartbeats.ages_s())
    assert {name for name in found - heard_of if not name.startswith(SERVER_THREADS)} == set()
    assert found >= {"lights", "buttons", "looking", "keeper", "faults", "heartbeats"}
    page = Path(__file__).parents[2] / "docs" / "reference" / "reliability.md"
    text = page.read_text(encoding="utf-8")
    assert [name for name in sorted(heard_of) if f"`{name}`" not in text] == []


class Broken(Exception):
    """A fault of a part, with the reason that the table publishes."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


STUCK, TAKEN = Fault("button_stuck"), Fault("pin_taken")


def test_each_cause_is_reported_once_and_taken_back(table):
    faults = [Broken("button_stuck"), Broken("pin_taken"), Broken("pin_taken")]
    watch = Loop("faults", FaultReporter(table, lambda: tuple(faults)).turn)
    wait_for(table, button_stuck=STUCK, pin_taken=TAKEN)
    faults.pop(0)
    wait_for(table, pin_taken=TAKEN)
    faults.clear()
    wait_for(table)
    watch.close()
    watch.close()
    version = table.snapshot().version
    assert table.report("pin_taken", None).version == version, "what is over is not reported again"


def test_a_check_that_fails_does_not_end_the_watch(table, caplog):
    asked = []

    def faults() -> list[Broken]:
        asked.append(1)
        if len(asked) == 2:
            raise RuntimeError("the wire is hot")
        return [Broken("pin_taken")] if len(asked) > 2 else []

    watch = Loop("faults", FaultReporter(table, faults).turn)
    wait_for(table, pin_taken=TAKEN)
    watch.close()
    assert "the wire is hot" in caplog.text


def test_the_last_room_on_the_disk_is_left_to_the_journal(tmp_path):
    assert no_room(tmp_path, least_bytes=0) is None
    fault = no_room(tmp_path, least_bytes=10**18)
    assert fault.reason == "disk_full"
