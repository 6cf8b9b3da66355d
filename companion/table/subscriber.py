"""A thread that is called after every change of the table: lamps, capture loop, log, programs outside."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from companion.loop import Loop
from companion.table.snapshot import Snapshot

_log = logging.getLogger(__name__)

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

    Snapshots that pass while `on_change` is at work are skipped: only the newest counts. What it raises is
    logged, and the thread goes on. `beat` is called at least once in each WAIT_S, and `on_quiet` after each
    wait of WAIT_S without a change.
    """

    def __init__(
        self,
        name: str,
        table: Followed,
        on_change: Callable[[Snapshot], None],
        beat: Callable[[], None] = lambda: None,
        on_quiet: Callable[[], None] = lambda: None,
    ) -> None:
        self._name, self._table, self._on_change, self._on_quiet = name, table, on_change, on_quiet
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
        snapshot = self._table.wait(self._version, WAIT_S, self._ended.is_set)
        if snapshot.version > self._version:
            self._version = snapshot.version
            self._try(lambda: self._on_change(snapshot))
        elif not self._ended.is_set():
            self._try(self._on_quiet)
        return 0.0

    def _try(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:
            _log.exception("%s failed on a change of the table", self._name)
