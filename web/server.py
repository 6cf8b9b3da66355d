"""Serving the page: waitress, with threads enough for every listening phone."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask
from waitress.server import create_server

from companion.errors import PortBusy

THREADS = 64  # a long poll holds one; WebDeps.listeners stays below, so that commands always find a free one
CONNECTIONS = 400


def open_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens from now on; `run` answers, `close` ends it. Raises PortBusy when the port is taken."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house is no warning
    try:
        return create_server(
            app, host=host, port=port, threads=THREADS, connection_limit=CONNECTIONS, ident=None
        )
    except OSError as error:
        raise PortBusy("port_busy", host=host, port=port) from error
