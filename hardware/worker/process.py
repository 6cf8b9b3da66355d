"""One incarnation of a worker process: started, listened to, killed without a trace."""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress

from hardware.worker.channel import Channel, shared_memory

LOG_LINES, LINE_CHARACTERS = 100, 300
_REAPED_S = 2.0
_START = "import sys; sys.path[:] = {path!r}; from hardware.worker.child import main; main({arguments})"
_log = logging.getLogger(__name__)

_SPARING = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(256 << 10),
    "MALLOC_TRIM_THRESHOLD_": str(4 << 20),
}
"""The C library of a child hands back what a picture needed, and keeps one heap for all its threads; a child
that wants it otherwise says so itself. Source: mallopt(3), of glibc; elsewhere nobody reads it."""


class Process:
    """A running child. `lines` are the last ones it wrote to standard output and error.

    Its log is read whenever it is waited for; until then the pipe holds 64 kB of it.
    """

    def __init__(self, target: str, name: str) -> None:
        self.name = name
        self.lines: deque[str] = deque(maxlen=LOG_LINES)
        self._part, self._log_ended = b"", False
        self._lock = threading.Lock()
        requests, answers = shared_memory("requests"), shared_memory("answers")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel = Channel(ours, sends_to=requests, receives_from=answers)
        life, self._life = os.pipe()
        self._log_pipe, writes = os.pipe()
        os.set_blocking(self._log_pipe, False)
        inherited = (theirs.fileno(), requests, answers, life)
        try:
            self._child = _started(inherited, target, name, writes)
        except BaseException:
            self._give_back()
            raise
        finally:
            theirs.close()
            os.close(life)
            os.close(writes)

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def gone(self) -> bool:
        """Whether the process has ended and is reaped."""
        with self._lock:
            return self._child.poll() is not None

    def send(self, message: object) -> None:
        """Raises OSError when the child is gone, and as `Channel.send`."""
        self._channel.send(message)

    def answer(self, timeout_s: float) -> object:
        """The next message of the child, None if none came within `timeout_s`.

        Raises EOFError when the child is gone, and Garbled.
        """
        waiting = select.poll()
        waiting.register(self._channel, select.POLLIN)
        if not self._log_ended:
            waiting.register(self._log_pipe, select.POLLIN)
        ready = {descriptor for descriptor, _ in waiting.poll(max(0.0, timeout_s) * 1000)}
        if self._log_pipe in ready:
            self._drain()
        return self._channel.receive() if self._channel.fileno() in ready else None

    def leave(self, timeout_s: float) -> None:
        """Let the child end by itself, as it does when no more requests come; wait for that so long."""
        self._channel.shut()
        with self._lock, suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout_s)

    def kill(self) -> None:
        """Kill the child and its own children, from any thread; may be called twice."""
        with self._lock:
            if self._child.returncode is None:  # not reaped: its number is still its own
                os.killpg(self._child.pid, signal.SIGKILL)

    def finish(self) -> str:
        """Kill, reap and give everything back; returns how the child ended, in words.

        A child in a driver that does not even let it be killed is left behind: `gone` stays false.
        """
        self.kill()
        with self._lock, suppress(subprocess.TimeoutExpired):
            self._child.wait(_REAPED_S)
        self._drain()
        self._give_back()
        return _how(self._child.returncode)

    def _give_back(self) -> None:
        self._channel.close()
        os.close(self._life)
        os.close(self._log_pipe)

    def _drain(self) -> None:
        """Keep the last lines of what the child wrote, and pass its warnings on to our own log."""
        try:
            while piece := os.read(self._log_pipe, 65536):
                *whole, self._part = (self._part + piece).split(b"\n")
                self._part = self._part[-LINE_CHARACTERS:]
                for line in whole:
                    self._keep(line[:LINE_CHARACTERS].decode(errors="replace"))
            self._log_ended = True
        except BlockingIOError:
            return

    def _keep(self, line: str) -> None:
        self.lines.append(line)
        level, _, words = line.partition(" ")
        if level in ("WARNING", "ERROR", "CRITICAL"):
            _log.log(logging.getLevelName(level), "%s: %s", self.name, words)
        else:
            _log.debug("%s: %s", self.name, line)


def _how(status: int | None) -> str:
    if status is None:
        return "it can't be killed"
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def _started(inherited: tuple[int, ...], target: str, name: str, log: int) -> subprocess.Popen[bytes]:
    """A fresh interpreter that shares nothing but the descriptors: forking with threads is not safe."""
    arguments = f"{', '.join(str(descriptor) for descriptor in inherited)}, {target!r}"
    code = _START.format(path=sys.path, arguments=arguments)
    return subprocess.Popen(
        [sys.executable, "-c", code, name],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env={**_SPARING, **os.environ},
        pass_fds=inherited,
        process_group=0,  # Ctrl-C at the terminal is for the owner
    )
