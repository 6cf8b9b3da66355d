"""A thread that is called after every change of the table: lamps, capture loop, log, programs outside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from companion.table.snapshot import Snapshot
from companion.threads import Loop

WAIT_S = 0.5
"""How long one wait lasts."""


class Followed(Protocol):
    """The table, of which changes are waited for."""

    def wait(self, after: int, timeout_s: float, ended: Callable[[], bool]) -> Snapshot:
        """The snapshot as soon as it is newer than version `after`, the newest after `timeout_s`."""

    def wake(self) -> None:
        """Have everybody who waits look again."""


class Subscriber:
    """Calls `on_change` with every newer snapshot, from a thread of its own, until it is closed.

    Snapshots that pass while `on_change` is at work are skipped: only the newest counts. `on_quiet` is called
    after each wait of `wait_s()` seconds without a change. What they raise is logged, and the thread goes on.
    """

    def __init__(
        self,
        name: str,
        table: Followed,
        on_change: Callable[[Snapshot], None],
        beat: Callable[[], None] = lambda: None,
        on_quiet: Callable[[Snapshot], None] = lambda _: None,
        wait_s: Callable[[], float] = lambda: WAIT_S,
    ) -> None:
        self._table, self._on_change, self._on_quiet, self._wait_s = table, on_change, on_quiet, wait_s
        self._version, self._ended = -1, threading.Event()
        self._loop = Loop(name, self._turn, beat)

    def stop(self) -> None:
        """Have the thread stop; may be called twice."""
        self._loop.stop()
        self._ended.set()
        self._table.wake()

    def close(self) -> None:
        """Stop the thread; may be called twice."""
        self.stop()
        self._loop.close()

    def _turn(self) -> float:
        snapshot = self._table.wait(self._version, self._wait_s(), self._ended.is_set)
        changed, self._version = snapshot.version > self._version, snapshot.version
        if changed:
            self._on_change(snapshot)
        elif not self._ended.is_set():
            self._on_quiet(snapshot)
        return 0.0
