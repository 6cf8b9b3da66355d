"""The thread that ends a turn when its time is up, where the rules have a clock."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.errors import CompanionError
from companion.loop import Loop
from companion.table.authors import CLOCK
from companion.table.commands import TimeUp
from companion.table.table import Snapshot, Table
from companion.table.turn_clock import TurnClock

WAIT_S = 0.25
"""How long one wait for the table lasts: the clock is late by no more."""


class TurnTimer:
    """Follows the table; calls for the player on turn once the time is over."""

    def __init__(
        self, table: Table, now_s: Callable[[], float], beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._clock = table, TurnClock(now_s)
        self._version = self._timed_out = self._measured = -1
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._loop = Loop("turn clock", self._turn, beat)

    def stop(self) -> None:
        """Have the thread stop; may be called twice."""
        self._loop.stop()
        self._ended.set()
        self._table.wake()

    def close(self) -> None:
        """Stop the thread; may be called twice."""
        self.stop()
        self._loop.close()

    def left_s(self) -> float | None:
        """The seconds left to the player on turn; None while no clock runs."""
        return self._left_s(self._table.snapshot())

    def _turn(self) -> float:
        snapshot = self._table.wait(self._version, WAIT_S, self._ended.is_set)
        self._version = snapshot.version
        if self._left_s(snapshot) == 0 and self._timed_out != snapshot.version:
            self._timed_out = snapshot.version
            self._end_turn(snapshot.version)
        return 0.0

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
