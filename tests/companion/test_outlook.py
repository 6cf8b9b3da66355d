"""The table as the page sees it: told once for all phones, with what the box shows at that moment."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app import outlook
from companion.app.outlook import Outlook
from companion.table.commands import parse
from companion.table.journal import Journal
from companion.table.table import Table


def box(table: Table, colour: list[str]) -> Any:
    """All of the box that an outlook asks."""
    shown = SimpleNamespace(rgb=(0.0, 0.5, 1.0), rhythm="steady")
    return SimpleNamespace(
        table=table,
        lights=SimpleNamespace(shown=lambda: SimpleNamespace(**vars(shown), colour=colour[0])),
        fingers=None,
        camera=SimpleNamespace(name="simulated"),
        buttons=SimpleNamespace(names=("dudo",)),
        groups=SimpleNamespace(remember=lambda command: None),
        can_demo=False,
        demo=None,
    )


def test_a_version_is_told_once_and_the_lamps_are_those_of_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    tell = outlook.view
    monkeypatch.setattr(outlook, "view", lambda now: (told.append(now.version), tell(now))[1])
    journal, colour = Journal(tmp_path / "journal.db"), ["amber"]
    seen = Outlook(box(Table(journal), colour))
    first = seen.snapshot()
    colour[0] = "green"
    again = [seen.wait(first.version, 0) for _ in range(40)][-1]
    assert (first.data["box"]["colour"], again.data["box"]["colour"]) == ("amber", "green")
    people = [{"name": name, "colour": "red"} for name in ("Ana", "Bea")]
    begun = seen.do(parse({"type": "new_game", "players": people, "preset": "modern", "starter": "Ana"}))
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert told == [first.version, begun.version, begun.version + 1]
    journal.close()
