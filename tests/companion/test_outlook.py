"""The table as the page sees it: told once for all phones, with what the box shows at that moment."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app import outlook
from companion.app.outlook import Outlook
from companion.table.commands import parse
from companion.table.journal import Journal
from companion.table.table import Table


def box(table: Table) -> Any:
    """All of the box that an outlook asks."""
    return SimpleNamespace(
        table=table,
        fingers=None,
        camera=SimpleNamespace(name="simulated"),
        buttons=SimpleNamespace(names=("dudo",)),
        groups=SimpleNamespace(remember=lambda command: None),
        can_demo=False,
        demo=None,
    )


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions that were turned into data."""
    versions: list[int] = []
    tell = outlook.view
    monkeypatch.setattr(outlook, "view", lambda now: (versions.append(now.version), tell(now))[1])
    return versions


def test_a_version_is_told_once_with_the_lamps_of_that_version(tmp_path: Path, told: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    seen = Outlook(box(Table(journal)))
    first = seen.snapshot()
    again = [seen.wait(first.version, 0) for _ in range(40)][-1]
    assert again is first
    people = [{"name": name, "colour": "red"} for name in ("Ana", "Bea")]
    begun = seen.do(parse({"type": "new_game", "players": people, "preset": "modern", "starter": "Ana"}))
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert [shown.data["box"]["colour"] for shown in (first, begun)] == ["white", "blue"]
    assert told == [first.version, begun.version, begun.version + 1]
    journal.close()


def test_fifty_phones_that_wake_at_once_cost_one_telling(tmp_path: Path, told: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = Table(journal)
    seen = Outlook(box(table))
    before = seen.snapshot().version
    heard: list[int] = []
    phones = [threading.Thread(target=lambda: heard.append(seen.wait(before, 20).version)) for _ in range(50)]
    for phone in phones:
        phone.start()
    table.refresh()
    for phone in phones:
        phone.join(20)
    assert heard == [before + 1] * 50
    assert told == [before, before + 1]
    journal.close()
