"""The sums of games remembered in a file of their own, which may be deleted at any time."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path

from companion.statistics.summary import Summary, from_json, to_json

_log = logging.getLogger(__name__)

FORM = 1
"""Rises when sums are made otherwise, so that older ones are made anew."""

_TABLE = "CREATE TABLE IF NOT EXISTS sums (game TEXT PRIMARY KEY, records INT, form INT, body TEXT) STRICT"

Kept = dict[str, tuple[int, Summary]]
"""The sums of a game by its id, with the number of records they were made of."""


class SumsFile:
    """Sums in SQLite. A file that cannot be used costs time, not statistics: no method raises."""

    def __init__(self, path: Path) -> None:
        self._db: sqlite3.Connection | None = None
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute(_TABLE)
        except sqlite3.Error as error:
            _log.warning("sums of games cannot be kept in %s: %s", path, error)
            self.close()

    def close(self) -> None:
        """Close the file; may be called twice."""
        db, self._db = self._db, None
        if db:
            db.close()

    def load(self) -> Kept:
        """All sums that this version made; none where they cannot be read."""
        if self._db is None:
            return {}
        try:
            rows = self._db.execute("SELECT game, records, body FROM sums WHERE form = ?", (FORM,)).fetchall()
            return {game: (records, from_json(json.loads(body))) for game, records, body in rows}
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            _log.warning("sums of games are made anew: %s", error)
            return {}

    def keep(self, records: int, summary: Summary) -> None:
        """Remember the sums of a game that has so many records."""
        if self._db is None:
            return
        row = (summary.id, records, FORM, json.dumps(to_json(summary), ensure_ascii=False))
        try:
            self._db.execute("INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            _log.warning("sums of games cannot be kept: %s", error)

    def forget(self, game: str) -> None:
        """Keep nothing of a game any more."""
        if self._db is None:
            return
        try:
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute("DELETE FROM sums WHERE game = ?", (game,))
        except sqlite3.Error as error:
            _log.warning("sums of games cannot be forgotten: %s", error)
