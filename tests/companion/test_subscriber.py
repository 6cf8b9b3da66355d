"""A thread that follows the table: every change, quiet turns, and what goes wrong in either."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.storage.journal import Journal
from companion.table import snapshot
from companion.table.snapshot import Subscriber
from companion.table.table import Table


@contextmanager
def a_table(folder: Path) -> Iterator[Table]:
    journal = Journal(folder / "games")
    try:
        yield Table(journal)
    finally:
        journal.close()


def test_quiet_turns_are_called_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "WAIT_S", 0.001)
    calls, enough = list[str](), threading.Event()

    def quiet(_: object) -> None:
        calls.append("quiet")
        if calls.count("quiet") == 2:
            enough.set()
            raise ValueError("a bad moment")

    with a_table(tmp_path) as table:
        following = Subscriber("test", table, lambda _: calls.append("change"), on_quiet=quiet)
        assert enough.wait(10), "quiet turns follow the first snapshot"
        assert calls[0] == "change"
        enough.clear()
        calls.clear()
        table.refresh()
        assert enough.wait(10), "it goes on after a quiet turn that raised"
        assert "change" in calls
        following.close()


def test_nothing_is_called_while_it_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "WAIT_S", 600.0)
    calls, begun = list[str](), threading.Event()
    with a_table(tmp_path) as table:
        following = Subscriber(
            "test", table, lambda _: begun.set(), on_quiet=lambda _: calls.append("no turn passed")
        )
        assert begun.wait(10)
        following.close()
    assert calls == []
