"""Heartbeats: which threads of the box still do their work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

Beat = Callable[[], None]
"""Called by a thread each time round: it is alive."""

QUICK_S, SLOW_S = 30.0, 60.0
"""So long a thread may be silent that follows the table or serves the page, and one that asks the parts."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """When a thread was last heard of, and for how many seconds it may be silent. Times are monotonic."""

    at_s: float
    limit_s: float


def overdue(pulses: Mapping[str, Pulse], now_s: float) -> tuple[str, ...]:
    """The threads that have been silent for longer than they may, by name."""
    return tuple(sorted(name for name, pulse in pulses.items() if now_s - pulse.at_s > pulse.limit_s))


class Heartbeats:
    """The pulses of all threads of one box. Any thread may use it."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._pulses: dict[str, Pulse] = {}

    def expect(self, name: str, limit_s: float) -> Beat:
        """From now on `name` beats at least every `limit_s`; returns what it calls to do so."""
        with self._lock:
            self._pulses[name] = Pulse(self._now_s(), limit_s)
        return lambda: self._beat(name)

    def forget(self, name: str) -> None:
        """`name` has ended as it should."""
        with self._lock:
            self._pulses.pop(name, None)

    def overdue(self) -> tuple[str, ...]:
        """The threads that are dead, or hang."""
        with self._lock:
            return overdue(self._pulses, self._now_s())

    def ages_s(self) -> Mapping[str, float]:
        """How long ago each thread was heard of."""
        with self._lock:
            now_s = self._now_s()
            return {name: now_s - pulse.at_s for name, pulse in sorted(self._pulses.items())}

    def _beat(self, name: str) -> None:
        with self._lock:
            pulse = self._pulses.get(name)
            if pulse is not None:
                self._pulses[name] = replace(pulse, at_s=self._now_s())
