"""Calls into a driver that may never come back, waited for with a limit."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from hardware.errors import CameraSilent

T = TypeVar("T")
_Job = tuple[Callable[[], Any], "queue.SimpleQueue[tuple[bool, Any]]"]


class Patience:
    """One thread that does the calls in order, so that whoever asks can stop waiting.

    A driver that hangs holds the thread for ever: it is left behind (a daemon) and the next call refuses at
    once, until the owner makes a new Patience for a newly opened camera.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._hanging = self.closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Callable[[], T], timeout_s: float) -> T:
        """What `work` returns or raises; CameraSilent when that takes longer than `timeout_s`."""
        if self._hanging:
            raise CameraSilent(f"{self._name} still hangs in an earlier call.")
        if self.closed:
            raise CameraSilent(f"{self._name} is closed.")
        answer: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self._jobs.put((work, answer))
        try:
            good, result = answer.get(timeout=timeout_s)
        except queue.Empty:
            self._hanging = True
            raise CameraSilent(f"{self._name} gave no picture within {timeout_s:g} seconds.") from None
        if not good:
            raise result
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the thread end, and wait for it unless it hangs; may be called twice."""
        self.closed = True
        self._jobs.put(None)
        if not self._hanging:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, answer = job
            try:
                answer.put((True, work()))
            except BaseException as error:  # handed to whoever waits, whatever it is
                answer.put((False, error))
