"""What one address can do to the server: idle connections, slow and endless requests, bodies without end;
and how the server ends."""

import errno
import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st
from waitress.server import TcpWSGIServer

from companion.budgets import CONNECTIONS, NEW_PER_S, PER_ADDRESS, Purse
from companion.errors import PortBusy
from tests.web.serving import port_of, served
from tests.web.tables import bidding, deps_for
from web.app import create_app
from web.connections import REQUEST_S, Connections, openable
from web.server import open_server

pytestmark = pytest.mark.slow

TIMEOUT_S = 20.0


@pytest.fixture
def port(table):
    """A page that listens at every address of this machine."""
    bidding(table)
    with served(create_app(deps_for(table, poll_s=30.0)), "0.0.0.0", threads=8) as address:
        yield port_of(address)


def connected(port: int, source: str, said: bytes = b"") -> socket.socket:
    """A connection from the address `source` that has said so much."""
    one = socket.create_connection(("127.0.0.1", port), TIMEOUT_S, (source, 0))
    one.sendall(said)
    return one


def status(port: int, source: str) -> int:
    """What a phone at the address `source` is answered."""
    with connected(port, source, b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as one:
        return int(one.recv(4096).split()[1])


def test_garbage_is_answered(port):
    with connected(port, "127.0.0.1", bytes(range(256)) + b"\r\n\r\n") as one:
        assert one.recv(4096).split()[1] == b"400"


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n123"]
)
def test_five_hundred_connections_of_one_address_silence_nobody(port, said):
    with ExitStack() as held:
        for _ in range(500):
            one = held.enter_context(connected(port, "127.0.0.3"))
            try:
                one.sendall(said)
            except OSError:
                continue  # closed already
        assert status(port, "127.0.0.2") == 200
        assert _soon(port, "127.0.0.3") == 200  # nor another phone behind that address


def _soon(port: int, source: str) -> int:
    """What a phone at the address is answered that tries again: an address may open so many in a second."""
    for _ in range(10_000):
        with suppress(ConnectionError, IndexError):
            return status(port, source)
    return 0


@pytest.mark.parametrize(("files", "most"), [(65_536, 400), (256, 156), (64, 16)])
def test_connections_are_bounded_by_what_the_process_may_open(monkeypatch, files, most):
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (files, files))
    assert openable() == most


def test_a_server_that_can_open_nothing_more_waits_and_accepts_again(table, monkeypatch):
    """Else it would be woken for the same connection again and again, and log each time."""
    server: Any = open_server(create_app(deps_for(table)), "127.0.0.1", 0, threads=1)
    listening = server._server
    with monkeypatch.context() as patch:
        patch.setattr(TcpWSGIServer, "accept", refuse)
        assert listening.accept() is None
        assert not listening.readable()
    listening.maintenance(time.time())
    assert listening.readable()
    server.close()


def refuse(server: object) -> None:
    raise OSError(errno.EMFILE, "Too many open files")


def test_many_addresses_together_silence_nobody(port):
    with ExitStack() as held:
        for number in range(CONNECTIONS + 60):
            held.enter_context(connected(port, f"127.0.1.{1 + number % 120}"))
        assert status(port, "127.0.0.2") == 200


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 1073741823\r\n\r\n",
        b"Content-Length: 9999999999999999999999\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n"
        + b"10000\r\n"
        + b"x" * 0x10000
        + b"\r\n"
        + b"fffff\r\n"
        + b"x" * 0x80000,
        b"X: " + b"x" * 300_000 + b"\r\n\r\n",
    ],
)
def test_what_is_too_large_is_refused_before_it_is_kept(port, head):
    request = (
        b"POST /api/v1/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + head
    )
    with connected(port, "127.0.0.2") as one:
        with suppress(ConnectionError):  # refused while it was still talking
            one.sendall(request)
        answer = b"".join(_said(one)).decode()
    if not answer:
        return  # and hung up before that could be heard
    first, _, body = answer.partition("\r\n\r\n")
    assert first.split()[1] in ("413", "431", "400")
    assert "application/problem+json" in first
    assert json.loads(body)["title"]


def _said(one: socket.socket) -> Iterator[bytes]:
    """What comes back until the other side hangs up."""
    with suppress(ConnectionError):
        while piece := one.recv(65536):
            yield piece


def test_a_connection_that_listens_is_never_the_one_to_go(port, table):
    version = table.snapshot().version
    ask = f"GET /api/v1/state?after={version} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with connected(port, "127.0.0.3", ask) as listening, ExitStack() as held:
        for _ in range(PER_ADDRESS + 50):
            held.enter_context(connected(port, "127.0.0.3"))
        assert status(port, "127.0.0.2") == 200
        table.refresh()
        assert listening.recv(64).startswith(b"HTTP/1.1 200")


def test_a_request_that_never_ends_is_given_up(table):
    """A byte now and then keeps a connection from being idle."""
    server = open_server(create_app(deps_for(table)), "127.0.0.1", 0, threads=1)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    with connected(server.port, "127.0.0.2", b"GET / HTTP/1.1\r\n") as slow:
        slow.sendall(b"X: y\r\n")  # no more of them: a header that grows too long is refused at once
        while not any(one.arriving_s for one in list(server._server.active_channels.values())):
            thread.join(0.01)
        for channel in list(server._server.active_channels.values()):
            channel.arriving_s = time.time() - REQUEST_S - 1
        server._server.maintenance(time.time())
        server._server.pull_trigger()
        assert b"".join(_said(slow)) == b""
    server.close()
    thread.join(10)


@pytest.mark.parametrize(
    ("addresses", "busy", "closed"),
    [
        (["a"] * PER_ADDRESS, [], []),
        (["a"] * (PER_ADDRESS + 1), [], [0]),  # the one that idles longest
        (["a"] * (PER_ADDRESS + 1), [0, 1], [2]),
        (["a"] * (PER_ADDRESS + 1), range(PER_ADDRESS), [PER_ADDRESS]),  # all the others are at work
        ([*["a"] * PER_ADDRESS, "b"], [], []),
        ([str(n // 2) for n in range(CONNECTIONS)], [], []),
        ([*["b"] * 3, *[str(n) for n in range(CONNECTIONS - 2)]], [], [0]),  # of whoever has most
    ],
)
def test_whose_connection_goes(addresses, busy, closed):
    held = Connections()
    opened = [Opened(address, float(n), [1] if n in busy else []) for n, address in enumerate(addresses)]
    assert [opened.index(gone) for one in opened if (gone := held.add(one))] == closed


@dataclass(eq=False)
class Opened:
    """A connection from an address that last said something then, and what is being answered on it."""

    network: str
    last_activity: float
    requests: list[int] = field(default_factory=list)


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=40))
def test_as_many_are_counted_as_are_open(steps):
    """Opened and closed in any order, closed twice too: no address is charged for what is gone."""
    held, opened = Connections(), list[Opened]()
    for number, (address, opens) in enumerate(steps):
        if opens or not opened:
            opened.append(Opened(str(address), float(number)))
            assert held.add(opened[-1]) is None
        else:
            gone = opened.pop(address % len(opened))
            held.remove(gone)
            held.remove(gone)
    rest = [Opened("9", 0.0) for _ in range(PER_ADDRESS)]
    assert [one for one in rest if held.add(one)] == []
    assert held.add(Opened("9", 1.0)) is rest[0]


def test_a_new_connection_costs_the_same_however_many_are_open(port, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr("web.connections.network_of", lambda address: asked.append(address) or address)
    with ExitStack() as held:
        for _ in range(60):
            held.enter_context(connected(port, "127.0.0.3"))
        assert status(port, "127.0.0.2") == 200
    assert len(asked) <= 2 * 61, "not each of those that are open, each time"


def test_one_address_opens_so_many_connections_a_second(port):
    """Beyond them they are closed at once, whatever they say; another address notices nothing."""
    with ExitStack() as held:
        asked = [held.enter_context(_asked_at_once(port)) for _ in range(3 * PER_ADDRESS)]
        said = [b"".join(_said(one)) for one in asked]
    answered = sum(answer.startswith(b"HTTP/1.1 200") for answer in said)
    assert PER_ADDRESS <= answered < 3 * PER_ADDRESS
    assert status(port, "127.0.0.2") == 200


def _asked_at_once(port: int) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), TIMEOUT_S, ("127.0.0.3", 0))
    with suppress(ConnectionError):
        one.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    return one


def test_what_was_spent_comes_back_with_the_time():
    now = [0.0]
    purse = Purse(PER_ADDRESS, NEW_PER_S, lambda: now[0])
    purse.spend("a", PER_ADDRESS)
    assert (purse.wait_s("a", 1.0), purse.wait_s("b", 1.0)) == (1 / NEW_PER_S, 0.0)
    now[0] += 1.0
    assert purse.wait_s("a", NEW_PER_S) == 0.0
    assert purse.spent("a") == PER_ADDRESS - NEW_PER_S
    now[0] += 100.0
    purse.spend("b", 1.0)
    assert purse._spent == {"b": (1.0, now[0])}, "whoever owes nothing is forgotten"


def answered(url: str) -> int:
    """What the server answers with; 0 when it hangs up."""
    try:
        with urlopen(url, timeout=30) as answer:
            return int(answer.status)
    except OSError:
        return 0


def test_a_taken_port_is_reported(table):
    first = open_server(create_app(deps_for(table)), "127.0.0.1", 0, threads=1)
    with pytest.raises(PortBusy):
        open_server(create_app(deps_for(table)), "127.0.0.1", first.port, threads=1)
    first.close()


def test_closing_ends_the_run_and_the_listening_phones(table, monkeypatch):
    monkeypatch.setattr("web.server.GLANCE_S", 600.0)
    monkeypatch.setattr("web.live.GLANCE_S", 600.0)
    now = bidding(table).version
    app = create_app(deps_for(table, poll_s=60.0))
    server = open_server(app, "127.0.0.1", 0, threads=4)
    running = threading.Thread(target=server.run)
    running.start()
    heard: list[int] = []
    url = f"http://127.0.0.1:{server.port}/fragment/table?after={now}"
    phone = threading.Thread(target=lambda: heard.append(answered(url)))
    phone.start()
    while not app.extensions["waiting_room"]._waiting:  # it has connected, and its question has been heard
        assert phone.is_alive(), heard
        phone.join(0.01)
    assert answered(f"http://127.0.0.1:{server.port}/api/v1/state") == 200
    server.close()
    server.close()
    running.join(timeout=20)
    assert not running.is_alive()
    phone.join(timeout=20)
    assert heard == [204]
