"""The journal: an append-only list of records per game, in SQLite, synced before anything is acknowledged.

A record is a JSON object with a number that counts up from 1 within its game. The journal knows nothing of
the meaning of records; the table folds them.

WAL with `synchronous=FULL` survives a power cut at any instant; at most the record that was not yet
acknowledged is missing (SQLite, "Write-Ahead Logging", durability). Against a failing card, checksums are
chained from record to record, and a mark beside the file keeps how far it had got (`companion.storage`).
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from companion.errors import BadCommand, JournalDamaged, StorageError
from companion.json_types import Body
from companion.storage import copies, schema
from companion.storage import lines as exports
from companion.storage.chain import Row, chained, good_records, link, seed
from companion.storage.database import connected, explained, forget_set_aside, sound, tolerant_text
from companion.storage.first_page import check_head
from companion.storage.identity import FileIdentity
from companion.storage.lines import HEAD, dump
from companion.storage.mark import Mark, MarkFile
from companion.storage.schema import SCHEMA, put_note
from companion.storage.ticks import ticking

__all__ = ["HEAD", "SCHEMA", "GameInfo", "Journal", "Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a game: its number, a wall-clock label (never used for order), its body, and the label of
    a clock that never jumps."""

    number: int
    at: str
    body: Body
    tick: str = ""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game in the journal, newest last; `head` is the checksum of its last record."""

    id: str
    created: str
    records: int
    head: str = ""


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
        self._mark_file = MarkFile(path.with_suffix(".mark"))
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not checked and path.exists():
                check_head(path)
            self._db = connected(path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(checked)
                self._identity = FileIdentity(path)
                self._mark = self._first_mark()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self, checked: bool) -> None:
        self._db.text_factory = tolerant_text
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        self._db.execute("PRAGMA secure_delete=ON")
        if not checked and not sound(self._db):
            raise JournalDamaged("journal_damaged", path=self.path)
        self._check_version(checked)

    def _check_version(self, checked: bool) -> None:
        """Make, migrate or refuse the tables. A version that fits neither them nor the mark is damage."""
        told, found = self._db.execute("PRAGMA user_version").fetchone()[0], schema.version(self._db)
        if told > SCHEMA:
            mark = self._mark_file.read()
            damaged = mark is not None and mark.schema == found
            raise JournalDamaged("journal_damaged" if damaged else "journal_newer", path=self.path)
        if found == 0 and self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise JournalDamaged("journal_damaged", path=self.path)
        if found == 0:
            schema.make(self._db)
            put_note(self._db, schema.LEDGER, schema.ledger(self._db))
        elif not checked and not schema.is_as_made(self._db, found):
            raise JournalDamaged("journal_damaged", path=self.path)
        elif found < SCHEMA:
            schema.migrate(self._db)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()
        self._mark_file.close()

    def games(self) -> tuple[GameInfo, ...]:
        """Every game, oldest first."""
        with explained(self.path):
            rows = self._db.execute("SELECT id, created, records, head FROM games ORDER BY rowid").fetchall()
        return tuple(GameInfo(*row) for row in rows)

    def create(self, *bodies: Body) -> str:
        """Begin a game with its first records and make it the current one; returns its id."""
        game = secrets.token_hex(6)

        def write() -> Mark:
            rows = chained(game, _rows(1, bodies))
            self._put_game(game, _label(), rows)
            put_note(self._db, "current", game)
            return replace(self._mark, game=game, records=len(rows), head=_head(game, rows), current=game)

        self._kept(write)
        return game

    def append(self, game: str, number: int, *bodies: Body) -> None:
        """Write and sync `bodies` as records `number`, `number` + 1, ... of `game`, all or none.

        Raises StorageError, and then nothing was written.
        """

        def write() -> Mark:
            row = self._db.execute("SELECT records, head FROM games WHERE id = ?", (game,)).fetchone()
            if row is None or row[0] + 1 != number:
                cause = f"record {number} does not follow what is there"
                raise StorageError("journal_unwritable", path=self.path, cause=cause)
            rows = _following(row[1], _rows(number, bodies))
            self._insert(game, rows)
            head, last = (rows[-1].chain if rows else row[1]), number + len(rows) - 1
            self._db.execute("UPDATE games SET records = ?, head = ? WHERE id = ?", (last, head, game))
            return replace(self._mark, game=game, records=last, head=head)

        self._kept(write)

    def records(self, game: str) -> tuple[Record, ...]:
        """All records of a game in order; raises JournalDamaged where one is missing or was changed."""
        with explained(self.path), self._reading():
            rows = self.rows(game)
            last = self._db.execute("SELECT records, head FROM games WHERE id = ?", (game,)).fetchone()
        good = good_records(game, rows)
        if last is not None and (good != len(rows) or last != (good, _head(game, rows))):
            raise JournalDamaged("record_changed", path=self.path, game=game, number=good + 1)
        return tuple(_record(row, self.path, game) for row in rows)

    def rows(self, game: str) -> tuple[Row, ...]:
        """The records of a game as they are stored, whatever they are."""
        found = self._db.execute(
            "SELECT number, at, body, tick, chain FROM records WHERE game = ? ORDER BY number", (game,)
        )
        return tuple(Row(*row) for row in found.fetchall())

    def current(self) -> str | None:
        """The id of the game on the table, None when there is none."""
        game = schema.note(self._db, "current")
        row = self._db.execute("SELECT id FROM games WHERE id = ?", (game,)).fetchone()
        return row[0] if row else None

    def boots(self) -> int:
        """How often the journal was opened for play, this time counted in; call once a start."""
        count = self._mark.boots + 1

        def write() -> Mark:
            put_note(self._db, "boots", str(count))
            return replace(self._mark, boots=count)

        self._kept(write)
        return count

    def put_away(self) -> None:
        """No game is on the table any more; all stay in the journal."""

        def write() -> Mark:
            self._db.execute("DELETE FROM notes WHERE key = 'current'")
            return replace(self._mark, current="")

        self._kept(write)

    def delete(self, game: str) -> None:
        """Forget a game and all its records, in the log that SQLite keeps and in the copies too."""

        def write() -> Mark:
            self._db.execute("DELETE FROM games WHERE id = ?", (game,))
            schema.put_ledger(self._db)
            gone = game in (self._mark.game, self._mark.current)
            return replace(self._mark, game="", records=0, head="", current="") if gone else self._mark

        self._mark_file.write(replace(self._mark, game="", records=0, games=0))  # never ahead of the file
        self._kept(write)
        with suppress(sqlite3.Error):  # there may be too little room
            self._db.execute("VACUUM")  # moved cells leave their old bytes behind
        self.settle()
        copies.forget_game(self.path, game)
        forget_set_aside(self.path, game)

    def trouble(self) -> StorageError | None:
        """Why nothing could be written now: the file is not in its folder any more. Any thread may ask."""
        try:
            self._identity.check()
        except StorageError as error:
            return error
        return None

    def settle(self) -> None:
        """Bring all that the log holds to its place and onto the disk; raises StorageError."""
        with explained(self.path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._mark_file.sync()

    def export(self, game: str) -> Iterator[str]:
        """The game as JSON lines, as it is stored, readable or not: a head line, then one line a record."""
        with explained(self.path):
            created = self._db.execute("SELECT created FROM games WHERE id = ?", (game,)).fetchone()
            if created is None:
                raise BadCommand("unknown_game", game=game)
            yield from exports.lines(game, created[0], self.rows(game))

    def take_in(
        self, lines: Iterable[str], check: Callable[[list[Body]], object] = lambda bodies: None
    ) -> str:
        """Add a game from its JSON lines under an id of its own; all or nothing. Raises BadCommand.

        `check` is given its bodies before anything is written, and may raise a CompanionError."""
        found = exports.parse(lines)
        check([json.loads(row.body) for row in found.rows])
        game = secrets.token_hex(6)
        rows = exports.renamed(found, game)

        def write() -> Mark:
            self._put_game(game, found.created, rows)
            return self._mark

        self._kept(write)
        return game

    def is_listed_whole(self) -> bool:
        """Whether the rows of games and the notes are as they were written, and none vanished."""
        with explained(self.path):
            return schema.is_listed_whole(self._db)

    def changed_games(self) -> Iterator[str]:
        """The games that are not as they were written, one after the other; a look at every record."""
        with explained(self.path):
            yield from copies.changed_games(self._db)

    def put_right(self, game: str, created: str, rows: tuple[Row, ...]) -> None:
        """Keep these records of a game instead of those that were changed; with none it is gone."""

        def write() -> Mark:
            place = self._db.execute("SELECT rowid FROM games WHERE id = ?", (game,)).fetchone()
            self._db.execute("DELETE FROM records WHERE game = ?", (game,))
            self._db.execute("DELETE FROM games WHERE id = ?", (game,))
            if rows:
                self._put_game(game, created, rows, place[0] if place else None)
            schema.put_ledger(self._db)
            return self._mark

        self._kept(write)

    def note(self, key: str) -> str | None:
        """A text that was written down under this key, None where there is none."""
        return schema.note(self._db, key)

    def put_note(self, key: str, text: str | None) -> None:
        """Write a text down under a key, or with None forget it."""

        def write() -> Mark:
            if text is None:
                self._db.execute("DELETE FROM notes WHERE key = ?", (key,))
            else:
                put_note(self._db, key, text)
            return self._mark

        self._kept(write)

    def _kept(self, write: Callable[[], Mark]) -> None:
        """Write in one synced transaction; where the disk is full, once more in the room that is made."""
        try:
            self._committed(write)
        except StorageError as error:
            if error.reason != "journal_full" or not self._more_room():
                raise
            self._committed(write)

    def _committed(self, write: Callable[[], Mark]) -> None:
        """Nothing is acknowledged that went into a file which is not in the folder any more."""
        self._identity.check()
        with explained(self.path), self._transaction():
            mark = write()
        self._identity.check()
        self._mark = replace(mark, games=self._count())
        self._mark_file.write(self._mark)

    def _put_game(self, game: str, created: str, rows: tuple[Row, ...], place: int | None = None) -> None:
        """`place` is where it stands among the others, None for behind them."""
        row = (place, game, created, len(rows), _head(game, rows), schema.game_seal(game, created))
        columns = "rowid, id, created, records, head, seal"
        self._db.execute(f"INSERT INTO games ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
        self._insert(game, rows)
        schema.put_ledger(self._db)

    def _insert(self, game: str, rows: Iterable[Row]) -> None:
        found = [(game, row.number, row.at, row.body, row.tick, row.chain) for row in rows]
        self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", found)

    def _first_mark(self) -> Mark:
        """Where the journal stands as it was found; starts are counted on from the mark beside it."""
        game, before = self.current() or "", self._mark_file.read()
        row = self._db.execute("SELECT records, head FROM games WHERE id = ?", (game,)).fetchone()
        records, head = row or (0, "")
        noted = schema.note(self._db, "boots") or "0"
        boots = max(int(noted), before.boots if before else 0)
        return Mark(SCHEMA, game, records, head, game, self._count(), boots)

    def _count(self) -> int:
        told = schema.note(self._db, schema.LEDGER)
        return int(told.split()[0]) if told else 0

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Within this all questions see the file of one moment, whatever another connection writes."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

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


def _rows(number: int, bodies: Iterable[Body]) -> list[Row]:
    at, tick = _label(), ticking()
    return [Row(n, at, dump(body), tick) for n, body in enumerate(bodies, number)]


def _following(head: str, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The records with their checksums after one whose checksum is `head`."""
    found: list[Row] = []
    for row in rows:
        found.append(replace(row, chain=link(found[-1].chain if found else head, row)))
    return tuple(found)


def _head(game: str, rows: tuple[Row, ...]) -> str:
    return rows[-1].chain if rows else seed(game)


def _record(row: Row, path: Path, game: str) -> Record:
    try:
        return Record(row.number, row.at, json.loads(row.body), row.tick)
    except (ValueError, RecursionError) as error:
        raise JournalDamaged("record_changed", path=path, game=game, number=row.number) from error


def _label() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
