"""The threads of the box: turns again and again, the heartbeats that say so, and how all of them end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Protocol

_log = logging.getLogger(__name__)

Beat = Callable[[], None]
"""Called by a thread each time round: it is alive."""

QUICK_S, SLOW_S = 30.0, 60.0
"""So long a thread may be silent that follows the table or serves the page, and one that asks the parts."""


class Heartbeats:
    """When each thread of one box was last heard of. Any thread may use it; `now_s` is a monotonic clock."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._heard_s: dict[str, float] = {}
        self._limits_s: dict[str, float] = {}

    def expect(self, name: str, limit_s: float) -> Beat:
        """From now on `name` beats at least every `limit_s`; returns what it calls to do so."""
        with self._lock:
            self._heard_s[name], self._limits_s[name] = self._now_s(), limit_s
        return lambda: self._beat(name)

    def forget(self, name: str) -> None:
        """`name` has ended as it should."""
        with self._lock:
            self._heard_s.pop(name, None)

    def overdue(self) -> tuple[str, ...]:
        """The threads that are dead, or hang."""
        return tuple(name for name, age_s in self.ages_s().items() if age_s > self._limits_s[name])

    def ages_s(self) -> Mapping[str, float]:
        """How long ago each thread was heard of, by name."""
        with self._lock:
            now_s = self._now_s()
            return {name: now_s - at_s for name, at_s in sorted(self._heard_s.items())}

    def _beat(self, name: str) -> None:
        with self._lock:
            if name in self._heard_s:
                self._heard_s[name] = self._now_s()


AFTER_FAULT_S = 1.0
BEAT_S = 5.0
"""A turn that has nothing to do until it is woken comes again after so long, to be heard of."""

CLOSE_S = 1.0
"""So long after `stop` a turn that hangs is waited for; the thread is left behind then."""


class Loop:
    """Calls `turn` until it is closed; `turn` returns the seconds until the next one, None for "when woken".

    A turn that raises is logged and the next one comes a second later: a thread must not die of one bad
    moment, not even of an exit or of want of memory. `beat` is called before each turn. `closed`: it ends.
    """

    def __init__(
        self, name: str, turn: Callable[[], float | None], beat: Callable[[], None] = lambda: None
    ) -> None:
        self._turn, self._beat = turn, beat
        self._wake, self.closed = threading.Event(), False
        self._stopped_s: float | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Take the next turn now."""
        self._wake.set()

    def stop(self) -> None:
        """Begin no more turns, and wait for nothing; may be called twice."""
        self._stopped_s = self._stopped_s or time.monotonic()
        self.closed = True
        self._wake.set()

    def close(self) -> None:
        """Stop, and wait a moment for the turn under way; may be called twice, and by the thread itself.

        The moment is counted from the first `stop`: threads that were stopped together have one deadline.
        """
        self.stop()
        if self._thread is not threading.current_thread() and self._stopped_s is not None:
            self._thread.join(max(0.0, self._stopped_s + CLOSE_S - time.monotonic()))

    def _run(self) -> None:
        while not self.closed:
            if pause_s := self._try():
                self._wake.wait(pause_s)
                self._wake.clear()

    def _try(self) -> float:
        try:
            self._beat()
            pause_s = self._turn()
            return BEAT_S if pause_s is None else pause_s
        except BaseException:
            _log.exception("%s failed and goes on", self._thread.name)
            return AFTER_FAULT_S


class Lease:
    """Calls `end` once `seconds` have passed without `renew`; a phone that goes away leaves nothing lit."""

    def __init__(self, seconds: float, end: Callable[[], None]) -> None:
        self._seconds, self._end = seconds, end
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    @property
    def runs(self) -> bool:
        """Whether somebody has asked of late."""
        with self._lock:
            return self._timer is not None

    def renew(self) -> None:
        """Begin, or go on for as long again."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(self._seconds, self.close)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """End now, if it runs; may be called twice."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
            self._end()
            if timer is not threading.current_thread():
                timer.join()


class Part(Protocol):
    """A part of the box. `stop` asks it to come to its end and returns at once, `close` waits for that."""

    def stop(self) -> None: ...

    def close(self) -> None: ...


class Ending:
    """Parts that end together, newest first, in two rounds.

    The first asks each of them to stop and waits for none; the second closes them. So they all come to their
    end at the same time, and the slowest alone decides how long that takes.
    """

    def __init__(self) -> None:
        self._stops: list[Callable[[], None]] = []
        self._closes = ExitStack()

    def add(self, part: Part) -> None:
        """Have this part end in both rounds."""
        self._stops.append(part.stop)
        self.on_close(part.close)

    def on_close(self, close: Callable[[], None]) -> None:
        """Call this in the second round."""
        self._closes.callback(close)

    def stop(self) -> None:
        """Ask every part to stop, whatever one of them raises; may be called twice."""
        while self._stops:
            try:
                self._stops.pop()()
            except Exception:
                _log.exception("a part could not be asked to stop")

    def close(self) -> None:
        """Ask every part to stop, then close each; may be called twice. Raises what closing one raises, once
        all are closed."""
        self.stop()
        self._closes.close()
