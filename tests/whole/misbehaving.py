"""Ten phones that misbehave against a box, each from an address of its own, until they are killed.

    python -m tests.whole.misbehaving PORT

Their pictures are small and cost much, or are none; others open connections, poll, send garbage, or begin
bodies that they never finish. A line is printed once each of them has begun.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable
from functools import cache
from itertools import cycle
from urllib.request import urlopen

import cv2
import numpy as np

from tests.hostile_pictures import many_scans, wide_chunks

TIMEOUT_S = 30.0
FORM = b'--b\r\nContent-Disposition: form-data; name="reveal"\r\n\r\n%d\r\n--b\r\n'
FORM += b'Content-Disposition: form-data; name="picture"; filename="x"\r\n\r\n%s\r\n--b--\r\n'
HEAD = "POST /api/v1/pictures HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
HEAD += "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {size}\r\n\r\n"


class Misbehaving:
    """One of them: does `turn` again and again, so many times a second, and bears whatever comes of it."""

    def __init__(self, port: int, number: int, turn: Callable[[Misbehaving], None], per_s: float) -> None:
        self.port, self.source = port, f"127.0.1.{number}"
        self.held: deque[socket.socket] = deque()
        self.pictures = cycle(pictures())
        self._turn, self._pause_s = turn, 1.0 / per_s
        with urlopen(f"http://127.0.0.1:{port}/", timeout=TIMEOUT_S) as page:
            self.cookie = str(page.headers["Set-Cookie"]).partition(";")[0]
        self.begun = threading.Event()

    def run(self) -> None:
        while not threading.Event().wait(self._pause_s):
            with contextlib.suppress(OSError):
                self._turn(self)
            self.begun.set()

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S, (self.source, 0))

    def hold(self, one: socket.socket, most: int) -> None:
        self.held.append(one)
        if len(self.held) > most:
            self.held.popleft().close()


def _noise() -> bytes:
    """Twelve megapixels in which nothing is found."""
    return bytes(cv2.imencode(".png", np.zeros((3000, 4000, 3), np.uint8))[1])


NO_PICTURE = b"\xff\xd8\xff\xda" * 2_000 + b"\xff\xd9"


@cache
def pictures() -> tuple[bytes, ...]:
    return many_scans(), wide_chunks(100), many_scans(), _noise(), NO_PICTURE


def picture(phone: Misbehaving) -> None:
    with urlopen(f"http://127.0.0.1:{phone.port}/api/v1/state", timeout=TIMEOUT_S) as answer:
        reveal = json.load(answer)["reveal"]
    body = FORM % (reveal["number"] if reveal else 1, next(phone.pictures))
    head = HEAD.format(port=phone.port, cookie=phone.cookie, size=len(body))
    with phone.connected() as one:
        one.sendall(head.encode() + body)
        one.recv(4096)


def connection(phone: Misbehaving) -> None:
    one = phone.connected()
    one.sendall(b"GET / HTTP/1.1\r\n")
    phone.hold(one, 90)


def poll(phone: Misbehaving) -> None:
    with phone.connected() as one:
        for path in ("/api/v1/state", "/fragment/table", "/", "/static/app.css"):
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{phone.port}\r\n\r\n".encode())
        one.recv(65536)


def garbage(phone: Misbehaving) -> None:
    with phone.connected() as one:
        one.sendall(bytes(range(256)) * 40 + b"\r\n\r\n")
        one.recv(4096)


def stalled(phone: Misbehaving) -> None:
    one = phone.connected()
    head = HEAD.format(port=phone.port, cookie=phone.cookie, size=12_000_000)
    one.sendall(head.encode() + b"--b" + b"x" * 200_000)
    phone.hold(one, 20)


KINDS: tuple[tuple[Callable[[Misbehaving], None], float, int], ...] = (
    (picture, 2.0, 3),
    (connection, 70.0, 2),
    (poll, 10.0, 2),
    (garbage, 10.0, 1),
    (stalled, 5.0, 2),
)
"""What they do, how often a second, and how many phones."""


def main(port: int) -> None:
    """Begin, say so, and go on until the process is killed."""
    kinds = [(turn, per_s) for turn, per_s, many in KINDS for _ in range(many)]
    phones = [Misbehaving(port, number, *kind) for number, kind in enumerate(kinds, start=1)]
    for phone in phones:
        threading.Thread(target=phone.run, daemon=True).start()
    for phone in phones:
        phone.begun.wait(TIMEOUT_S)
    print(len(phones), "phones misbehave", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
