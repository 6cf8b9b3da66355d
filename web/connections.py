"""How many connections an address may hold, and which one goes when there are too many.

A server of threads and sockets is silenced by whoever opens enough of them and says nothing. So one address
holds at most PER_ADDRESS, all together CONNECTIONS; beyond, the longest idle one of whoever has most is
closed. A phone that reconnects notices nothing.
"""

from __future__ import annotations

import json
import ssl
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from companion.texts import DEFAULT, translate
from web.addresses import network_of

CONNECTIONS = 400
PER_ADDRESS = 100
"""Phones behind one router may share an address: forty of them listen and keep a second connection."""

IDLE_S = 15.0
"""A connection on which nothing is asked is closed after so long."""

REQUEST_S = 20.0
"""So long a request may take to arrive."""

CLEANUP_S = 5
LARGEST_BODY_BYTES = 128 * 1024
LARGEST_HEAD_BYTES = 32 * 1024
_REASONS = {413: "too_large", 431: "too_large", 503: "pictures_busy"}

MAX_LARGE = 10
"""So many larger bodies may arrive at once."""

Allowance = Callable[[str, str, str, str], int]
"""How many bytes a request may bring beyond LARGEST_BODY_BYTES, 0 for none: by its method, path, cookies and
the address it comes from."""


Waitress: TypeAlias = Any
"""A part of waitress, which has no types."""


class Busy:
    """waitress's form of an error: too many larger bodies arrive just now."""

    code, reason, body = 503, "Service Unavailable", "busy"

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], str]:
        return f"{self.code} {self.reason}", [], self.body


@dataclass(frozen=True, slots=True)
class Open:
    """A connection: when it last said something, and whether it is being answered."""

    id: int
    address: str
    heard_s: float
    busy: bool


def to_close(found: Sequence[Open], newest: int) -> tuple[int, ...]:
    """The connection that must go now that `newest` has come, if any."""
    held = Counter(one.address for one in found)
    mine = next(one.address for one in found if one.id == newest)
    if held[mine] > PER_ADDRESS:
        most = mine
    elif len(found) > CONNECTIONS:
        most = held.most_common(1)[0][0]
    else:
        return ()
    idle = [one for one in found if one.address == most and not one.busy and one.id != newest]
    return (min(idle, key=lambda one: one.heard_s).id if idle else newest,)


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    """Bytes that cannot be read as a request get the same problem document as every other error."""

    def execute(self) -> None:
        status, _, _ = self.request.error.to_response(None)
        number = int(status.split()[0])
        reason = _REASONS.get(number, "bad_request")
        title = translate(DEFAULT, f"web.problems.{reason}")
        problem = {"type": f"urn:dudo:{reason}", "title": title, "status": number, "reason": reason}
        body = json.dumps(problem, ensure_ascii=False).encode()
        self.status = status
        self.response_headers.append(("Content-Type", "application/problem+json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Limits:
    """waitress's settings with another bound for the body."""

    def __init__(self, settings: Waitress, max_body: int) -> None:
        self._settings, self.max_request_body_size = settings, max_body

    def __getattr__(self, name: str) -> Waitress:
        return getattr(self._settings, name)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request; its body may be larger where `more` allows it, and waits its turn in `crowded`."""

    def __init__(
        self, settings: Waitress, more: Callable[[_Parser], int], crowded: Callable[[], bool]
    ) -> None:
        super().__init__(settings)
        self.adj: Waitress = settings
        self.error: Waitress = None
        self._more, self._crowded = more, crowded
        self.large = self._turned_away = False
        self.scheme = "http"

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self.url_scheme = self.scheme
        wanted = self._more(self)
        if wanted and (self.chunked or self.content_length >= self.adj.max_request_body_size):
            self._turned_away = self._crowded()
            self.large, self.adj = True, _Limits(self.adj, wanted)

    def received(self, data: bytes) -> int:
        consumed = int(super().received(data))
        if self._turned_away and self.error is None:
            self.error, self.completed = Busy(), True
        return consumed


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when a request has been arriving."""

    error_task_class = _ProblemTask
    arriving_s: float | None = None

    def parser_class(self, settings: Waitress) -> _Parser:
        return _Parser(settings, self._more, self.server.crowded)

    def _more(self, parser: _Parser) -> int:
        cookies = parser.headers.get("COOKIE", "")
        return int(self.server.allowance(parser.command, parser.path, cookies, self.addr[0]))

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
    allowance: Allowance
    tls: ssl.SSLContext | None = None

    def crowded(self) -> bool:
        """Whether as many larger bodies are held as may be."""
        held = 0
        for channel in list(self.active_channels.values()):
            for parser in (channel.request, *channel.requests):
                held += getattr(parser, "large", False)
        return held >= MAX_LARGE

    def handle_accept(self) -> None:
        before = set(self.active_channels)
        super().handle_accept()
        for newest in set(self.active_channels) - before:
            for number in to_close(self._open(), newest):
                self.active_channels[number].will_close = True

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.arriving_s is not None and now - channel.arriving_s > REQUEST_S:
                channel.will_close = True

    def _open(self) -> list[Open]:
        return [
            Open(number, network_of(channel.addr[0]), channel.last_activity, bool(channel.requests))
            for number, channel in list(self.active_channels.items())
            if not channel.will_close
        ]


def fair_server(
    app: Waitress,
    sockets: dict[int, Waitress],
    bound: Waitress,
    threads: int,
    allowance: Allowance,
    kind: type[FairServer] = FairServer,
) -> FairServer:
    """A server of `app` on a socket that is bound; its sockets are in `sockets`."""
    limits = Adjustments(
        sockets=[bound],
        threads=threads,
        connection_limit=2 * CONNECTIONS,  # never reached: those to be closed linger for a moment
        channel_timeout=int(IDLE_S),
        cleanup_interval=CLEANUP_S,
        max_request_body_size=LARGEST_BODY_BYTES,
        max_request_header_size=LARGEST_HEAD_BYTES,
        ident=None,
    )
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(threads)
    place = (bound.family, bound.type, bound.proto, bound.getsockname())
    server = kind(
        app, sockets, True, bound, dispatcher=dispatcher, adj=limits, bind_socket=False, sockinfo=place
    )
    server.allowance = allowance
    return server
