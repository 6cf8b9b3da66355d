"""Watches the parts of the box and its disk, and tells the table what does not work just now."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.errors import StorageError
from companion.table.table import Fault, Table

_log = logging.getLogger(__name__)

EVERY_S = 2.0
LEAST_FREE_BYTES = 50_000_000
"""With less room no more pictures are kept: what is left is for the journal, which needs little of it."""


class Health:
    """Asks `faults` every few seconds: errors with a `reason`, the gravest first. Each cause is told once.

    The parts mend themselves; what is over is taken back as soon as it is. Asking may take its time: nobody
    waits for it, the page answers from the first moment on.
    """

    def __init__(self, table: Table, faults: Callable[[], Sequence[Any]]) -> None:
        self._table, self._faults = table, faults
        self._told: tuple[str, ...] = ()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="health", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching; may be called twice."""
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                self._look()
            except Exception:
                _log.exception("the parts of the box could not be looked at")
            if self._done.wait(EVERY_S):
                return

    def _look(self) -> None:
        """Ask once, and tell the table what came and what went, each cause as a part of its own."""
        found = tuple(dict.fromkeys(str(fault.reason) for fault in self._faults()))
        for reason in self._told:
            if reason not in found:
                self._table.report(reason, None)
        for reason in found:
            self._table.report(reason, Fault(reason))
        self._told = found


def no_room(folder: Path, least_bytes: int = LEAST_FREE_BYTES) -> StorageError | None:
    """The fault of a disk that is as good as full, None while there is room for pictures."""
    if shutil.disk_usage(folder).free >= least_bytes:
        return None
    return StorageError("disk_full", path=folder)
