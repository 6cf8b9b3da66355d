"""A server in between, as nginx or Caddy on the box: it sends each request on, by the name of the page."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Forwarder:
    """What a server in between makes of a request: `adds` are its own headers, `drops` those that end."""

    adds: Mapping[str, str] = field(default_factory=dict)
    drops: frozenset[str] = frozenset({"connection"})
    protocol: str = "HTTP/1.1"

    def rewritten(self, head: bytes, port: int) -> bytes:
        """The head of a request as it reaches the page at `port`."""
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        kept = [line for line in lines if line.partition(":")[0].lower() not in {"host", *self.drops}]
        own = [f"{name}: {value}" for name, value in self.adds.items()]
        whole = [f"{method} {path} {self.protocol}", f"Host: localhost:{port}", *kept, *own]
        return "\r\n".join([*whole, "Connection: close", "", ""]).encode("latin-1")


@contextmanager
def forwarded(port: int, how: Forwarder) -> Iterator[int]:
    """The port of a server that sends all it is asked on to the page at `port` of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    _pass_on(server.accept()[0], port, how)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
    thread.join(TIMEOUT_S)


def _pass_on(asking: socket.socket, port: int, how: Forwarder) -> None:
    """One request without a body that waits, and its answer."""
    with asking, socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as page:
        asking.settimeout(TIMEOUT_S)
        head, _, body = _until(asking, b"\r\n\r\n").partition(b"\r\n\r\n")
        page.sendall(how.rewritten(head, port) + body)
        while answer := page.recv(65536):
            asking.sendall(answer)


def _until(one: socket.socket, end: bytes) -> bytes:
    said = b""
    while end not in said and (more := one.recv(65536)):
        said += more
    return said
