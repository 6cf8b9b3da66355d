"""All kept games for statistics: read from the journal, their sums remembered in a file of their own.

Folding a game takes milliseconds on a laptop and much longer on a small board, and there may be hundreds.
A journal only grows, so the number of a game's records says whether its sums still hold. The file of sums
may be deleted at any time.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadCommand, CompanionError
from companion.statistics.record import GameRecord, told
from companion.statistics.summary import Summary, from_json, summary, to_json
from companion.table.journal import GameInfo, Journal

_log = logging.getLogger(__name__)

FORM = 1
"""Rises when sums are made otherwise, so that older ones are made anew."""

_TABLE = "CREATE TABLE IF NOT EXISTS sums (game TEXT PRIMARY KEY, records INT, form INT, body TEXT) STRICT"


@dataclass(frozen=True, slots=True)
class Overview:
    """The sums of every game, oldest first, and how many could not be read."""

    games: tuple[Summary, ...]
    unreadable: int = 0


class Archive:
    """Games of one journal, for many threads. The journal must be a connection of the archive's own."""

    def __init__(self, journal: Journal, sums: Path | None = None) -> None:
        """`sums` is where sums are remembered; only in memory without it, or where it cannot be used."""
        self._journal, self._lock = journal, threading.Lock()
        self._db = _open(sums)
        self._newest: tuple[GameInfo, GameRecord] | None = None

    def close(self) -> None:
        """Close the file of sums; may be called twice."""
        self._db.close()

    def overview(self) -> Overview:
        """The sums of all games."""
        with self._lock:
            kept = self._kept()
            infos = self._journal.games()
            found = [kept.get((info.id, info.records)) or self._summed(info) for info in infos]
        readable = tuple(one for one in found if one)
        return Overview(readable, len(found) - len(readable))

    def record(self, game_id: str) -> GameRecord:
        """A whole game; raises BadCommand when there is none of that id, or it cannot be read."""
        with self._lock:
            return self._record(self._info(game_id))

    def records(self) -> Iterator[GameRecord]:
        """Every game that can be read, oldest first, one at a time."""
        with self._lock:
            infos = self._journal.games()
        for info in infos:
            try:
                with self._lock:
                    record = self._record(info)
            except CompanionError as error:
                _log.warning("game %s cannot be read: %s", info.id, error)
                continue
            yield record

    def _info(self, game_id: str) -> GameInfo:
        found = next((info for info in self._journal.games() if info.id == game_id), None)
        if found is None:
            raise BadCommand("unknown_game", game=game_id)
        return found

    def _record(self, info: GameInfo) -> GameRecord:
        """The newest one asked for is remembered: every phone looks at the same game."""
        if self._newest is None or self._newest[0] != info:
            lines = self._journal.records(info.id)
            ended = lines[-1].at if lines else info.created
            game = told(info.id, info.created, ended, [line.body for line in lines])
            self._newest = (info, game)
        return self._newest[1]

    def _summed(self, info: GameInfo) -> Summary | None:
        try:
            made = summary(self._record(info))
        except CompanionError as error:
            _log.warning("game %s cannot be read: %s", info.id, error)
            return None
        row = (info.id, info.records, FORM, json.dumps(to_json(made), ensure_ascii=False))
        try:
            self._db.execute("INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:  # a full disk costs time, not statistics
            _log.warning("sums of games cannot be kept: %s", error)
        return made

    def _kept(self) -> dict[tuple[str, int], Summary]:
        try:
            rows = self._db.execute("SELECT game, records, body FROM sums WHERE form = ?", (FORM,)).fetchall()
            return {(game, records): from_json(json.loads(body)) for game, records, body in rows}
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            _log.warning("sums of games are made anew: %s", error)
            return {}


def _open(path: Path | None) -> sqlite3.Connection:
    """The file of sums, or a place in memory where there is none to be had."""
    try:
        return _connected(str(path) if path else ":memory:")
    except sqlite3.Error as error:
        _log.warning("sums of games are kept in memory only: %s", error)
        return _connected(":memory:")


def _connected(where: str) -> sqlite3.Connection:
    db = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
    try:
        db.execute(_TABLE)
    except BaseException:
        db.close()
        raise
    return db
