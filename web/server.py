"""Serving the page: waitress, with threads enough for every listening phone."""

from __future__ import annotations

import errno
import logging
import socket
import ssl
import threading
from collections.abc import Callable

from flask import Flask

from companion.errors import PortBusy
from web.connections import FairServer, Waitress, fair_server
from web.live.long_poll import WaitingRoom
from web.tls import TlsServer

THREADS = 80  # a long poll holds one; WebDeps.listeners stays below, so that commands always find a free one
GLANCE_S = 0.5
SHUTDOWN_TIMEOUT_S = 1.5


class PageServer:
    """A server that listens from now on. Its sockets belong to the thread that runs it."""

    def __init__(self, server: Waitress, sockets: dict[int, Waitress], room: WaitingRoom) -> None:
        self._server, self._sockets, self._room = server, sockets, room
        self._stopping, self._idle = threading.Event(), threading.Event()
        self._idle.set()

    @property
    def port(self) -> int:
        """Where it listens; found by the system when 0 was asked for."""
        return int(self._server.effective_port)

    def run(self, beat: Callable[[], None] = lambda: None) -> None:
        """Answer until `close`, or until the process is ended. `beat` is called each time round."""
        self._idle.clear()
        try:
            while self._sockets and not self._stopping.is_set():
                beat()
                self._server.asyncore.loop(timeout=GLANCE_S, map=self._sockets, count=1)
        except (KeyboardInterrupt, SystemExit):
            self._stopping.set()
        finally:
            self._idle.set()

    def answers(self, timeout_s: float) -> bool:
        """Whether a thread that answers phones comes to a question within `timeout_s`."""
        probe = _Probe()
        self._server.task_dispatcher.add_task(probe)
        return probe.served.wait(timeout_s)

    def stop(self) -> None:
        """Take no more questions, and send everybody home who waits; may be called twice."""
        self._room.close()
        if not self._stopping.is_set():
            self._stopping.set()
            self._server.pull_trigger()  # a socket of its own, which ends waitress's wait

    def close(self) -> None:
        """Let the answers under way end, for some seconds at most, then stop; may be called twice."""
        self.stop()
        self._idle.wait(SHUTDOWN_TIMEOUT_S)
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=SHUTDOWN_TIMEOUT_S)
        self._server.asyncore.close_all(self._sockets)


class _Probe:
    """A task without a phone, for the server's threads."""

    def __init__(self) -> None:
        self.served = threading.Event()

    def service(self) -> None:
        self.served.set()

    def cancel(self) -> None:
        """The server closes."""


def open_server(
    app: Flask, host: str, port: int, threads: int = THREADS, tls: ssl.SSLContext | None = None
) -> PageServer:
    """The page at `host`:`port`, listening; with `tls` it is served by https, too. Raises PortBusy when the
    port is taken."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house is no warning
    sockets: dict[int, Waitress] = {}
    allowance = app.extensions["allowance"]
    kind = FairServer if tls is None else TlsServer
    server = fair_server(app, sockets, _listening(host, port), threads, allowance, kind)
    server.tls = tls
    return PageServer(server, sockets, app.extensions["waiting_room"])


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound by ourselves: waitress would leave its own open where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise PortBusy("port_busy", host=host, port=port) from error
        cause = error.strerror or str(error)
        raise PortBusy("address_unusable", host=host, port=port, cause=cause) from error
    return bound
