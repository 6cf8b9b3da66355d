"""Serving the page: waitress, with threads enough for every listening phone, and with TLS.

waitress speaks none. Here a connection is wrapped as soon as it begins with a handshake: encrypted ones and
plain ones come to one port, with the same limits and threads, and with the phone's own address.
"""

from __future__ import annotations

import errno
import logging
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable

from flask import Flask

from companion.errors import PortBusy
from web.connections import Channel, FairServer, Waitress
from web.live import WaitingRoom

THREADS = 16  # phones that wait hold none; a picture that is read does (companion.budgets.WAITING)
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

    def run(
        self, beat: Callable[[], None] = lambda: None, waiting_beat: Callable[[], None] = lambda: None
    ) -> None:
        """Answer until `close`, or until the process is ended. `beat` is called each time round, and
        `waiting_beat` by the thread that answers those who wait."""
        self._idle.clear()
        self._room.open(self._server.answer_all, waiting_beat)
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
        self._room.stop()
        if not self._stopping.is_set():
            self._stopping.set()
            self._server.pull_trigger()  # a socket of its own, which ends waitress's wait

    def close(self) -> None:
        """Let the answers under way end, for some seconds at most, then stop; may be called twice."""
        self.stop()
        self._room.close()
        self._idle.wait(SHUTDOWN_TIMEOUT_S)
        self.answers(SHUTDOWN_TIMEOUT_S)  # those who waited were asked first
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
    kind = FairServer if tls is None else TlsServer
    server = kind(app, sockets, _listening(host, port), threads)
    server.tls = tls
    return PageServer(server, sockets, app.extensions["waiting_room"])


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound by ourselves: waitress would leave its own open where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would share the port with another server
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise PortBusy("port_busy", host=host, port=port) from error
        cause = error.strerror or str(error)
        raise PortBusy("address_unusable", host=host, port=port, cause=cause) from error
    return bound


HANDSHAKE = b"\x16"
"""The first byte of a TLS connection (RFC 8446, 5.1); no method of HTTP begins with it."""


class TlsChannel(Channel):
    """A connection that may be encrypted.

    The thread of all sockets reads while one that answers writes, and a TLS connection bears one at a time.
    """

    socket: Waitress

    def __init__(self, *given: Waitress, **more: Waitress) -> None:
        super().__init__(*given, **more)
        self._turn = threading.RLock()
        self._encrypted: bool | None = None

    def parser_class(self, settings: Waitress) -> Waitress:
        parser = super().parser_class(settings)
        parser.scheme = "https" if self._encrypted else "http"
        return parser

    def handle_read(self) -> None:
        """As waitress does, until nothing is left of what was decrypted: the system does not know of that."""
        try:
            if self._encrypted is None:
                self._begin()
            while data := self.recv(self.adj.recv_bytes):
                self.last_activity = time.time()
                self.received(data)
                if not self._pending():
                    return
            self.connected = False
        except BlockingIOError:
            return  # half a record, or half a handshake
        except OSError:
            self.handle_close()

    def recv(self, size: int) -> bytes:
        with self._turn:
            try:
                return bytes(super().recv(size))
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as later:
                raise BlockingIOError from later

    def send(self, data: bytes, do_close: bool = True) -> int:
        with self._turn:
            try:
                return int(super().send(data, do_close))
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return 0
            except ssl.SSLError:  # the phone went, or does not trust the box
                if do_close:
                    self.handle_close()
                return 0

    def _begin(self) -> None:
        self._encrypted = self.socket.recv(1, socket.MSG_PEEK) == HANDSHAKE
        if self._encrypted:
            self.socket = self.server.tls.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )

    def _pending(self) -> bool:
        with self._turn:
            return self._encrypted is True and self.connected and self.socket.pending() > 0


class TlsServer(FairServer):
    """A FairServer that also speaks TLS, by the context in `tls`."""

    channel_class = TlsChannel
