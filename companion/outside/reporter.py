"""Follows the table and tells the outlets, from a thread of its own: neither the game nor an outlet waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from companion.outside.broker import OutsideFault
from companion.outside.evening import evening
from companion.outside.events import SentEventJson, events
from companion.outside.outbox import Message, Outbox
from companion.outside.outline import outline
from companion.outside.topics import EVENING, EVENTS, STATE, Topics
from companion.statistics.archive import Overview
from companion.table.snapshot import Snapshot
from companion.table.subscriber import Followed, Subscriber
from companion.table.view import view
from companion.table.wire.state import TableJson
from companion.threads import Beat


class Outlet(Protocol):
    """A way out of the box."""

    @property
    def name(self) -> str: ...

    @property
    def outbox(self) -> Outbox: ...

    @property
    def connected(self) -> bool: ...

    @property
    def fault(self) -> OutsideFault | None: ...

    def put(self, message: Message) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Addressing:
    """How messages are addressed: the topics, the table's name, the language of sentences."""

    topics: Topics
    table: str
    language: str
    outlets: tuple[Outlet, ...]


def utc_now() -> datetime:
    """The wall clock, in UTC."""
    return datetime.now(UTC)


class Reporter:
    """Tells the outlets the state of the table after each change, each event once, and the evening's games.

    `overview` gives the sums of all kept games; it may be slow, and is asked after a game alone.
    """

    def __init__(
        self,
        table: Followed,
        addressing: Addressing,
        overview: Callable[[], Overview],
        beat: Beat = lambda: None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._addressing, self._overview, self._now = addressing, overview, now
        self._number = 0
        self._before: TableJson | None = None
        self._evening_due = True
        self._subscriber = Subscriber("reporter", table, self._report, beat, self._report_what_is_due)

    def stop(self) -> None:
        """Have the thread end; may be called twice."""
        self._subscriber.stop()

    def close(self) -> None:
        """Stop; may be called twice."""
        self._subscriber.close()

    def _report(self, snapshot: Snapshot) -> None:
        data = view(snapshot).data
        addressing, before, self._before = self._addressing, self._before, data
        state = outline(data, addressing.table, addressing.language)
        self._put(Message(addressing.topics.of(STATE), _text(state), retained=True))
        for event in events(before, data, addressing.language) if before else ():
            self._number += 1
            sent: SentEventJson = {
                **event,
                "table": addressing.table,
                "at": self._now().isoformat(timespec="milliseconds"),
                "number": self._number,
            }
            self._put(Message(addressing.topics.of(EVENTS), _text(sent)))
        if before is None or _games(before) != _games(data):
            self._evening_due = True
            self._report_evening()

    def _report_what_is_due(self, _: Snapshot) -> None:
        if self._evening_due:
            self._report_evening()

    def _report_evening(self) -> None:
        """The evening; once more later where sums are still to be made."""
        found = self._overview()
        self._evening_due = found.pending > 0
        text = _text(evening(found.games, self._addressing.table))
        self._put(Message(self._addressing.topics.of(EVENING), text, retained=True))

    def _put(self, message: Message) -> None:
        for outlet in self._addressing.outlets:
            outlet.put(message)


def _games(data: TableJson) -> Sequence[object]:
    """What changes with each game that begins, ends or is taken up again."""
    game = data["game"]
    return (game["id"], game["winner"]) if game else ()


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
