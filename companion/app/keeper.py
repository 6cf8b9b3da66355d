"""Keeps the journal safe while the box is at work.

Between rounds its log is emptied; between games copies are made and every record is checked again. The sums
of games are made before anybody asks for them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from companion.errors import JournalDamaged, StorageError
from companion.loop import Loop
from companion.rules.game import Phase
from companion.statistics.archive import Archive
from companion.storage import copies
from companion.table.journal import Journal
from companion.table.repairing import doubt_it, repair_games
from companion.table.table import Fault, Snapshot, Table

_log = logging.getLogger(__name__)

WAIT_S = 0.5
"""How long one wait for the table lasts."""
SUM_EVERY_S = 0.05
"""A pause between two games that are added up, for those who play."""
FAILING = "journal_damaged"


class Keeper:
    """Follows the table in a thread of its own, with a connection of its own: nobody waits for it."""

    def __init__(
        self, table: Table, journal: Journal, archive: Archive, beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._journal, self._archive = table, journal, archive
        self._own = Journal(journal.path, checked=True)
        self._at, self._copied = _moment(table.snapshot()), copies.records(journal.path)
        self._version, self._ended = -1, threading.Event()
        self._to_check = self._to_sum = True
        self._loop = Loop("keeper", self._turn, beat)

    def stop(self) -> None:
        """Begin nothing more; may be called twice."""
        self._loop.stop()
        self._ended.set()
        self._table.wake()

    def close(self) -> None:
        """Stop keeping; may be called twice."""
        self.stop()
        self._loop.close()
        self._own.close()

    def _turn(self) -> float:
        timeout_s = 0.0 if self._to_check or self._to_sum else WAIT_S
        now = self._table.wait(self._version, timeout_s, self._ended.is_set)
        self._version = now.version
        before, self._at = self._at, _moment(now)
        if self._journal.trouble() is not None:  # health tells of it; here no new file may be begun
            return WAIT_S
        if self._at != before:
            self._to_sum = True
            self._settle()
        if self._to_check or (self._at != before and _is_between_games(now)):
            self._to_check = False
            self._check(self._journal.path)
        return self._sum(now)

    def _sum(self, now: Snapshot) -> float:
        """Make the sums of one game, not of the one that goes on; returns the seconds until the next."""
        if self._to_sum:
            self._to_sum = self._archive.sum_one(but=None if _is_between_games(now) else now.game_id)
        return SUM_EVERY_S if self._to_sum else 0.0

    def _settle(self) -> None:
        try:
            self._own.settle()
        except StorageError as error:
            _log.warning("the journal's log could not be emptied: %s", error)

    def _check(self, path: Path) -> None:
        """Put right what the card has changed, and then copy what is new."""
        try:
            if repair_games(path) is not None:
                self._table.report_losses()
            records = sum(info.records for info in self._own.games())
            if records != self._copied:
                self._copied = records if copies.make(path) else self._copied
        except JournalDamaged as error:
            _log.error("the journal is damaged while it is in use: %s", error)
            doubt_it(path)
            self._table.report(FAILING, Fault(FAILING))
        except StorageError as error:
            _log.warning("no copy of the journal could be made: %s", error)


def _moment(now: Snapshot) -> tuple[object, ...]:
    """A value that changes from round to round and from game to game."""
    game = now.state.game
    return now.game_id, game and game.round.number, game and game.phase is Phase.OVER


def _is_between_games(now: Snapshot) -> bool:
    game = now.state.game
    return game is None or game.phase is Phase.OVER
