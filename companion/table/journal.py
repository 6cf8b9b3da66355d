"""The journal: an append-only list of records per game, in SQLite, synced before anything is acknowledged.

A record is a JSON object with a number that counts up from 1 within its game. The journal knows nothing of
what records mean; the table folds them. WAL with `synchronous=FULL` survives a power cut at any instant
with at most the record that nobody was told of missing (SQLite, "Write-Ahead Logging", durability).
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.errors import BadCommand, JournalDamaged, StorageError

SCHEMA = 1
FORMAT = "dudo-journal"
HEAD = f'{{"format":"{FORMAT}"'
"""How the first line of every exported game begins."""

_TABLES = """
CREATE TABLE games (id TEXT PRIMARY KEY, created TEXT NOT NULL) STRICT;
CREATE TABLE records (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a game: its number, a wall-clock label (never used for order) and its body."""

    number: int
    at: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game in the journal, newest last."""

    id: str
    created: str
    records: int


class Journal:
    """Records of all games in one file. Not thread-safe by itself: the table's lock guards it."""

    def __init__(
        self, path: Path, *, checked: bool = False, more_room: Callable[[], bool] = lambda: False
    ) -> None:
        """Open or make the file at `path`; raises JournalDamaged, StorageError.

        `checked`: this process has it open and found it whole, so it is not read through once more.
        `more_room` is asked where the disk is full, and says whether it has made room.
        """
        self.path, self._more_room = path, more_room
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(checked)
            except BaseException:
                self._db.close()
                raise

    def _prepare(self, checked: bool) -> None:
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        if not checked and self._db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise JournalDamaged("journal_damaged", path=self.path)
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        if found > SCHEMA:
            raise JournalDamaged("journal_newer", path=self.path)
        if found == 0:
            self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version={SCHEMA}; COMMIT;")

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def games(self) -> tuple[GameInfo, ...]:
        """Every game, oldest first."""
        rows = self._db.execute(
            "SELECT id, created, (SELECT count(*) FROM records WHERE game = id) FROM games ORDER BY rowid"
        )
        return tuple(GameInfo(*row) for row in rows)

    def create(self, *bodies: Mapping[str, Any]) -> str:
        """Begin a game with its first records and make it the current one; returns its id."""
        game = secrets.token_hex(6)

        def write() -> None:
            self._db.execute("INSERT INTO games VALUES (?, ?)", (game, _label()))
            self._insert(game, 1, bodies)
            self._note("current", game)

        self._kept(write)
        return game

    def append(self, game: str, number: int, *bodies: Mapping[str, Any]) -> None:
        """Write and sync `bodies` as records `number`, `number` + 1, ... of `game`, all or none.

        Raises StorageError, and then nothing was written.
        """
        self._kept(lambda: self._insert(game, number, bodies))

    def records(self, game: str) -> tuple[Record, ...]:
        """All records of a game in order; raises JournalDamaged where a number is missing."""
        rows = self._db.execute(
            "SELECT number, at, body FROM records WHERE game = ? ORDER BY number", (game,)
        )
        records = tuple(Record(number, at, json.loads(body)) for number, at, body in rows)
        if any(record.number != n for n, record in enumerate(records, 1)):
            raise JournalDamaged("journal_damaged", path=self.path)
        return records

    def current(self) -> str | None:
        """The id of the game on the table, None when there is none."""
        row = self._db.execute(
            "SELECT value FROM notes JOIN games ON games.id = value WHERE key = 'current'"
        ).fetchone()
        return row[0] if row else None

    def boots(self) -> int:
        """How often the journal was opened for play, this time counted in; call once a start."""
        row = self._db.execute("SELECT value FROM notes WHERE key = 'boots'").fetchone()
        count = int(row[0]) + 1 if row else 1
        self._kept(lambda: self._note("boots", str(count)))
        return count

    def put_away(self) -> None:
        """No game is on the table any more; all stay in the journal."""
        self._kept(lambda: self._db.execute("DELETE FROM notes WHERE key = 'current'"))

    def delete(self, game: str) -> None:
        """Forget a game and all its records."""
        with _explained(self.path):
            self._db.execute("DELETE FROM games WHERE id = ?", (game,))

    def export(self, game: str) -> Iterator[str]:
        """The game as JSON lines: a head line, then one line a record."""
        created = self._db.execute("SELECT created FROM games WHERE id = ?", (game,)).fetchone()
        if created is None:
            raise BadCommand("unknown_game", game=game)
        yield _dump({"format": FORMAT, "schema": SCHEMA, "game": game, "created": created[0]})
        for record in self.records(game):
            yield _dump({"number": record.number, "at": record.at, "body": record.body})

    def take_in(self, lines: Iterable[str]) -> str:
        """Add a game from its JSON lines under an id of its own; all or nothing. Raises BadCommand."""
        head, records = _parse_export(lines)
        game = secrets.token_hex(6)
        with _explained(self.path), self._transaction():
            self._db.execute("INSERT INTO games VALUES (?, ?)", (game, head["created"]))
            rows = ((game, r.number, r.at, _dump(r.body)) for r in records)
            self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
        return game

    def _kept(self, write: Callable[[], object]) -> None:
        """Write in one synced transaction; where the disk is full, once more in the room that is made."""
        try:
            self._committed(write)
        except StorageError as error:
            if error.reason != "journal_full" or not self._more_room():
                raise
            self._committed(write)

    def _committed(self, write: Callable[[], object]) -> None:
        with _explained(self.path), self._transaction():
            write()

    def _insert(self, game: str, number: int, bodies: Iterable[Mapping[str, Any]]) -> None:
        rows = [(game, n, _label(), _dump(body)) for n, body in enumerate(bodies, number)]
        self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)

    def _note(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # a full disk has rolled back already
                self._db.execute("ROLLBACK")
            raise


def _parse_export(lines: Iterable[str]) -> tuple[Mapping[str, Any], tuple[Record, ...]]:
    """Head and records of an export; raises BadCommand with the line that is wrong."""
    head: Mapping[str, Any] | None = None
    records: list[Record] = []
    for number, line in enumerate(lines):
        try:
            if number == 0:
                head = _head(json.loads(line))
            else:
                records.append(_record(number, json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise BadCommand("export_unreadable", line=number + 1) from error
    if head is None:
        raise BadCommand("export_unreadable", line=1)
    return head, tuple(records)


def _head(row: Mapping[str, Any]) -> Mapping[str, Any]:
    if row["format"] != FORMAT or row["schema"] > SCHEMA:
        raise ValueError("not an export this version reads")
    return {"created": str(row["created"])}


def _record(number: int, row: Mapping[str, Any]) -> Record:
    if row["number"] != number:
        raise ValueError("a record is missing")
    return Record(number, str(row["at"]), dict(row["body"]))


def _dump(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _label() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """SQLite's and the system's complaints as ours, told apart by cause."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "full" in text:
            raise StorageError("journal_full", path=path) from error
        if "malformed" in text or "not a database" in text:
            raise JournalDamaged("journal_damaged", path=path) from error
        raise StorageError("journal_unwritable", path=path, cause=text) from error
    except PermissionError as error:
        raise StorageError("folder_forbidden", path=path.parent) from error
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError("journal_unwritable", path=path, cause=error.strerror or str(error)) from error
