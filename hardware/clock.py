"""Time: the system's, one that runs ahead, and when to try again what did not work."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from hardware.ports import Clock


class SystemClock:
    """Monotonic seconds; never the wall clock, which lies on a board without a battery."""

    def now_s(self) -> float:
        return time.monotonic()


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

    def skip(self, seconds: float) -> None:
        """Let the time be `seconds` later than now."""
        with self._lock:
            self._ahead_s = max(self._base.now_s(), self._ahead_s) + max(0.0, seconds)


class BackOff:
    """Pauses after failures in a row: none after the first `free` ones, then doubling up to the longest.

    Each is shortened by chance by up to the share `jitter`, so that many boxes do not come back at once.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        first_s: float = 1.0,
        longest_s: float = 30.0,
        free: int = 0,
        jitter: float = 0.0,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._clock, self._first_s, self._longest_s, self._free = clock, first_s, longest_s, free
        self._jitter, self._chance = jitter, chance
        self.failures, self._again_s = 0, float("-inf")

    def failed(self) -> None:
        """Note a failure: the next attempt is due after a pause."""
        self.failures += 1
        doublings = min(self.failures - self._free - 1, 32)
        pause_s = min(self._longest_s, self._first_s * 2.0**doublings) if doublings >= 0 else 0.0
        self._again_s = self._clock.now_s() + pause_s * (1 - self._jitter * self._chance())

    def worked(self) -> None:
        """Forget all failures."""
        self.failures, self._again_s = 0, float("-inf")

    def pause_s(self) -> float:
        """Seconds until the next attempt is due, 0 if it is."""
        return max(0.0, self._again_s - self._clock.now_s())


def sooner(one_s: float | None, other_s: float | None) -> float | None:
    """The shorter of two pauses, None standing for "never"."""
    return min((pause for pause in (one_s, other_s) if pause is not None), default=None)
