"""Clocks that a test moves by hand."""

import threading

from hardware.clock import SystemClock


class LaterClock(SystemClock):
    """The system's, put on by hand."""

    ahead_s = 0.0

    def now_s(self) -> float:
        return super().now_s() + self.ahead_s


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()

    def now_s(self) -> float:
        with self._lock:
            return self._now_s

    def advance(self, seconds: float) -> None:
        """Move on by `seconds`; raises ValueError for a step back."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        with self._lock:
            self._now_s += seconds
