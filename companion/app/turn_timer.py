"""The clock of a turn, where the rules have one, and the thread that ends the turn when its time is up."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.errors import CompanionError
from companion.rules.game import Game, Phase
from companion.rules.turns import seconds_to_decide
from companion.table.authors import CLOCK
from companion.table.commands import TimeUp
from companion.table.snapshot import Snapshot
from companion.table.subscriber import Subscriber
from companion.table.table import Table

WAIT_S = 0.25
"""How long one wait for the table lasts: the clock is late by no more."""


class TurnTimer:
    """Follows the table; calls for the player on turn once the time is over."""

    def __init__(
        self, table: Table, now_s: Callable[[], float], beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._clock = table, TurnClock(now_s)
        self._timed_out = self._measured = -1
        self._lock = threading.Lock()
        self._subscriber = Subscriber("turn clock", table, self._follow, beat, self._follow, lambda: WAIT_S)

    def stop(self) -> None:
        """Have the thread stop; may be called twice."""
        self._subscriber.stop()

    def close(self) -> None:
        """Stop the thread; may be called twice."""
        self._subscriber.close()

    def left_s(self) -> float | None:
        """The seconds left to the player on turn; None while no clock runs."""
        return self._left_s(self._table.snapshot())

    def _follow(self, snapshot: Snapshot) -> None:
        if self._left_s(snapshot) == 0 and self._timed_out != snapshot.version:
            self._timed_out = snapshot.version
            self._end_turn(snapshot.version)

    def _left_s(self, snapshot: Snapshot) -> float | None:
        """By the page's threads too: whoever sees a new turn first begins to measure it."""
        with self._lock:
            if snapshot.version >= self._measured:
                self._measured = snapshot.version
                self._clock.follow(snapshot)
            return self._clock.left_s()

    def _end_turn(self, version: int) -> None:
        try:
            self._table.do(TimeUp(), version, CLOCK)
        except CompanionError:
            return  # somebody was quicker, or it cannot be written: the page tells that


Turn = tuple[object, ...]


class TurnClock:
    """Measures one turn after the other on a clock that never jumps.

    It stands still while a challenge is half said, and after a restart until somebody does something. A turn
    has its seconds once: nobody gets more of them who is renamed, or while others come and go.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._left_s = now_s, 0.0
        self._turn: Turn = ()
        self._measured_s: float | None = None

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of the table after every change."""
        game, left_s = snapshot.state.game, self.left_s()
        turn = _turn_of(game, snapshot) if game else ()
        seconds = seconds_to_decide(game) if game else 0
        if turn != self._turn:
            self._turn, left_s = turn, float(seconds)
        self._left_s = self._left_s if left_s is None else left_s
        runs = seconds and not snapshot.state.asked and not snapshot.resumed
        self._measured_s = self._now_s() if runs else None

    def left_s(self) -> float | None:
        """The seconds left to the player on turn, never below 0; None while no clock runs."""
        if self._measured_s is None:
            return None
        return max(0.0, self._left_s - (self._now_s() - self._measured_s))


def _turn_of(game: Game, snapshot: Snapshot) -> Turn:
    """A value that changes from turn to turn and knows no names; empty while nobody is to decide."""
    if game.phase is not Phase.BIDDING:
        return ()
    now = game.round
    seat = [player.name for player in game.players].index(now.turn)
    return snapshot.game_id, now.number, seat, sum(said.by == now.turn for said in now.bids)
