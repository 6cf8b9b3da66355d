"""The sums of games remembered in a file of their own, which may be deleted at any time."""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from contextlib import suppress
from dataclasses import dataclass

from companion.side_files import SideFile
from companion.statistics.summary import Summary, from_json, to_json
from companion.storage.database import SideDatabase

_log = logging.getLogger(__name__)

FORM = 4
"""Rises when sums are made otherwise, so that older ones are made anew."""

_TABLE = """
CREATE TABLE sums_2 (
    game TEXT PRIMARY KEY, head TEXT, form INT, body TEXT, csv BLOB, json BLOB
) STRICT;
"""

Kept = dict[str, tuple[str, Summary]]
"""The sums of a game by its id, with the checksum of the record that they were made up to."""


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

    def __init__(self, file: SideFile) -> None:
        self._db = SideDatabase(file, _TABLE, "secure_delete = ON")

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def load(self) -> Kept:
        """All sums that this version made; none where they cannot be read."""
        query = "SELECT game, head, body FROM sums_2 WHERE form = ?"
        none: list[tuple[str, str, str]] = []
        rows = self._db.read(lambda db: db.execute(query, (FORM,)).fetchall(), none)
        found: Kept = {}
        for game, head, body in rows:
            with suppress(ValueError, KeyError, TypeError):
                found[game] = (head, from_json(json.loads(body)))
        return found

    def text(self, game: str, head: str, form: str) -> str | None:
        """A game's part of the file of this form, csv or json; None where it is not remembered."""
        query = f"SELECT {form} FROM sums_2 WHERE game = ? AND head = ? AND form = ?"
        row = self._db.read(lambda db: db.execute(query, (game, head, FORM)).fetchone(), None)
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
        self._changed("INSERT OR REPLACE INTO sums_2 VALUES (?, ?, ?, ?, ?, ?)", row)

    def forget(self, game: str) -> None:
        """Keep nothing of a game any more."""
        self._changed("DELETE FROM sums_2 WHERE game = ?", (game,))

    def _changed(self, statement: str, row: tuple[object, ...]) -> None:
        try:
            self._db.change(lambda db: db.execute(statement, row))
        except (sqlite3.Error, OSError) as error:
            _log.warning("sums of games cannot be kept: %s", error)
