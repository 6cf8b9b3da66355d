"""Time: the system's, and one that a test or a simulated box moves by hand."""

from __future__ import annotations

import threading
import time

from hardware.ports import Clock


class SystemClock:
    """Monotonic seconds; never the wall clock, which lies on a board without a battery."""

    def now_s(self) -> float:
        return time.monotonic()

    def wait_s(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class FakeClock:
    """A clock that stands still until it is moved; waiting moves it at once."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()

    def now_s(self) -> float:
        with self._lock:
            return self._now_s

    def wait_s(self, seconds: float) -> None:
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Move on by `seconds`; raises ValueError for a step back."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        with self._lock:
            self._now_s += seconds


class SkippingClock:
    """Another clock that can run ahead for a moment, until the other has caught up.

    The simulated box stamps a press of a second with it without anybody waiting a second, and no drift is
    left behind.
    """

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._ahead_s = float("-inf")
        self._lock = threading.Lock()

    def now_s(self) -> float:
        with self._lock:
            return max(self._base.now_s(), self._ahead_s)

    def wait_s(self, seconds: float) -> None:
        self._base.wait_s(seconds)

    def skip(self, seconds: float) -> None:
        """Let the time be `seconds` later than now."""
        with self._lock:
            self._ahead_s = max(self._base.now_s(), self._ahead_s) + max(0.0, seconds)
