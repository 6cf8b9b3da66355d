"""Wrong join codes: an address may try so often, then it waits.

A code has 31^6 forms and two are honoured, so guessing is hopeless at this pace. When many addresses guess at
once each has one try left; nobody who brings the code that is shown is ever kept out, and whoever leads needs
none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

WINDOW_S = 300.0
PER_ADDRESS = 8
OVERALL = 60
_ADDRESSES = 500


class Guesses:
    """Who has guessed how often; may be asked by many threads."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._wrong: dict[str, tuple[float, ...]] = {}

    def wait_s(self, address: str) -> float:
        """How long that address must wait before it may try, 0 when it may."""
        with self._lock:
            self._forget()
            allowed = 1 if sum(map(len, self._wrong.values())) >= OVERALL else PER_ADDRESS
            own = self._wrong.get(address, ())
            return 0.0 if len(own) < allowed else own[-allowed] + WINDOW_S - self._now_s()

    def wrong(self, address: str) -> None:
        """That address brought a code that was never shown."""
        with self._lock:
            self._forget()
            self._wrong[address] = (*self._wrong.get(address, ()), self._now_s())

    def _forget(self) -> None:
        since_s = self._now_s() - WINDOW_S
        recent = {one: tuple(t for t in times if t > since_s) for one, times in self._wrong.items()}
        last_first = sorted((one for one in recent if recent[one]), key=lambda one: -recent[one][-1])
        self._wrong = {one: recent[one] for one in last_first[:_ADDRESSES]}
