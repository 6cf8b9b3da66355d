"""A thread that does its turn again and again, whatever goes wrong in one of them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)

AFTER_FAULT_S = 1.0
CLOSE_S = 1.0
"""So long after `stop` a turn that hangs is waited for; the thread is left behind then."""


class Loop:
    """Calls `turn` until it is closed; `turn` returns the seconds until the next one.

    A turn that raises is logged and the next one comes a second later: a thread must not die of one bad
    moment, not even of an exit or of want of memory. `beat` is called before each turn.
    """

    def __init__(self, name: str, turn: Callable[[], float], beat: Callable[[], None] = lambda: None) -> None:
        self._turn, self._beat = turn, beat
        self._done = threading.Event()
        self._stopped_s: float | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether the thread is to end."""
        return self._done.is_set()

    def stop(self) -> None:
        """Begin no more turns, and wait for nothing; may be called twice."""
        self._stopped_s = self._stopped_s or time.monotonic()
        self._done.set()

    def close(self) -> None:
        """Stop, and wait a moment for the turn under way; may be called twice, and by the thread itself.

        The moment is counted from the first `stop`: threads that were stopped together have one deadline.
        """
        self.stop()
        if self._thread is not threading.current_thread() and self._stopped_s is not None:
            self._thread.join(max(0.0, self._stopped_s + CLOSE_S - time.monotonic()))

    def _run(self) -> None:
        while not self._done.is_set():
            if self._done.wait(self._try()):
                return

    def _try(self) -> float:
        try:
            self._beat()
            return self._turn()
        except BaseException:
            _log.exception("%s failed and goes on", self._thread.name)
            return AFTER_FAULT_S
