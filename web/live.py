"""Live updates: requests that wait for a change without a thread, and which get the same answer."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from werkzeug.sansio.http import parse_cookie

from companion.addresses import is_loopback
from companion.errors import StorageError
from companion.threads import Loop
from web.i18n import COOKIE as LANGUAGE
from web.i18n import accepting
from web.page_table import PageTable
from web.sessions.phones import Phones

GLANCE_S = 1.0
"""So often it is noted that somebody waits."""

Answer = Callable[[], None]
"""Answers a request that was put aside."""

_WAITING = re.compile(r"/(?:fragment/[^/]+|api/v1/state)\?after=([0-9]{1,15})")
"""What a phone asks that has seen that version. A phone that wakes adds `quick`: it is answered at once."""


class Waiting(Struct, frozen=True):
    """A request that was put aside: the version that its phone has, and until when it waits at most."""

    version: int
    until_s: float
    answer: Answer


class WaitingRoom:
    """Puts requests aside until the table changes.

    One that waits costs no thread, and all that are due are answered one after the other: threads that wake
    together hinder each other more than they work. `glance` is called now and then while anybody waits.
    """

    def __init__(self, table: PageTable, poll_s: float, glance: Callable[[], None] = lambda: None) -> None:
        self._table, self._poll_s, self._glance = table, poll_s, glance
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._waiting: list[Waiting] = []
        self._version = -1
        self._serve: Callable[[Sequence[Answer]], None] = lambda _: None
        self._loop: Loop | None = None

    def open(self, serve: Callable[[Sequence[Answer]], None], beat: Callable[[], None]) -> None:
        """From now on `serve` gets those that are due, from a thread that calls `beat` now and then; nothing
        begins where it was stopped before."""
        with self._lock:
            if not self._closed.is_set():
                self._serve, self._loop = serve, Loop("waiting", self._turn, beat)

    def keeps(self, target: str, answer: Answer) -> bool:
        """Whether the request of `target` is put aside; else it is to be answered now.

        A version that is not the present one is answered at once. One above it comes from before a restart
        with other data.
        """
        found = _WAITING.fullmatch(target)
        if found is None or self._loop is None:
            return False
        one = Waiting(int(found[1]), time.monotonic() + self._poll_s, answer)
        with self._lock:
            waits = one.version == self._table.snapshot().version and not self._closed.is_set()
            self._waiting += [one] if waits else []
        return waits

    def stop(self) -> None:
        """Answer everybody, and put nobody aside any more; may be called twice."""
        with self._lock:
            self._closed.set()
        if self._loop is not None:
            self._loop.stop()
        self._table.table.wake()
        self._answer_due()

    def close(self) -> None:
        """Stop, and wait a moment for the thread; may be called twice."""
        self.stop()
        if self._loop is not None:
            self._loop.close()

    def _turn(self) -> float:
        self._version = self._table.table.wait(self._version, GLANCE_S, self._closed.is_set).version
        if self._waiting:
            self._glance()
        self._answer_due()
        return 0.0

    def _answer_due(self) -> None:
        now_s = time.monotonic()
        with self._lock:
            version = None if self._closed.is_set() else self._table.snapshot().version
            due, stay = list[Waiting](), list[Waiting]()
            for one in self._waiting:
                (stay if one.version == version and one.until_s > now_s else due).append(one)
            self._waiting = stay
        if due:
            self._serve([one.answer for one in due])


Kind = tuple[int, Hashable]
"""The version of the table, and all else that decides the answer to a request."""

_DECIDING = (
    *("PATH_INFO", "SERVER_PROTOCOL", "wsgi.url_scheme", "HTTP_HOST", "HTTP_CONNECTION"),
    *("HTTP_ACCEPT_ENCODING", "HTTP_SEC_FETCH_MODE"),
)


def kind_of(phones: Phones, asked: Mapping[str, str]) -> Kind | None:
    """Requests of one kind get the same answer, so forty phones that wake at once and see the same cost one
    drawing. None for a request, as WSGI has it, that the application alone can answer."""
    found = _WAITING.fullmatch(f"{asked['PATH_INFO']}?{asked['QUERY_STRING']}")
    version, view = phones.table.snapshot().version, None
    if found and asked["REQUEST_METHOD"] == "GET" and int(found[1]) != version:
        with suppress(StorageError):
            view = phones.view_key(asked)
    if view is None:
        return None
    chosen = parse_cookie(asked["HTTP_COOKIE"])
    language = chosen.get(LANGUAGE), accepting(asked.get("HTTP_ACCEPT_LANGUAGE", ""), "").language
    own = is_loopback(asked["REMOTE_ADDR"])
    return version, (view, language, chosen.get("coach"), own, *map(asked.get, _DECIDING))
