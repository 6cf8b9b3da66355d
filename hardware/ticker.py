"""One thread that does a step, sleeps as long as the step says, and can be woken early."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Ticker:
    """Calls `step` again and again; `step` returns the seconds until its next turn, None for "when woken".

    A step that raises is logged and tried again after a second: lamps must not die of one bad moment.
    """

    def __init__(self, name: str, step: Callable[[], float | None]) -> None:
        self._step = step
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
            delay_s = self._try_step()
            self._wake.wait(delay_s)
            self._wake.clear()

    def _try_step(self) -> float | None:
        try:
            delay_s = self._step()
        except Exception:
            _log.exception("%s: a step failed", self._thread.name)
            return 1.0
        return None if delay_s is None else max(0.001, delay_s)
