"""Ports of this machine that a test names before anybody listens there."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_port() -> Iterator[int]:
    """A port at which nobody listens until this test does: as long as it is held, Linux gives it to nobody
    else who asks for a free one, at any address: the phones of tests come from many. Servers, which reuse
    addresses, may listen there."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("", 0))
        yield int(held.getsockname()[1])
