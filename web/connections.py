"""How many connections an address may hold and open, and which one goes when there are too many.

A server of threads and sockets is silenced by whoever opens enough of them and says nothing. So one address
opens a bounded number a second and holds at most PER_ADDRESS, all together CONNECTIONS; beyond, the longest
idle one of whoever has most is closed. A phone that reconnects notices nothing.
"""

from __future__ import annotations

import errno
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeAlias

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import Error

from companion.addresses import network_of
from companion.budgets import CONNECTIONS, LARGE_BYTES, NEW_PER_S, PER_ADDRESS, Purse
from companion.texts import DEFAULT, translate
from web.live import Answer, Kind, WaitingRoom
from web.problems import MEDIA_TYPE, problem_json

if sys.platform != "win32":
    import resource

IDLE_S = 15.0
"""A connection on which nothing is asked is closed after so long."""

REQUEST_S = 20.0
"""So long a request may take to arrive."""

CLEANUP_S = 5
AGAIN_S = 1.0
"""A server that could open nothing more accepts again after so long."""

OTHER_FILES = 100
"""What a box has open beside connections, with the one that is closed for each new one."""

KINDS = 64
"""So many answers are kept for other phones, beside the newest."""

_SELECTED = 512
"""The most sockets of one select() in Python on Windows (FD_SETSIZE)."""

LARGEST_BODY_BYTES = 128 * 1024
LARGEST_HEAD_BYTES = 32 * 1024
_REASONS = {413: "too_large", 431: "too_large", 503: "pictures_busy"}

_OF_THE_BOX = frozenset(("127.0.0.1/32", "::/64"))
"""A server in between opens connections for all phones, and programs of the box itself are trusted."""

Allowance = Callable[[str, str, str, str], tuple[int, str]]
"""How many bytes a request may bring beyond LARGEST_BODY_BYTES, 0 for none, and the phone that they are
charged to: by its method, path, cookies and the address it comes from."""


Waitress: TypeAlias = Any
"""A part of waitress, which has no types."""


class Connections:
    """The open connections by where they come from: counted as they come and go, never all looked at."""

    def __init__(self, most: int = CONNECTIONS) -> None:
        self._of: dict[str, dict[int, Channel]] = {}
        self._total, self._most = 0, most

    def add(self, newest: Channel) -> Channel | None:
        """Count a connection; gives the one that must go for it, which is counted no more."""
        mine = self._of.setdefault(newest.network, {})
        mine[id(newest)] = newest
        self._total += 1
        if len(mine) > PER_ADDRESS:
            most = mine
        elif self._total > self._most:
            most = max(self._of.values(), key=len)
        else:
            return None
        idle = [one for one in most.values() if not one.requests and one is not newest]
        gone = min(idle, key=lambda one: one.last_activity) if idle else newest
        self.remove(gone)
        return gone

    def remove(self, one: Channel) -> None:
        """Count a connection no more; may be called twice."""
        mine = self._of.get(one.network, {})
        if mine.pop(id(one), None) is not None:
            self._total -= 1
        if not mine:
            self._of.pop(one.network, None)


class Bodies:
    """The larger bodies that arrive or wait to be read: one of each phone, and so many bytes of all."""

    def __init__(self) -> None:
        self._of: dict[str, _Parser] = {}

    def begin(self, newest: _Parser) -> bool:
        """Whether a body may come. It takes the place of one of the same phone that still arrives: the phone
        has given that up."""
        before = self._of.get(newest.payer)
        if before is not None and before.completed:
            return False
        if before is not None:
            before.will_close()
        self._of[newest.payer] = newest
        return True

    def grown(self) -> None:
        """A body has grown: where all are too large together, the largest that still arrives goes."""
        held = list(self._of.values())
        arriving = [body for body in held if not body.completed]
        if arriving and sum(body.body_bytes_received for body in held) > LARGE_BYTES:
            largest = max(arriving, key=lambda body: body.body_bytes_received)
            self.end(largest)
            largest.will_close()

    def end(self, one: _Parser) -> None:
        """A body is read, or will never be; may be called twice, and for any."""
        if self._of.get(one.payer) is one:
            del self._of[one.payer]


class Busy(Error):  # type: ignore[misc]
    """A larger body of this phone is here already."""

    code, reason = 503, "Service Unavailable"


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    """Bytes that cannot be read as a request get the same problem document as every other error."""

    def execute(self) -> None:
        status, _, _ = self.request.error.to_response(None)
        number = int(status.split()[0])
        reason = _REASONS.get(number, "bad_request")
        body = problem_json(number, reason, translate(DEFAULT, f"web.problems.{reason}")).encode()
        self.status = status
        self.response_headers.append(("Content-Type", MEDIA_TYPE))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class PageTask(WSGITask):  # type: ignore[misc]
    """Answers a request as another phone was that sees the same, else by the application."""

    kind: Kind | None = None
    sent = b""

    def execute(self) -> None:
        server, asked = self.channel.server, self.get_environment()
        self.kind = server.kind_of(asked)
        if found := server.sent.get(self.kind):
            self.wrote_header, (sent, self.close_on_finish) = True, found
            self.channel.write_soon(sent)
            return
        super().execute()
        for_all = self.status == "200 OK" and "Set-Cookie" not in dict(self.response_headers)
        if self.kind and for_all and self.kind == server.kind_of(asked):
            others = [kept for kept in server.sent.items() if kept[0][0] == self.kind[0]]
            server.sent = dict([*others[:KINDS], (self.kind, (self.sent, self.close_on_finish))])

    def build_response_header(self) -> bytes:
        self.sent = bytes(super().build_response_header())
        return self.sent

    def write(self, data: bytes) -> None:
        super().write(data)
        self.sent += data if self.kind else b""


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request of a connection; its body may be larger where the server allows it."""

    def __init__(self, settings: Waitress, channel: Channel) -> None:
        super().__init__(settings)
        self.adj: Waitress = settings
        self.error: Waitress = None
        self._channel, self._turned_away = channel, False
        self.payer, self.large = "", False
        self.scheme = "http"

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self.url_scheme = self.scheme
        server, cookies = self._channel.server, self.headers.get("COOKIE", "")
        wanted, self.payer = server.allowance(self.command, self.path, cookies, self._channel.addr[0])
        if wanted and (self.chunked or self.content_length >= self.adj.max_request_body_size):
            self.large, self.adj = True, copy(self.adj)
            self.adj.max_request_body_size = wanted
            self._turned_away = not server.bodies.begin(self)

    def received(self, data: bytes) -> int:
        consumed = int(super().received(data))
        if self._turned_away and self.error is None:
            self.error, self.completed = Busy("busy"), True
        if self.large:
            self._channel.server.bodies.grown()
        return consumed

    def will_close(self) -> None:
        """Its connection is closed, whatever is still to come."""
        self._channel.will_close = True

    def close(self) -> None:
        """It is answered."""
        super().close()
        self._channel.server.bodies.end(self)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows where it comes from, and since when a request has been arriving."""

    task_class, error_task_class = PageTask, _ProblemTask
    arriving_s: float | None = None
    network = ""

    def __init__(
        self, server: Waitress, connection: Waitress, address: Waitress, *more: Waitress, **kept: Waitress
    ) -> None:
        super().__init__(server, connection, address, *more, **kept)
        self.network = network_of(address[0])
        if gone := server.held.add(self):
            gone.will_close = True

    def del_channel(self, sockets: Waitress = None) -> None:
        """The connection is closed."""
        super().del_channel(sockets)
        self.server.held.remove(self)
        if self.request is not None:
            self.server.bodies.end(self.request)

    def parser_class(self, settings: Waitress) -> _Parser:
        return _Parser(settings, self)

    def writable(self) -> bool:
        """Whether the thread of all sockets should send. The thread that answers does so itself, and both at
        it hinder each other; more than it may hold it cannot send alone."""
        sends_itself = self.requests and self.total_outbufs_len <= self.adj.outbuf_high_watermark
        return bool(super().writable()) and (self.will_close or not sends_itself)

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.arriving_s = time.time()
        heard = bool(super().received(data))
        if self.request is None:
            self.arriving_s = None
        return heard


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """waitress with a bound for each address; in all its own time, as its sockets are."""

    channel_class = Channel
    _answering: int | None = None
    tls: ssl.SSLContext | None = None

    def __init__(
        self, app: Waitress, sockets: dict[int, Waitress], bound: socket.socket, threads: int
    ) -> None:
        """Serves `app` on a socket that is bound; its sockets are in `sockets`."""
        self.held, self.bodies = Connections(openable()), Bodies()
        self.new = Purse(PER_ADDRESS, NEW_PER_S, time.monotonic)
        self.allowance: Allowance = app.extensions["allowance"]
        self.room: WaitingRoom = app.extensions["waiting_room"]
        self.kind_of: Callable[[Waitress], Kind | None] = app.extensions["kind_of"]
        self.sent = dict[Kind, tuple[bytes, bool]]()
        limits = Adjustments(
            sockets=[bound],
            threads=threads,
            connection_limit=2 * CONNECTIONS,  # never reached: those to be closed linger for a moment
            channel_timeout=int(IDLE_S),
            cleanup_interval=CLEANUP_S,
            max_request_body_size=LARGEST_BODY_BYTES,
            max_request_header_size=LARGEST_HEAD_BYTES,
            ident=None,
            clear_untrusted_proxy_headers=False,  # they are the sign that a request did not begin on the box
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        place = (bound.family, bound.type, bound.proto, bound.getsockname())
        own = {"dispatcher": dispatcher, "adj": limits, "bind_socket": False, "sockinfo": place}
        super().__init__(app, sockets, True, bound, **own)

    def accept(self) -> Waitress:
        """A new connection with its address; None for one too many of that address in this second, and where
        nothing more can be opened: then the server accepts again after a moment."""
        try:
            found = super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self.accepting, found = False, None
            self.next_channel_cleanup = time.time() + AGAIN_S
        if found is None:
            return None
        network = network_of(found[1][0])
        if network not in _OF_THE_BOX and self.new.take(network) > 0:
            found[0].close()
            return None
        return found

    def add_task(self, task: Waitress) -> None:
        """Have a connection's next request answered, by a thread or, if it waits for a change, after that."""
        asked = task.requests[0]
        waits = not asked.error and asked.command == "GET"  # garbage has no command
        if not (waits and self.room.keeps(f"{asked.path}?{asked.query}", task.service)):
            super().add_task(task)

    def answer_all(self, answers: Sequence[Answer]) -> None:
        """Answer requests that have waited in turn. The sockets' thread is woken once, at the end."""
        self._answering = threading.get_ident()
        try:
            for answer in answers:
                answer()
        finally:
            self._answering = None
            self.pull_trigger()

    def pull_trigger(self) -> None:
        if self._answering != threading.get_ident():
            super().pull_trigger()

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        self.accepting = True
        for channel in list(self.active_channels.values()):
            if channel.arriving_s is not None and now - channel.arriving_s > REQUEST_S:
                channel.will_close = True


def openable(most: int = CONNECTIONS) -> int:
    """How many connections there may be: as many as the process may open beside its other files, at least
    16."""
    if sys.platform == "win32":
        files = _SELECTED
    else:
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(16, min(most, files - OTHER_FILES))
