"""The table as the page sees it: made once for all phones, with what the box shows at that moment."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.app.page import page_deps as module
from companion.app.page.page_deps import BoxFacts, PageTable
from companion.storage.journal import Journal
from companion.table.commands import BOX
from companion.table.parsing import parse
from companion.table.table import Table


def page_table(table: Table) -> PageTable:
    """A table of a simulated box with one button."""
    facts = BoxFacts(simulated=False, camera="simulated", buttons=("dudo",))
    return PageTable(table, lambda command: None, lambda: facts)


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions that were turned into data."""
    versions: list[int] = []
    tell = module.view
    monkeypatch.setattr(module, "view", lambda now: (versions.append(now.version), tell(now))[1])
    return versions


def test_a_version_is_viewed_once_with_the_lamps_of_that_version(tmp_path: Path, views: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    seen = page_table(Table(journal))
    first = seen.snapshot()
    again = [seen.wait(first.version, 0) for _ in range(40)][-1]
    assert again is first
    people = [{"name": name, "colour": "red"} for name in ("Ana", "Bea")]
    opening = {"type": "new_game", "players": people, "preset": "modern", "starter": "Ana"}
    begun = seen.do(parse(opening), None, BOX)
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert [shown.data["box"]["colour"] for shown in (first, begun)] == ["white", "blue"]
    assert views == [first.version, begun.version, begun.version + 1]
    journal.close()


def test_fifty_phones_that_wake_at_once_cost_one_view(tmp_path: Path, views: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = Table(journal)
    seen = page_table(table)
    before = seen.snapshot().version
    heard: list[int] = []
    phones = [threading.Thread(target=lambda: heard.append(seen.wait(before, 20).version)) for _ in range(50)]
    for phone in phones:
        phone.start()
    table.refresh()
    for phone in phones:
        phone.join(20)
    assert heard == [before + 1] * 50
    assert views == [before, before + 1]
    journal.close()
