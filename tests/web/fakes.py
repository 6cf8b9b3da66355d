"""A table that shows whatever a test puts on it, and remembers what it was asked to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import StaleCommand


@dataclass(frozen=True, slots=True)
class Snapshot:
    version: int
    data: Mapping[str, Any]


class FakeTable:
    """Counts versions and wakes listeners as the real one does; `answer` decides what a command changes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._changed = threading.Condition()
        self._now = Snapshot(1, data)
        self.done: list[Any] = []
        self.waits: list[tuple[int, float]] = []
        self.answer: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]] = lambda _command, data: data

    def snapshot(self) -> Snapshot:
        return self._now

    def wait(self, after: int, timeout_s: float) -> Snapshot:
        self.waits.append((after, timeout_s))
        with self._changed:
            self._changed.wait_for(lambda: self._now.version > after, timeout_s)
            return self._now

    def do(self, command: Any, based_on: int | None = None) -> Snapshot:
        if based_on is not None and based_on != self._now.version:
            raise StaleCommand("stale")
        fresh = self.answer(command, self._now.data)
        self.done.append(command)
        return self.put(fresh)

    def put(self, data: Mapping[str, Any]) -> Snapshot:
        with self._changed:
            self._now = Snapshot(self._now.version + 1, data)
            self._changed.notify_all()
            return self._now
