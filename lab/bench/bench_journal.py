"""What keeping games costs: a record beside a bare commit, a start with many games beside one with few."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from companion.storage.journal import Journal
from companion.table.resuming import open_journal
from lab.bench.many_games import fill

RECORDS, MANY, FEW = 300, 200, 4
BODY = {"v": 1, "event": "called", "call": "bid", "by": "Ana", "bid": "5x3"}


def seconds(run: Callable[[], object]) -> float:
    """Wall-clock time: what waits for the disk counts."""
    began_s = time.perf_counter()
    run()
    return time.perf_counter() - began_s


def rows() -> Iterator[tuple[str, str, str]]:
    """The figures for `make bench`."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        bare_s, journal_s = _bare(place / "bare.sqlite"), _records(place / "one")
        note = f"{1e3 * journal_s:.2f} ms; checksum, two files, and whether they are still there"
        yield "a record written and synced, to a bare commit of SQLite", f"{journal_s / bare_s:.2f}", note
        few, many = _games(place / "few", FEW), _games(place / "many", MANY)
        few_s, many_s = (seconds(lambda p=path: open_journal(p).close()) for path in (few, many))
        note = f"{1e3 * many_s:.0f} ms"
        yield f"opening a journal of {MANY} games, to one of {FEW}", f"{many_s / few_s:.1f}", note
        took_s = _checking_s(many)
        yield (
            "a look at every record of it, to opening it",
            f"{took_s / many_s:.1f}",
            f"{1e3 * took_s:.0f} ms",
        )


def _bare(path: Path) -> float:
    """Seconds for one commit of as much by SQLite alone, synced as the journal is."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("CREATE TABLE records (game TEXT, number INT, body TEXT, PRIMARY KEY (game, number))")
        text = json.dumps(BODY)

        def write() -> None:
            for number in range(RECORDS):
                db.execute("BEGIN IMMEDIATE")
                db.execute("INSERT INTO records VALUES ('a', ?, ?)", (number, text))
                db.execute("COMMIT")

        return seconds(write) / RECORDS


def _records(path: Path) -> float:
    with closing(Journal(path)) as journal:
        game = journal.create(BODY)

        def write() -> None:
            for number in range(2, RECORDS + 2):
                journal.append(game, number, BODY)

        return seconds(write) / RECORDS


def _games(folder: Path, count: int) -> Path:
    path = folder / "games"
    with closing(Journal(path)) as journal:
        fill(journal, count)
    return path


def _checking_s(path: Path) -> float:
    with closing(Journal(path)) as journal:
        return seconds(lambda: [journal.check(info.id) for info in journal.games()])
