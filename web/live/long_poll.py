"""Long polls with a bound: a listening phone holds a thread, so only so many may listen at once."""

from __future__ import annotations

import threading

from web.deps import SnapshotPort, TablePort

GLANCE_S = 1.0
"""So often somebody who waits looks whether the room closes."""


class WaitingRoom:
    """Lets up to `seats` phones wait for the next change; one too many is answered at once.

    A phone that was not seated is told to ask again after a second, so that forty phones and a slow board
    never silence the server.
    """

    def __init__(self, table: TablePort, seats: int, poll_s: float) -> None:
        self._table, self._closed = table, threading.Event()
        self._seats = threading.BoundedSemaphore(seats)
        self._poll_s = poll_s

    def next_after(self, version: int | None, quick: bool = False) -> tuple[SnapshotPort, bool]:
        """The first snapshot newer than `version`, and whether the phone had a seat to wait in.

        A version of the future comes from before a restart with other data: it is answered at once, and so
        is a `quick` question, by which a phone that wakes learns whether the box is there.
        """
        now = self._table.snapshot()
        if quick or version is None or now.version != version:
            return now, True
        if not self._seats.acquire(blocking=False):
            return now, False
        try:
            return self._wait(version), True
        finally:
            self._seats.release()

    def close(self) -> None:
        """Send everybody home, within a second."""
        self._closed.set()

    def _wait(self, version: int) -> SnapshotPort:
        left_s = self._poll_s
        while True:
            now = self._table.wait(version, min(left_s, GLANCE_S))
            left_s -= GLANCE_S
            if now.version != version or left_s <= 0 or self._closed.is_set():
                return now
