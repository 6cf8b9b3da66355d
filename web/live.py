"""Live updates: long polls with a bound, for each holds a thread, and fragments drawn once for all phones."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from web.deps import SnapshotPort, TablePort

GLANCE_S = 1.0
"""So often it is noted that somebody waits."""

RESERVED = 8
"""So many of the seats one address never takes: they stay for other phones."""


class WaitingRoom:
    """Lets up to `seats` phones wait for the next change; one too many is answered at once.

    A phone without a place is asked to come again after a second, so that forty phones and a slow board never
    silence the server. `glance` is called now and then while anybody waits.
    """

    def __init__(
        self, table: TablePort, seats: int, poll_s: float, glance: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._closed, self._glance = table, threading.Event(), glance
        self._seats, self._poll_s = seats, poll_s
        self._lock, self._waiting = threading.Lock(), Counter[str]()

    def next_after(
        self, version: int | None, quick: bool = False, address: str = ""
    ) -> tuple[SnapshotPort, bool]:
        """The first snapshot newer than `version`, and whether the phone had a seat to wait in.

        A version above the present one comes from before a restart with other data: it is answered at once.
        So is a `quick` question, by which a phone that wakes learns whether the box is there.
        """
        now = self._table.snapshot()
        if quick or version is None or now.version != version:
            return now, True
        with self._seat(address) as seated:
            return (self._wait(version), True) if seated else (now, False)

    def close(self) -> None:
        """Send everybody home."""
        self._closed.set()
        self._table.wake()

    @contextmanager
    def _seat(self, address: str) -> Iterator[bool]:
        """A seat to wait in for a phone of that address; whether there was one."""
        with self._lock:
            most = self._seats - min(RESERVED, self._seats // 2)
            seated = self._waiting.total() < self._seats and self._waiting[address] < most
            self._waiting[address] += seated
        try:
            yield seated
        finally:
            with self._lock:
                self._waiting[address] -= seated
                self._waiting += Counter()  # addresses of which nobody waits are forgotten

    def _wait(self, version: int) -> SnapshotPort:
        left_s = self._poll_s
        while True:
            now = self._table.wait(version, min(left_s, GLANCE_S), self._closed.is_set)
            left_s -= GLANCE_S
            self._glance()
            if now.version != version or left_s <= 0 or self._closed.is_set():
                return now


class FragmentCache:
    """The fragments of one version of the table; a newer version drops them. Forty phones that wake at once
    and see the same cost one rendering."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = -1
        self._kept: dict[Hashable, str] = {}

    def get(self, version: int, key: Hashable, draw: Callable[[], str]) -> str:
        """The fragment for phones with this `key` at `version`: rendered by the first that asks, while others
        wait."""
        if version < self._version:
            return draw()  # a phone that was overtaken: what the others wait for stays
        with self._lock:
            if version > self._version:
                self._version, self._kept = version, {}
            elif version < self._version:
                return draw()
            if key not in self._kept:
                self._kept[key] = draw()
            return self._kept[key]
