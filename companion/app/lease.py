"""Something that is on only as long as somebody keeps asking for it."""

from __future__ import annotations

import threading
from collections.abc import Callable


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
