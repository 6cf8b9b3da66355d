"""Serving the page: waitress, with threads enough for every listening phone."""

from __future__ import annotations

import logging
import socket
from typing import Any

from flask import Flask
from waitress.server import create_server

from companion.errors import PortBusy
from web.waiting import WaitingRoom

THREADS = 64  # a long poll holds one; WebDeps.listeners stays below, so that commands always find a free one
CONNECTIONS = 400


class PageServer:
    """A server that listens from now on."""

    def __init__(self, server: Any, room: WaitingRoom) -> None:
        self._server, self._room = server, room
        self._running = False

    @property
    def port(self) -> int:
        """Where it listens; found by the system when 0 was asked for."""
        return int(self._server.effective_port)

    def run(self) -> None:
        """Answer until `close`."""
        self._running = True
        self._server.run()

    def close(self) -> None:
        """Let the answers under way end, for some seconds at most, then stop; may be called twice."""
        self._room.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=5)
        if self._running:
            self._running = False
            self._server.trigger.pull_trigger(self._hang_up)  # sockets belong to the thread that runs
        else:
            self._server.close()

    def _hang_up(self) -> None:
        """Close every connection: a sleeping phone's would keep the server alive."""
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()


def open_server(app: Flask, host: str, port: int, threads: int = THREADS) -> PageServer:
    """The page at `host`:`port`, listening. Raises PortBusy when the port is taken."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house is no warning
    listening = _listening(host, port)
    server = create_server(
        app, sockets=[listening], threads=threads, connection_limit=CONNECTIONS, ident=None
    )
    return PageServer(server, app.extensions["waiting_room"])


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound by ourselves: waitress would leave its own open where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise PortBusy("port_busy", host=host, port=port) from error
    return bound
