"""One thread that does a step, sleeps for as long as the step returns, and can be woken early."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)

Beat = Callable[[], None] | None
"""What a thread calls to say that it is at work; None where nobody listens."""

BEAT_S = 5.0
"""The longest time between two turns of a thread whose heart is listened to."""

AFTER_FAULT_S = 1.0


class Ticker:
    """Calls `step` again and again; `step` returns the seconds until its next turn, None for "when woken".

    A step that raises is logged and tried again after a second: lamps must not die of one bad moment, not
    even of an exit or of want of memory. `beat` is called before each turn; with one, there is a turn at
    least every BEAT_S.
    """

    def __init__(self, name: str, step: Callable[[], float | None], beat: Beat = None) -> None:
        self._step, self._beat = step, beat
        self._wake = threading.Event()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Do the next step now."""
        self._wake.set()

    def close(self) -> None:
        """Stop and wait for the thread; may be called twice."""
        self._stop = True
        self._wake.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stop:
            self._wake.wait(self._within_beat(self._try_step()))
            self._wake.clear()

    def _within_beat(self, delay_s: float | None) -> float | None:
        if self._beat is None:
            return delay_s
        return BEAT_S if delay_s is None else min(delay_s, BEAT_S)

    def _try_step(self) -> float | None:
        try:
            if self._beat is not None:
                self._beat()
            delay_s = self._step()
        except BaseException:
            _log.exception("%s: a step failed", self._thread.name)
            return AFTER_FAULT_S
        return None if delay_s is None else max(0.001, delay_s)
