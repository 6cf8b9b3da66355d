"""Watches buttons, lamps and sound, and tells the table what of them does not work just now."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from companion.table.table import Fault, Table

_log = logging.getLogger(__name__)

PART = "box"
EVERY_S = 2.0


class Health:
    """Asks `faults` every few seconds: errors with a `reason`, the gravest first. The table shows the first.

    The parts mend themselves; what is over is taken back as soon as it is.
    """

    def __init__(self, table: Table, faults: Callable[[], Sequence[Any]], every_s: float = EVERY_S) -> None:
        self._table, self._faults, self._every_s = table, faults, every_s
        self._done = threading.Event()
        self.look()
        self._thread = threading.Thread(target=self._run, name="health", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Ask once, and tell the table."""
        found = self._faults()
        self._table.report(PART, Fault(found[0].reason) if found else None)

    def close(self) -> None:
        """Stop watching; may be called twice."""
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self._every_s):
            try:
                self.look()
            except Exception:
                _log.exception("the parts of the box could not be looked at")
