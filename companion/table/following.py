"""A thread that follows the table: lamps, lookers and demo players all wait for what happens next."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.table.table import Snapshot, Table

_log = logging.getLogger(__name__)

WAIT_S = 0.5
"""How long one wait lasts, and so how long closing may take."""


class Follower:
    """Calls `on_change` with every newer snapshot, from a thread of its own, until it is closed.

    Snapshots that pass while `on_change` is at work are skipped: only the newest counts. What it raises is
    logged, and following goes on.
    """

    def __init__(self, name: str, table: Table, on_change: Callable[[Snapshot], None]) -> None:
        self._table, self._on_change = table, on_change
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop following; may be called twice."""
        self._done.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        version = -1
        while not self._done.is_set():
            snapshot = self._table.wait(version, WAIT_S)
            if snapshot.version > version:
                version = snapshot.version
                self._tell(snapshot)

    def _tell(self, snapshot: Snapshot) -> None:
        try:
            self._on_change(snapshot)
        except Exception:
            _log.exception("%s could not follow the table", self._thread.name)
