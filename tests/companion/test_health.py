"""Faults of the box's parts reach the table, each by its cause, and leave it."""

import pytest

from companion.app.system import health
from companion.app.system.health import Health
from companion.table.folder import no_room
from companion.table.table import Table
from companion.threads import Loop


class Broken(Exception):
    """A fault of a part, with the reason that the table publishes."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@pytest.fixture
def table(journal, monkeypatch):
    monkeypatch.setattr(health, "EVERY_S", 0.001)
    return Table(journal)


def wait_for(table: Table, *reasons: str) -> None:
    """Wait until the table publishes exactly these reasons, each as a part of its own."""
    now = table.snapshot()
    while sorted(part for part, _ in now.faults) != sorted(reasons):
        later = table.wait(now.version, 10.0)
        assert later.version > now.version, f"nothing happens: {now.faults}"
        now = later
    assert all(part == fault.reason for part, fault in now.faults)


def test_each_cause_is_reported_once_and_taken_back(table):
    faults = [Broken("button_stuck"), Broken("pin_taken"), Broken("pin_taken")]
    watch = Loop("health", Health(table, lambda: tuple(faults)).turn)
    wait_for(table, "button_stuck", "pin_taken")
    faults.pop(0)
    wait_for(table, "pin_taken")
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

    watch = Loop("health", Health(table, faults).turn)
    wait_for(table, "pin_taken")
    watch.close()
    assert "the wire is hot" in caplog.text


def test_the_last_room_on_the_disk_is_left_to_the_journal(tmp_path):
    assert no_room(tmp_path, least_bytes=0) is None
    fault = no_room(tmp_path, least_bytes=10**18)
    assert fault.reason == "disk_full"
