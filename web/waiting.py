"""Long polls with a bound: a listening phone holds a thread, so only so many may listen at once."""

from __future__ import annotations

import threading

from web.deps import SnapshotPort, TablePort


class WaitingRoom:
    """Lets up to `seats` phones wait for the next change; one too many is answered at once.

    A phone that was not seated is told to ask again after a second, so that forty phones and a slow board
    never silence the server.
    """

    def __init__(self, table: TablePort, seats: int, poll_s: float) -> None:
        self._table = table
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
            return self._table.wait(version, self._poll_s), True
        finally:
            self._seats.release()
