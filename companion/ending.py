"""The end of a box: every part is asked to stop before any of them is waited for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

_log = logging.getLogger(__name__)


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
        self.on_stop(part.stop)
        self.on_close(part.close)

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Call this in the first round; it may wait for nothing."""
        self._stops.append(stop)

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
