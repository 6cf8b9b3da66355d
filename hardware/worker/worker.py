"""A worker: an object in a child process whose methods are called with a time limit.

A call that takes too long is ended with the process, whatever it hangs in, and the next call starts another.
Whoever owns the worker needs nothing of what the child imports:

    worker = Worker("vision.read", name="reader", clock=clock, back_off=BackOff(clock))
    reading = worker.call("read", image_bgr, timeout_s=5.0)
    worker.close()

The target is a module, or "package.module:name" of a class or function that makes the object to serve from
the worker's further arguments. Arguments and results are pickled; what cannot be ends the process. An
exception of the method is raised here as it was there; HardwareError tells of the worker itself: WorkerHung,
WorkerEnded, WorkerResting. `log` keeps the last lines that the child wrote.

The child is a fresh interpreter, because forking is not safe with threads. The other start methods of
multiprocessing add a process that tracks resources (10 MB) and import the owner's main module. The child
ends with its owner, even when that is killed.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, cast

from hardware.clock import BackOff
from hardware.errors import WorkerEnded, WorkerHung, WorkerResting
from hardware.ports import Clock
from hardware.worker.child import Answer, Request, send

if sys.platform == "linux":
    import fcntl

START_S = 30.0
"""A small board takes ten seconds to import a large library from a slow card; then a camera has to open."""

_SLICE_S = 0.05
_LOG_LINES = 5
_log = logging.getLogger(__name__)


class Worker:
    """Owns one child process at a time. Calls take turns; the ends may come from any thread.

    `back_off` spaces out the starts after failures in a row; without it the next call tries again at once.
    """

    def __init__(
        self,
        target: str,
        *arguments: object,
        name: str,
        clock: Clock,
        back_off: BackOff | None = None,
    ) -> None:
        self.name = name
        self.log: tuple[str, ...] = ()
        self.starts = 0
        self._target, self._arguments = target, arguments
        self._clock, self._back_off = clock, back_off
        self._lock = threading.Lock()
        self._process: Process | None = None
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

    def start(self) -> None:
        """Start the process now unless it runs. Raises WorkerError, and what making the object raises."""
        with self._lock:
            self._running()

    def call(self, method: str, *arguments: object, timeout_s: float) -> object:
        """The result or exception of the object's method. Raises WorkerError; starts the process if need
        be."""
        with self._lock:
            process = self._running()
            answer = self._answer(process, Request(method, arguments), timeout_s)
            if self._back_off is not None:
                self._back_off.worked()
            if answer.error is not None:
                raise answer.error
            return answer.value

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
        answer = self._answer(process, Request(None, self._arguments), START_S)
        if answer.error is not None:
            self._finish(process)
            self._count_failure()
            raise answer.error
        return process

    def _answer(self, process: Process, asked: Request, timeout_s: float) -> Answer:
        """The answer to a request. Whatever else comes of it ends the process and is raised."""
        try:
            return self._awaited(process.ask(asked), timeout_s)
        except Exception as error:  # no answer in time, the pipe's end, or what cannot be pickled
            raise self._failed(process, error) from None

    def _awaited(self, answer: Future[Answer], timeout_s: float) -> Answer:
        """The next answer; the time is the clock's, looked at many times a second. Raises WorkerHung."""
        until_s = self._clock.now_s() + timeout_s
        while True:
            left_s = until_s - self._clock.now_s()
            wait((answer,), max(0.0, min(left_s, _SLICE_S)))
            if answer.done():
                return answer.result()
            if left_s <= 0:
                raise WorkerHung(f"{self.name} gave no answer within {timeout_s:g} seconds.")

    def _failed(self, process: Process, cause: Exception) -> WorkerHung | WorkerEnded:
        """End the process; returns that it hung, or that it ended and how."""
        how = self._finish(process)
        if isinstance(cause, WorkerHung):
            error: WorkerHung | WorkerEnded = cause
        else:
            how += "" if isinstance(cause, EOFError | OSError) else f", {cause}"
            error = WorkerEnded(f"{self.name} ended ({how}).")
        if not self._closed:
            lines = "".join(f"\n  {line}" for line in self.log[-_LOG_LINES:])
            _log.warning("%s%s", error.sentence, lines)
        self._count_failure()
        return error

    def _finish(self, process: Process) -> str:
        self._process = None
        how = process.finish()
        self.log = tuple(process.lines)
        return how

    def _count_failure(self) -> None:
        if self._back_off is not None:
            self._back_off.failed()


LOG_LINES, LINE_CHARACTERS = 100, 300
_REAPED_S = 2.0
_LONGEST_LINE = 1 << 16
_PIPE_BYTES = 1 << 18
"""A pipe of Linux has 64 kB, with which a reading of a camera's picture takes 1.06 times as long."""

_START = "import sys; sys.path[:] = {!r}; from hardware.worker.child import main; main({!r}, {!r})"

_SPARING = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(256 << 10),
    "MALLOC_TRIM_THRESHOLD_": str(4 << 20),
    "OPENBLAS_NUM_THREADS": "1",
}
"""The C library of a child hands back what a picture needed, and keeps one heap for all its threads; a child
that wants it otherwise says so itself. Source: mallopt(3), of glibc; elsewhere nobody reads it. A thread of
OpenBLAS that takes its memory only once a child has bounded its own ends it."""

_Asked = tuple[Request, Future[Answer]]


class Process:
    """A running child. `lines` are the last ones it wrote to standard output and error.

    One thread asks it, so that even a child that reads nothing keeps nobody waiting, one reads its log.
    """

    def __init__(self, target: str, name: str) -> None:
        self.name = name
        self.lines: deque[str] = deque(maxlen=LOG_LINES)
        self._lock = threading.Lock()
        self._asked = SimpleQueue[_Asked | None]()
        self._child, self._life = _started(target, name)
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._ask, self._read_log)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._child.pid

    def ask(self, request: Request) -> Future[Answer]:
        """Send a request; its answer is to come. That raises EOFError or OSError when the child is gone, and
        what `pickle` raises."""
        answer = Future[Answer]()
        self._asked.put((request, answer))
        return answer

    def leave(self, timeout_s: float) -> None:
        """Let the child end by itself, as it does when no more requests come; wait for that so long."""
        self._asked.put(None)
        with self._lock, suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout_s)

    def kill(self) -> None:
        """Kill the child, and its own children where the system knows them, from any thread; may be called
        twice."""
        with self._lock:
            if self._child.returncode is not None:
                return
            if sys.platform == "win32":
                self._child.kill()
            else:  # not reaped: its number is still its own
                os.killpg(self._child.pid, signal.SIGKILL)

    def finish(self) -> str:
        """Kill, reap and give everything back; returns how the child ended, in words.

        A child in a driver that does not even let it be killed is left behind.
        """
        self.kill()
        with self._lock, suppress(subprocess.TimeoutExpired):
            self._child.wait(_REAPED_S)
        self._asked.put(None)
        for thread in self._threads:
            thread.join(_REAPED_S)
        self._let_go()
        return _how(self._child.returncode)

    def _let_go(self) -> None:
        if self._life >= 0:
            os.close(self._life)

    def _ask(self) -> None:
        """Hand over what is asked, and what is answered."""
        requests, answers = _there(self._child.stdin), _there(self._child.stdout)
        while (asked := self._asked.get()) is not None:
            request, answer = asked
            try:
                send(requests, request)
                answer.set_result(cast(Answer, pickle.load(answers)))
            except BaseException as error:
                answer.set_exception(error)
            del asked, request, answer  # a picture need not stay until the next
        with answers, suppress(OSError):
            requests.close()

    def _read_log(self) -> None:
        """Keep the last lines of what the child wrote, and pass its warnings on to our own log."""
        with _there(self._child.stderr) as log:
            while line := log.readline(_LONGEST_LINE):
                self._keep(line.rstrip()[:LINE_CHARACTERS].decode(errors="replace"))

    def _keep(self, line: str) -> None:
        self.lines.append(line)
        level, _, words = line.partition(" ")
        if level in ("WARNING", "ERROR", "CRITICAL"):
            _log.log(logging.getLevelName(level), "%s: %s", self.name, words)
        else:
            _log.debug("%s: %s", self.name, line)


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # every stream of the child is a pipe
    return pipe


def _how(status: int | None) -> str:
    if status is None:
        return "it can't be killed"
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def _started(target: str, name: str) -> tuple[subprocess.Popen[bytes], int]:
    """A fresh interpreter that shares nothing but pipes, and the end of one that ties it to us, -1 where
    there is none: forking with threads is not safe."""
    life, ours = os.pipe() if sys.platform == "linux" else (-1, -1)
    inherited = [life] if life >= 0 else []
    code = _START.format(sys.path, target, life)
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", code, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**_SPARING, **os.environ},
            pass_fds=inherited,
            process_group=0,  # Ctrl-C at the terminal is for the owner
        )
    except BaseException:
        inherited += [ours] if inherited else []
        raise
    finally:
        for descriptor in inherited:
            os.close(descriptor)
    if sys.platform == "linux":
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):  # one user may have so much of it
                fcntl.fcntl(_there(pipe), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return child, ours
