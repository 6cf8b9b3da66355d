"""Keeps the journal safe while the box is at work.

Between rounds it is written down how far it has got; between games every record is checked again. What
vanished is written anew. The sums of games are made before anybody asks for them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.errors import StorageError
from companion.loop import Loop
from companion.rules.game import Phase
from companion.statistics.archive import Archive
from companion.storage.journal import Journal
from companion.table.table import Snapshot, Table

_log = logging.getLogger(__name__)

WAIT_S = 0.5
"""How long one wait for the table lasts."""
SUM_EVERY_S = 0.05
"""A pause between two games that are added up, for those who play."""


class Keeper:
    """Follows the table in a thread of its own: nobody waits for it."""

    def __init__(
        self, table: Table, journal: Journal, archive: Archive, beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._journal, self._archive = table, journal, archive
        self._at, self._reported = _moment(table.snapshot()), journal.losses()
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

    def _turn(self) -> float:
        timeout_s = 0.0 if self._to_check or self._to_sum else WAIT_S
        now = self._table.wait(self._version, timeout_s, self._ended.is_set)
        self._version = now.version
        before, self._at = self._at, _moment(now)
        if self._journal.trouble() is not None:  # health tells of it
            return WAIT_S
        self._to_check |= self._at != before and _is_between_games(now)
        self._to_sum |= self._at != before
        self._keep(moved_on=self._at != before)
        return self._sum(now)

    def _sum(self, now: Snapshot) -> float:
        """Make the sums of one game, not of the one that goes on; returns the seconds until the next."""
        if self._to_sum:
            self._to_sum = self._archive.sum_one(but=None if _is_between_games(now) else now.game_id)
        return SUM_EVERY_S if self._to_sum else 0.0

    def _keep(self, *, moved_on: bool) -> None:
        """Put right what the card has changed or somebody has deleted, and report it."""
        try:
            if moved_on:
                self._journal.settle()
            if self._to_check:
                self._to_check = False
                for info in self._journal.games():
                    self._journal.check(info.id)
        except StorageError as error:
            _log.warning("the journal could not be put right: %s", error)
        if (found := self._journal.losses()) != self._reported:
            self._reported = found
            self._table.report_losses()


def _moment(now: Snapshot) -> tuple[object, ...]:
    """A value that changes from round to round and from game to game."""
    game = now.state.game
    return now.game_id, game and game.round.number, game and game.phase is Phase.OVER


def _is_between_games(now: Snapshot) -> bool:
    game = now.state.game
    return game is None or game.phase is Phase.OVER
