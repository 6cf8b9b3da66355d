"""The journal keeps what it acknowledged, whatever happens to the power."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import BadCommand, JournalDamaged, StorageError
from companion.table.journal import Journal


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path / "games.sqlite")
    yield opened
    opened.close()


LONG = {"kind": "long", "text": "x" * 20_000}
"""More than fits on the pages that SQLite has already."""


def filled(journal):
    """As on a full disk the file may not grow by another page."""
    journal._db.execute("PRAGMA max_page_count = 1")


def emptied(journal):
    journal._db.execute("PRAGMA max_page_count = 1000000")


def bodies(journal, game):
    return [record.body for record in journal.records(game)]


def test_records_come_back_in_order(journal):
    game = journal.create()
    journal.append(game, 1, {"kind": "started", "name": "Iñaki"})
    journal.append(game, 2, {"kind": "looked"}, {"kind": "revealed"})
    assert bodies(journal, game) == [
        {"kind": "started", "name": "Iñaki"},
        {"kind": "looked"},
        {"kind": "revealed"},
    ]
    assert [(info.id, info.records) for info in journal.games()] == [(game, 3)]


def test_a_batch_is_written_whole_or_not_at_all(journal):
    game = journal.create()
    journal.append(game, 1, {"kind": "first"})
    for number in (1, 3):
        with pytest.raises(StorageError) as caught:
            journal.append(game, number, {"kind": "clashes"}, {"kind": "or leaves a gap"})
        assert caught.value.reason == "journal_unwritable"
    with pytest.raises(TypeError):
        journal.append(game, 2, {"kind": "second"}, {"kind": object()})
    assert bodies(journal, game) == [{"kind": "first"}]


def test_a_full_disk_refuses_and_what_was_refused_can_be_done_again(journal):
    game = journal.create()
    filled(journal)
    with pytest.raises(StorageError) as caught:
        journal.append(game, 1, LONG)
    assert caught.value.reason == "journal_full"
    assert bodies(journal, game) == []
    emptied(journal)
    journal.append(game, 1, LONG)
    assert bodies(journal, game) == [LONG]


def test_a_full_disk_is_written_on_once_room_is_made(tmp_path):
    asked = []

    def more_room():
        asked.append("room")
        emptied(journal)
        return len(asked) == 1

    journal = Journal(tmp_path / "games.sqlite", more_room=more_room)
    game = journal.create()
    filled(journal)
    journal.append(game, 1, LONG)
    filled(journal)
    with pytest.raises(StorageError):
        journal.append(game, 2, LONG)
    assert (asked, bodies(journal, game)) == (["room", "room"], [LONG])
    journal.close()


def test_the_current_game_survives_reopening_and_can_be_put_away(tmp_path):
    path = tmp_path / "games.sqlite"
    first = Journal(path)
    game = first.create()
    first.close()
    second = Journal(path)
    assert second.current() == game
    second.put_away()
    assert second.current() is None
    second.close()


def test_boots_are_counted_over_restarts(tmp_path):
    counts = []
    for _ in range(3):
        journal = Journal(tmp_path / "games.sqlite")
        counts.append(journal.boots())
        journal.close()
    assert counts == [1, 2, 3]


def test_deleting_a_game_deletes_its_records(journal):
    game = journal.create()
    journal.append(game, 1, {"kind": "started"})
    journal.delete(game)
    assert journal.games() == ()
    assert journal.records(game) == ()
    assert journal.current() is None


def test_export_and_import_give_the_same_records(journal):
    game = journal.create()
    journal.append(game, 1, {"kind": "started"}, {"kind": "called", "bid": "5x3"})
    copy = journal.take_in(journal.export(game))
    assert copy != game
    assert journal.records(copy) == journal.records(game)


HEAD = json.dumps({"format": "dudo-journal", "schema": 1, "game": "x", "created": "2026-01-01"})


@pytest.mark.parametrize(
    ("lines", "wrong_line"),
    [
        pytest.param([], 1, id="empty"),
        pytest.param(["{"], 1, id="no json"),
        pytest.param(['{"format": "chess"}'], 1, id="another format"),
        pytest.param([HEAD.replace("1", "99", 1)], 1, id="a newer schema"),
        pytest.param([HEAD, '{"number": 2, "at": "", "body": {}}'], 2, id="a record missing"),
        pytest.param([HEAD, '{"number": 1, "at": "", "body": {}}', "null"], 3, id="a line of no use"),
    ],
)
def test_a_bad_export_names_its_line_and_adds_nothing(journal, lines, wrong_line):
    with pytest.raises(BadCommand) as caught:
        journal.take_in(lines)
    assert caught.value.values == {"line": wrong_line}
    assert journal.games() == ()


def test_an_unknown_game_cannot_be_exported(journal):
    with pytest.raises(BadCommand) as caught:
        list(journal.export("nobody"))
    assert caught.value.reason == "unknown_game"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        pytest.param(lambda path: path.write_bytes(b"not a database, not at all" * 50), "journal_damaged"),
        pytest.param(lambda path: _set_version(path, 99), "journal_newer"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(tmp_path, damage, reason):
    path = tmp_path / "games.sqlite"
    Journal(path).close()
    damage(path)
    before = path.read_bytes()
    with pytest.raises(JournalDamaged) as caught:
        Journal(path)
    assert caught.value.reason == reason
    assert path.read_bytes() == before


def _set_version(path, version):
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version={version}")
    db.close()


def test_a_write_ahead_log_cut_anywhere_leaves_a_prefix(tmp_path):
    path = tmp_path / "games.sqlite"
    journal = Journal(path)
    game = journal.create()
    for number in range(1, 6):
        journal.append(game, number, {"n": number})
    wal = Path(f"{path}-wal").read_bytes()
    seen = set()
    for cut in (*range(0, len(wal), 997), len(wal)):
        count = _records_after_cut(path, wal[:cut], tmp_path / f"cut{cut}", game)
        seen.add(count)
    journal.close()
    assert seen <= {None, 0, 1, 2, 3, 4, 5}
    assert 5 in seen


def _records_after_cut(path, wal, folder, game):
    """How many records a copy with that much of the log has; None when the game is not yet in it."""
    folder.mkdir()
    shutil.copy(path, folder / "games.sqlite")
    (folder / "games.sqlite-wal").write_bytes(wal)
    reopened = Journal(folder / "games.sqlite")
    numbers = [record.number for record in reopened.records(game)]
    known = any(info.id == game for info in reopened.games())
    reopened.close()
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers) if known else None


WRITER = """
import sys
from pathlib import Path
from companion.table.journal import Journal
journal = Journal(Path(sys.argv[1]))
game = journal.create()
number = 0
while True:
    number += 1
    journal.append(game, number, {"n": number})
    print(game, number, flush=True)
"""


def test_everything_acknowledged_is_there_after_a_kill(tmp_path):
    path = tmp_path / "games.sqlite"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    acknowledged = [writer.stdout.readline().split() for _ in range(20)]
    writer.kill()
    rest = writer.stdout.read().split("\n")
    writer.wait()
    writer.stdout.close()
    later = [line for line in rest if len(line.split()) == 2]
    last = int((later[-1].split() if later else acknowledged[-1])[1])
    journal = Journal(path)
    kept = journal.records(acknowledged[0][0])
    journal.close()
    assert last <= len(kept) <= last + 1


def test_a_game_that_is_being_played_is_read_whole_while_a_record_is_added(tmp_path, monkeypatch):
    """Regression: a record added between two queries of the statistics' connection was taken for damage."""
    path = tmp_path / "games.sqlite"
    playing = Journal(path)
    game = playing.create({"n": 1})
    reading = Journal(path, checked=True)
    rows = reading.rows

    def and_then_a_record(asked):
        found = rows(asked)
        playing.append(game, 2, {"n": 2})
        return found

    monkeypatch.setattr(reading, "rows", and_then_a_record)
    assert [record.body for record in reading.records(game)] == [{"n": 1}]
    monkeypatch.undo()
    assert [record.body for record in reading.records(game)] == [{"n": 1}, {"n": 2}]
    reading.close()
    playing.close()
