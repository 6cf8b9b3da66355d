"""A page behind a real server, as long as a test needs it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask

from web.server import open_server


@contextmanager
def served(
    app: Flask, host: str = "127.0.0.1", port: int = 0, *, threads: int = 24, tls: Any = None
) -> Iterator[str]:
    """Address of a server with this page, at a free port of this machine if none is given."""
    server = open_server(app, host, port, threads=threads, tls=tls)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://{host}:{server.port}"
    server.close()
    thread.join(timeout=10)
    assert not thread.is_alive()


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])
