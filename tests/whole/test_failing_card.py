"""A box at work whose card fails: it comes up with all that is left and says what is missing."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app.companion import Companion
from companion.errors import StorageError
from companion.storage import copies
from companion.table.journal import Journal
from companion.table.parsing import parse
from companion.table.view import view
from hardware.ports import BoxState
from tests.soak.data_folder import NAME, Folder, played
from tests.whole.conftest import at_work
from tests.whole.test_box_faults import faults_shown, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Two games and a half, the box switched off in good order."""
    return played(tmp_path_factory.mktemp("evening"), 2, 5, closed=True)


def page(companion: Companion, path: str = "/") -> str:
    return urllib.request.urlopen(f"http://127.0.0.1:{companion.port}{path}").read().decode()


def say(companion: Companion, kind: str, **more: Any) -> None:
    companion.table.do(parse({"type": kind, **more}))


def lamp(companion: Companion) -> BoxState:
    companion.signals.show(companion.table.snapshot())
    return companion.parts.lights.shown().view.state


def eventually(true: Callable[[], bool]) -> None:
    """Wait for what happens in the back; fails after half a minute."""
    until_s, pause = time.monotonic() + 30, threading.Event()
    while not true():
        assert time.monotonic() < until_s
        pause.wait(0.05)


def test_a_damaged_journal_comes_up_is_reported_and_is_dismissed(evening: Folder, tmp_path: Path) -> None:
    path = evening.laid_out(tmp_path / "data")
    data = evening.files[NAME]
    path.write_bytes(data[:8192] + bytes(4096) + data[12288:])
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        assert faults_shown(companion.table.snapshot()) & {"journal_lost", "journal_mended"}
        assert lamp(companion) is BoxState.FAULT
        assert "The memory card is failing: the journal was damaged." in page(companion)
        say(companion, "take_notice")
        wait_until(companion, lambda now: not faults_shown(now))
        assert "memory card" not in page(companion)
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        assert not faults_shown(companion.table.snapshot())


def test_a_finished_game_changed_on_the_card_is_mended_at_work(evening: Folder, tmp_path: Path) -> None:
    path = evening.laid_out(tmp_path / "data")
    with closing(sqlite3.connect(path)) as db:
        change = "UPDATE records SET body = '{}' WHERE game = ? AND number = 9"
        db.execute(change, (next(iter(evening.games)),))
        db.commit()
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        wait_until(companion, lambda now: "journal_short" in faults_shown(now))
        assert companion.table.snapshot().game_id == evening.current
        eventually(lambda: copies.records(path) > 0)


def removed(path: Path) -> None:
    shutil.rmtree(path.parent)


def emptied(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()


def another_in_its_place(path: Path) -> None:
    path.rename(path.with_name("gone"))
    Journal(path).close()


@pytest.mark.parametrize("lose", [removed, emptied, another_in_its_place])
def test_nothing_is_acknowledged_once_the_folder_is_gone(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "data" / NAME
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        people = [{"name": "Ana"}, {"name": "Bea"}]
        say(companion, "new_game", players=people, starter="Ana")
        lose(path)
        wait_until(companion, lambda now: "journal_gone" in faults_shown(now))
        assert view(companion.table.snapshot()).data["state"] == "fault"
        assert lamp(companion) is BoxState.FAULT
        for _ in range(2):
            with pytest.raises(StorageError) as caught:
                say(companion, "bid", by="Ana", quantity=2, face=3)
            assert caught.value.reason == "journal_gone"
        assert "Nothing is being saved" in page(companion)


def test_the_log_is_emptied_between_rounds_and_copies_are_made_between_games(tmp_path: Path) -> None:
    path = tmp_path / "data" / NAME
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        people = [{"name": "Ana"}, {"name": "Bea"}]
        house = {"starting_dice": 1, "palifico": "off"}
        say(companion, "new_game", players=people, starter="Ana", house=house)
        say(companion, "bid", by="Ana", quantity=2, face=3)
        say(companion, "dudo", by="Bea")
        say(companion, "type_count", count=0)
        log, game = path.with_name(f"{NAME}-wal"), companion.table.snapshot().game_id
        eventually(lambda: log.stat().st_size == 0)
        eventually(lambda: copies.records(path) == len(companion.kept.journal.records(game or "")))


def test_one_unreadable_game_is_named_and_given_out_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "data" / NAME
    with closing(Journal(path)) as journal:
        bad = journal.create({"v": 1, "event": "danced"})
        journal.put_away()
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        shown = page(companion, "/statistics")
        assert "1 game cannot be read and is left out." in shown
        assert f"/api/v1/games/{bad}.jsonl" in shown
        assert '"event":"danced"' in page(companion, f"/api/v1/games/{bad}.jsonl")
