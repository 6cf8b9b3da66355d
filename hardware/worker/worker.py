"""A worker: an object in a child process whose methods are called with a time limit.

A call that takes too long is ended with the process, whatever it hangs in, and the next call starts another.
Whoever owns the worker needs nothing of what the child imports:

    worker = Worker("vision.read", name="reader", clock=clock, back_off=BackOff(clock))
    reading = worker.call("read", image_bgr, expect=10, timeout_s=5.0)
    worker.close()

The target is a module, or "package.module:name" of a class or function that makes the object to serve from
the worker's further arguments. Arguments and results are pickled, arrays go through shared memory and arrive
read-only: a picture that one worker gives can be handed to another without a copy. An exception of the
method is raised here as it was there; HardwareError tells of the worker itself: WorkerHung, WorkerEnded,
WorkerGarbled, WorkerResting. `log` keeps the last lines that the child wrote.

The child is a fresh interpreter, because forking is not safe with threads. The other start methods of
multiprocessing add a process that tracks resources (10 MB) and import the owner's main module. The child
ends with its owner, even when that is killed.
"""

from __future__ import annotations

import logging
import threading

from hardware.ports import Clock
from hardware.retry import BackOff
from hardware.worker.channel import Garbled
from hardware.worker.child import Answer, Request
from hardware.worker.errors import WorkerEnded, WorkerError, WorkerGarbled, WorkerHung, WorkerResting
from hardware.worker.process import Process

START_S = 30.0
"""A small board takes ten seconds to import a large library from a slow card."""

_SLICE_S = 0.05
_LOG_LINES = 5
_log = logging.getLogger(__name__)


class Worker:
    """Owns one child process at a time. Calls take turns; the ends may come from any thread.

    `start_s` limits the start of a process and the making of its object. `back_off` spaces out the starts
    after failures in a row; without it the next call tries again at once.
    """

    def __init__(
        self,
        target: str,
        *arguments: object,
        name: str,
        clock: Clock,
        start_s: float = START_S,
        back_off: BackOff | None = None,
    ) -> None:
        self.name = name
        self.log: tuple[str, ...] = ()
        self.starts = 0
        self._target, self._arguments = target, arguments
        self._clock, self._start_s, self._back_off = clock, start_s, back_off
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._killed: list[Process] = []
        self._number = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The number of the running process, None while there is none."""
        process = self._process
        return None if process is None else process.pid

    @property
    def busy(self) -> bool:
        """Whether a call is in progress."""
        return self._lock.locked()

    @property
    def left_behind(self) -> tuple[int, ...]:
        """Processes that were killed and are still there: a driver holds on to them."""
        self._killed = [process for process in self._killed if not process.gone]
        return tuple(process.pid for process in self._killed)

    def start(self) -> None:
        """Start the process now unless it runs. Raises WorkerError, and what making the object raises."""
        with self._lock:
            self._running()

    def call(self, method: str, *arguments: object, timeout_s: float, **keywords: object) -> object:
        """The result or exception of the object's method. Raises WorkerError; starts the process if need
        be."""
        with self._lock:
            process = self._running()
            asked = Request(self._next(), method, arguments, tuple(keywords.items()))
            return _outcome(self._answer(process, asked, timeout_s))

    def kill(self) -> None:
        """End the process now; a call in progress raises WorkerEnded."""
        process = self._process
        if process is not None:
            process.kill()

    def abort(self) -> None:
        """End the process for good and do not wait for that; a call in progress raises WorkerEnded."""
        self._closed = True
        self.kill()

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process, by its own will if it can within `timeout_s` and no call is in progress."""
        self._closed = True
        if not self._lock.acquire(blocking=False):
            self.kill()
            self._lock.acquire()
        try:
            if self._process is not None:
                self._process.leave(timeout_s)
                self._finish(self._process)
        finally:
            self._lock.release()

    def _running(self) -> Process:
        if self._closed:
            raise WorkerEnded(f"{self.name} is closed.", "")
        if self._process is not None:
            return self._process
        pause_s = 0.0 if self._back_off is None else self._back_off.pause_s()
        if pause_s > 0:
            raise WorkerResting(f"{self.name} failed and is tried again in {pause_s:.0f} seconds.", "")
        return self._started()

    def _started(self) -> Process:
        """A new process with its object made; one whose object can't be made is ended."""
        process = self._process = Process(self._target, self.name)
        self.starts += 1
        if self._closed:  # meanwhile: whoever did it found no process to kill
            process.kill()
        answer = self._answer(process, Request(self._next(), None, self._arguments), self._start_s)
        if answer.error is not None:
            self._finish(process)
            self._count_failure()
            raise answer.error
        return process

    def _answer(self, process: Process, asked: Request, timeout_s: float) -> Answer:
        """The answer to a request. Whatever else comes of it ends the process and is raised."""
        try:
            process.send(asked)
            answer = self._awaited(process, timeout_s)
        except WorkerHung as error:
            raise self._failed(process, error) from None
        except (EOFError, ConnectionError):
            raise self._failed(process, None) from None
        except Garbled as error:
            garbled = WorkerGarbled(f"{self.name} gave an answer that makes no sense ({error}).")
            raise self._failed(process, garbled) from None
        if not isinstance(answer, Answer) or answer.number != asked.number:
            raise self._failed(process, WorkerGarbled(f"{self.name} answered what was not asked."))
        if asked.method is not None and self._back_off is not None:
            self._back_off.worked()
        return answer

    def _awaited(self, process: Process, timeout_s: float) -> object:
        """The next message; the time is the clock's, looked at many times a second. Raises WorkerHung."""
        until_s = self._clock.now_s() + timeout_s
        while True:
            left_s = until_s - self._clock.now_s()
            message = process.answer(min(left_s, _SLICE_S))
            if message is not None:
                return message
            if left_s <= 0:
                raise WorkerHung(f"{self.name} gave no answer within {timeout_s:g} seconds.")

    def _failed(self, process: Process, error: WorkerError | None) -> WorkerError:
        """End the process; returns the error given, or that it ended."""
        how = self._finish(process)
        error = error or WorkerEnded(f"{self.name} ended ({how}).")
        if not self._closed:
            lines = "".join(f"\n  {line}" for line in self.log[-_LOG_LINES:])
            _log.warning("%s%s", error.sentence, lines)
        self._count_failure()
        return error

    def _finish(self, process: Process) -> str:
        self._process = None
        how = process.finish()
        self.log = tuple(process.lines)
        if not process.gone:
            self._killed.append(process)
        return how

    def _count_failure(self) -> None:
        if self._back_off is not None:
            self._back_off.failed()

    def _next(self) -> int:
        self._number += 1
        return self._number


def _outcome(answer: Answer) -> object:
    if answer.error is not None:
        raise answer.error
    return answer.value
