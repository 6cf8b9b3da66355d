"""Keeps the journal safe while the box is at work.

Between rounds it is written down how far it has got; between games every record is checked again. What
vanished is written anew. The sums of games are made before anybody asks for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.errors import StorageError
from companion.rules.game import Phase
from companion.statistics.archive import Archive
from companion.storage.journal import Journal
from companion.table.subscriber import WAIT_S, Subscriber
from companion.table.table import Snapshot, Table

_log = logging.getLogger(__name__)

SUM_EVERY_S = 0.05
"""A pause between two games that are added up, for those who play."""


class Keeper:
    """Follows the table in a thread of its own: nobody waits for it."""

    def __init__(
        self, table: Table, journal: Journal, archive: Archive, beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._journal, self._archive = table, journal, archive
        self._at, self._reported = _moment(table.snapshot()), journal.losses()
        self._to_check = self._to_sum = True
        self._subscriber = Subscriber("keeper", table, self._follow, beat, self._follow, self._wait_s)

    def stop(self) -> None:
        """Begin nothing more; may be called twice."""
        self._subscriber.stop()

    def close(self) -> None:
        """Stop keeping; may be called twice."""
        self._subscriber.close()

    def _wait_s(self) -> float:
        return SUM_EVERY_S if self._to_sum and self._journal.trouble() is None else WAIT_S

    def _follow(self, now: Snapshot) -> None:
        before, self._at = self._at, _moment(now)
        if self._journal.trouble() is not None:  # health tells of it
            return
        self._to_check |= self._at != before and _is_between_games(now)
        self._to_sum |= self._at != before
        self._keep(moved_on=self._at != before)
        if self._to_sum:  # of one game, not of the one that goes on
            self._to_sum = self._archive.sum_one(but=None if _is_between_games(now) else now.game_id)

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
