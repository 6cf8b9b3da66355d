"""The sums of games remembered in a file of their own, which may be deleted at any time."""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from companion.statistics.summary import Summary, from_json, to_json
from companion.storage.database import connected, damage, forget, is_damage
from companion.storage.first_page import check_head, made, shape

_log = logging.getLogger(__name__)

FORM = 4
"""Rises when sums are made otherwise, so that older ones are made anew."""

_TABLE = """
CREATE TABLE IF NOT EXISTS sums_2 (
    game TEXT PRIMARY KEY, head TEXT, form INT, body TEXT, csv BLOB, json BLOB
) STRICT
"""
_OLDER = "DROP TABLE IF EXISTS sums"

Kept = dict[str, tuple[str, Summary]]
"""The sums of a game by its id, with the checksum of the record that they were made up to."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Sums:
    """The cached sums of a game up to the record with the checksum `head`.

    `csv` and `json` are its part of the files for other programs, packed.
    """

    head: str
    summary: Summary
    csv: str
    json: str


class SumsFile:
    """Sums in SQLite. A file that cannot be used costs time, not statistics: no method raises."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        self._open()

    def _open(self, *, again: bool = True) -> None:
        try:
            if self._path.exists():
                check_head(self._path)
            self._db = connected(self._path, isolation_level=None, check_same_thread=False)
            self._db.execute(_TABLE)
            self._db.execute(_OLDER)
            if (expected := made(_TABLE)) != shape(self._db, expected):
                raise damage("its table is not as it was made")
        except sqlite3.Error as error:
            _log.warning("sums of games cannot be kept in %s: %s", self._path, error)
            self.close()
            if again and is_damage(error):
                self._begin_anew()

    def _begin_anew(self) -> None:
        """All in it can be made again from the journal."""
        with suppress(OSError):
            self.close()
            forget(self._path)
            self._open(again=False)

    def close(self) -> None:
        """Close the file; may be called twice."""
        db, self._db = self._db, None
        if db:
            db.close()

    def load(self) -> Kept:
        """All sums that this version made; none where they cannot be read."""
        query = "SELECT game, head, body FROM sums_2 WHERE form = ?"
        rows = self._asked(lambda db: db.execute(query, (FORM,)).fetchall()) or []
        found: Kept = {}
        for game, head, body in rows:
            with suppress(ValueError, KeyError, TypeError):
                found[game] = (head, from_json(json.loads(body)))
        return found

    def text(self, game: str, head: str, form: str) -> str | None:
        """A game's part of the file of this form, csv or json; None where it is not remembered."""
        query = f"SELECT {form} FROM sums_2 WHERE game = ? AND head = ? AND form = ?"
        row = self._asked(lambda db: db.execute(query, (game, head, FORM)).fetchone())
        try:
            return zlib.decompress(row[0]).decode() if row else None
        except (zlib.error, ValueError, TypeError) as error:
            _log.warning("what was kept of game %s is made anew: %s", game, error)
            return None

    def keep(self, sums: Sums) -> None:
        """Remember the sums of a game."""
        body = json.dumps(to_json(sums.summary), ensure_ascii=False)
        packed = (zlib.compress(text.encode()) for text in (sums.csv, sums.json))
        row = (sums.summary.id, sums.head, FORM, body, *packed)
        self._asked(lambda db: db.execute("INSERT OR REPLACE INTO sums_2 VALUES (?, ?, ?, ?, ?, ?)", row))

    def forget(self, game: str) -> None:
        """Keep nothing of a game any more."""
        self._asked(lambda db: db.execute("DELETE FROM sums_2 WHERE game = ?", (game,)))
        self._asked(lambda db: db.execute("VACUUM"))  # the row is not left in the file either

    def _asked(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """The answer of the database; None where it has none. A damaged one is begun anew."""
        if self._db is None:
            return None
        try:
            return ask(self._db)
        except sqlite3.Error as error:
            _log.warning("sums of games cannot be used: %s", error)
            if is_damage(error):
                self._begin_anew()
            return None
