"""Reads what a damaged journal still gives: by SQLite's own queries, from both ends of every index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.storage.chain import Row
from companion.storage.database import as_bytes, connected, damage, is_text, tolerant_text
from companion.storage.schema import SCHEMA, game_seal, is_as_made, note, version

NEWEST = "￿"
"""Above every id of a game."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game by its own row: how many records it should have, and the checksum of the last."""

    id: str
    created: str
    records: int = 0
    head: str = ""


@dataclass(slots=True)
class Found:
    """What one damaged or whole file still gives. Rows and games may be wrong: checksums decide."""

    games: dict[str, Game] = field(default_factory=dict)
    current: str | None = None
    boots: int = 0


class Source(Protocol):
    """A file from which games can be read, however damaged."""

    def found(self) -> Found:
        """The games that are listed in it, oldest first."""

    def rows(self, game: str) -> Iterable[Row]:
        """The records of a game that can be read, in any order, some perhaps wrong or twice."""


class Readable:
    """A journal read by SQL, row by row, past whatever SQLite refuses to read. Opened for reading only.

    Raises sqlite3.Error where its tables cannot be found at all.
    """

    def __init__(self, path: Path) -> None:
        self._db = connected(path, read_only=True, isolation_level=None)
        self._db.text_factory = tolerant_text
        try:
            self._new = _columns(self._db)
        except sqlite3.Error:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def found(self) -> Found:
        """The games that are listed, and those that have records without being listed."""
        found = Found()
        for row in self._rows_of_games():
            with suppress(TypeError, ValueError):
                game = Game(str(row[0]), str(row[1]), _number(row[2]), str(row[3]))
                if not is_text(game.id):
                    continue
                if not row[4] or row[4] == game_seal(game.id, game.created):
                    found.games.setdefault(game.id, game)
        for game_id in self._ids_of_records():
            found.games.setdefault(game_id, Game(game_id, ""))
        with suppress(sqlite3.Error):
            found.current = self._note("current")
        with suppress(sqlite3.Error, ValueError):
            found.boots = int(self._note("boots") or 0)
        return found

    def rows(self, game: str) -> Iterator[Row]:
        """From the first on, and where that ends too soon from the last one back."""
        query = f"SELECT number, at, body, {self._more('tick', 'chain')} FROM records WHERE game = ?"
        for order in ("number", "number DESC"):
            whole = True
            for row in self._until_refused(f"{query} ORDER BY {order}", game):
                if row is None:
                    whole = False
                    break
                with suppress(TypeError, ValueError):
                    yield Row(_number(row[0]), *map(str, row[1:]))
            if whole:
                return

    def _rows_of_games(self) -> Iterator[tuple[object, ...]]:
        columns = f"id, created, {self._more('records', 'head', 'seal')}"
        for order in ("rowid", "rowid DESC", "id", "id DESC"):
            whole = True
            for row in self._until_refused(f"SELECT {columns} FROM games ORDER BY {order}"):
                if row is None:
                    whole = False
                    break
                yield row
            if whole:
                return

    def _ids_of_records(self) -> Iterator[str]:
        """Every game that has records, found by one step down the index for each, from both ends.

        A damaged index may lead in a circle.
        """
        step = "SELECT game FROM records WHERE game {} CAST(? AS TEXT) ORDER BY game {} LIMIT 1"
        for query, at in ((step.format(">", ""), ""), (step.format("<", "DESC"), NEWEST)):
            been = {at}
            with suppress(sqlite3.Error):
                while (at := self._game_after(query, at)) not in been:
                    been.add(at)
                    if is_text(at):
                        yield at

    def _game_after(self, query: str, at: str) -> str:
        """The next game that has records; `at` itself after the last. What is no text is read as one."""
        row = self._db.execute(query, (as_bytes(at),)).fetchone()
        return str(row[0]) if row else at

    def _until_refused(self, query: str, *values: str) -> Iterator[tuple[object, ...] | None]:
        """The rows of a query; None at the end where SQLite refuses to read on."""
        try:
            yield from self._db.execute(query, values)
        except sqlite3.Error:
            yield None

    def _more(self, *columns: str) -> str:
        """Columns of version 2, which are empty in files of version 1."""
        empty = {"records": "0"}
        return ", ".join(name if self._new else empty.get(name, "''") for name in columns)

    def _note(self, key: str) -> str | None:
        if self._new:
            return note(self._db, key)
        row = self._db.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None


def _columns(db: sqlite3.Connection) -> bool:
    """Whether the tables are those of version 2; raises sqlite3.Error where they cannot be read as any."""
    if is_as_made(db, SCHEMA):
        return True
    if version(db) != 1 or db.execute("PRAGMA user_version").fetchone()[0] >= SCHEMA:
        raise damage("its tables are not as they were made")
    return False


def _number(cell: object) -> int:
    """A cell as a whole number; raises TypeError, ValueError."""
    if not isinstance(cell, int | float | str | bytes):
        raise TypeError(f"{cell!r} is no number")
    return int(cell)
