"""Encrypted connections and plain ones at one port: the first byte that a phone sends tells them apart.

waitress speaks no TLS. Here a connection is wrapped as soon as it begins with a handshake; all limits,
threads and the phone's own address stay as they are.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time

from web.connections import Channel, FairServer, Waitress

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
