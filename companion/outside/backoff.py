"""Pauses between attempts that fail in a row."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST_S, LONGEST_S = 1.0, 60.0


class BackOff:
    """Pauses that double with each failure up to the longest, shortened by chance by up to a half: after a
    broker's restart, two hundred boxes must not come back in the same moment."""

    def __init__(self, now_s: Callable[[], float], chance: Callable[[], float] = random.random) -> None:
        self._now_s, self._chance = now_s, chance
        self._failures, self._again_s = 0, float("-inf")

    @property
    def failures(self) -> int:
        """How many in a row."""
        return self._failures

    def failed(self) -> None:
        """Note a failure: the next attempt is due after a pause."""
        longest = min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        self._again_s = self._now_s() + longest * (0.5 + self._chance() / 2)

    def worked(self) -> None:
        """Forget all failures."""
        self._failures, self._again_s = 0, float("-inf")

    def pause_s(self) -> float:
        """Seconds until the next attempt is due, 0 if it is."""
        return max(0.0, self._again_s - self._now_s())
