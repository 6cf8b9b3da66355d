"""All kept games for statistics: read from the journal, their sums remembered.

Folding a game takes milliseconds on a laptop and much longer on a small board, and there may be hundreds.
A journal only grows, so the number of a game's records says whether its sums still hold.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadCommand, CompanionError
from companion.statistics.record import GameRecord, told
from companion.statistics.summary import Summary, summary
from companion.statistics.sums import Kept, SumsFile
from companion.table.journal import GameInfo, Journal

_log = logging.getLogger(__name__)

SUMS = "sums.sqlite"
"""The file of sums in a data folder."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The sums of every game, oldest first, and how many could not be read."""

    games: tuple[Summary, ...]
    unreadable: int = 0


class Archive:
    """Games of one journal, for many threads. The journal must be a connection of the archive's own."""

    def __init__(self, journal: Journal, sums: Path | None = None) -> None:
        """`sums` is where sums are remembered over restarts; without it they are made anew."""
        self._journal, self._lock = journal, threading.Lock()
        self._file = SumsFile(sums) if sums else None
        self._kept: Kept = self._file.load() if self._file else {}
        self._newest: tuple[GameInfo, GameRecord] | None = None

    def close(self) -> None:
        """Close the file of sums; may be called twice."""
        if self._file:
            self._file.close()

    def overview(self) -> Overview:
        """The sums of all games."""
        with self._lock:
            infos = self._journal.games()
        found = [self._sums(info) for info in infos]
        readable = tuple(one for one in found if one)
        return Overview(readable, len(found) - len(readable))

    def record(self, game_id: str) -> GameRecord:
        """A whole game; raises BadCommand when there is none of that id, or it cannot be read."""
        with self._lock:
            for info in self._journal.games():
                if info.id == game_id:
                    return self._record(info)
        raise BadCommand("unknown_game", game=game_id)

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

    def _record(self, info: GameInfo) -> GameRecord:
        """The newest one asked for is remembered: every phone looks at the same game."""
        if self._newest is None or self._newest[0] != info:
            lines = self._journal.records(info.id)
            ended = lines[-1].at if lines else info.created
            game = told(info.id, info.created, ended, [line.body for line in lines])
            self._newest = (info, game)
        return self._newest[1]

    def _sums(self, info: GameInfo) -> Summary | None:
        """The lock is held for one game at a time, so that nobody waits for hundreds."""
        with self._lock:
            records, known = self._kept.get(info.id, (0, None))
            if known is not None and records == info.records:
                return known
            return self._summed(info)

    def _summed(self, info: GameInfo) -> Summary | None:
        try:
            made = summary(self._record(info))
        except CompanionError as error:
            _log.warning("game %s cannot be read: %s", info.id, error)
            return None
        self._kept[info.id] = (info.records, made)
        if self._file:
            self._file.keep(info.records, made)
        return made
