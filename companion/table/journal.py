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
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from companion.errors import BadCommand, JournalDamaged, StorageError
from companion.json_types import Body
from companion.storage import copies, schema
from companion.storage import lines as exports
from companion.storage.chain import Row, chained, good_records, link, seed
from companion.storage.database import explained, forget_set_aside
from companion.storage.journal_file import JournalFile, current_game
from companion.storage.lines import HEAD, dump
from companion.storage.mark import Mark
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
        self.path = path
        self._file = JournalFile(path, checked=checked, more_room=more_room)
        self._db = self._file.db

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._file.close()

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
            return replace(
                self._file.mark, game=game, records=len(rows), head=_head(game, rows), current=game
            )

        self._file.write(write)
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
            return replace(self._file.mark, game=game, records=last, head=head)

        self._file.write(write)

    def records(self, game: str) -> tuple[Record, ...]:
        """All records of a game in order; raises JournalDamaged where one is missing or was changed."""
        with explained(self.path), self._file.reading():
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
        return current_game(self._db)

    def boots(self) -> int:
        """How often the journal was opened for play, this time counted in; call once a start."""
        count = self._file.mark.boots + 1

        def write() -> Mark:
            put_note(self._db, "boots", str(count))
            return replace(self._file.mark, boots=count)

        self._file.write(write)
        return count

    def put_away(self) -> None:
        """No game is on the table any more; all stay in the journal."""

        def write() -> Mark:
            self._db.execute("DELETE FROM notes WHERE key = 'current'")
            return replace(self._file.mark, current="")

        self._file.write(write)

    def delete(self, game: str) -> None:
        """Forget a game and all its records, in the log that SQLite keeps and in the copies too."""

        def write() -> Mark:
            self._db.execute("DELETE FROM games WHERE id = ?", (game,))
            schema.put_ledger(self._db)
            mark = self._file.mark
            gone = game in (mark.game, mark.current)
            return replace(mark, game="", records=0, head="", current="") if gone else mark

        self._file.put_mark_back()
        self._file.write(write)
        with suppress(sqlite3.Error):  # there may be too little room
            self._db.execute("VACUUM")  # moved cells leave their old bytes behind
        self.settle()
        copies.forget_game(self.path, game)
        forget_set_aside(self.path, game)

    def trouble(self) -> StorageError | None:
        """Why nothing could be written now: the file is not in its folder any more. Any thread may ask."""
        return self._file.trouble()

    def settle(self) -> None:
        """Bring all that the log holds to its place and onto the disk; raises StorageError."""
        self._file.settle()

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
            return self._file.mark

        self._file.write(write)
        return game

    def is_listed_whole(self) -> bool:
        """Whether the rows of games and the notes are as they were written, and none vanished."""
        with explained(self.path):
            return schema.is_listed_whole(self._db)

    def changed_games(self) -> Iterator[str]:
        """The games that are not as they were written, one after the other; reads every record."""
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
            return self._file.mark

        self._file.write(write)

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
            return self._file.mark

        self._file.write(write)

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
