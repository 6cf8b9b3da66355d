"""Faults of buttons and lamps reach the table and leave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.box.health import Health
from companion.table.journal import Journal
from companion.table.table import Table


class Broken(Exception):
    """A fault of a part, with the reason that the table tells."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def told(table: Table) -> list[tuple[str, str]]:
    return [(part, fault.reason) for part, fault in table.snapshot().faults]


def test_a_fault_of_the_box_is_told_and_taken_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite")
    table, faults = Table(journal), [Broken("button_stuck"), Broken("pin_taken")]
    health = Health(table, lambda: faults, every_s=1000.0)
    assert told(table) == [("box", "button_stuck")]
    faults.pop(0)
    health.look()
    assert told(table) == [("box", "pin_taken")]
    version = table.snapshot().version
    health.look()
    assert table.snapshot().version == version
    faults.clear()
    health.look()
    assert told(table) == []
    health.close()
    health.close()
    journal.close()


def test_a_look_that_fails_does_not_end_the_watch(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(tmp_path / "games.sqlite")
    table, asked = Table(journal), []

    def faults() -> list[Broken]:
        asked.append(1)
        if len(asked) == 2:
            raise RuntimeError("the wire is hot")
        return [Broken("pin_taken")] if len(asked) > 2 else []

    health = Health(table, faults, every_s=0.001)
    now = table.snapshot()
    while not now.faults:
        now = table.wait(now.version, 10.0)
    health.close()
    journal.close()
    assert told(table) == [("box", "pin_taken")]
    assert "the wire is hot" in caplog.text
