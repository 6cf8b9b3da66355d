"""All tables of a club, as a broker tells of them: a value, what a message makes of it, and the link.

A broker may lie: what is no message of a table is counted and left out, and nothing grows without bound.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from companion.outside.connection import Broker, Connection, OutsideFault, User
from companion.outside.evening import EveningJson, ResultJson, standings, this_evening
from companion.outside.outline import OutlineJson
from companion.outside.topics import EVENING, OFFLINE, ONLINE, STATE, STATUS
from companion.threads import Loop

if TYPE_CHECKING:
    from paho.mqtt.client import Client

from companion.table.wire.state import ClubJson, ClubTableJson, Presence, StandingJson

MAX_TABLES = 1000
LONGEST_BYTES = 200_000
"""Of one message: an evening of 500 games of twelve."""

MAX_BYTES = 16_000_000
"""Of all messages that are kept together: a club of 200 tables with 100 games each has 5 MB."""

LONGEST_NAME = 60

_OUTLINE = msgspec.json.Decoder(OutlineJson)
_EVENING = msgspec.json.Decoder(EveningJson)


@dataclass(frozen=True, slots=True)
class ClubTable:
    """One table: whether it is there, how its game stands, and its games of the evening.

    `online` None: nothing received yet. A table that is gone keeps its last state and all its games.
    """

    key: str
    online: bool | None = None
    state: OutlineJson | None = None
    evening: EveningJson | None = None
    state_bytes: int = 0
    evening_bytes: int = 0

    @property
    def bytes(self) -> int:
        """Of its messages."""
        return self.state_bytes + self.evening_bytes

    @property
    def name(self) -> str:
        """As the table calls itself."""
        source = self.state or self.evening
        return (source["table"] if source else self.key)[:LONGEST_NAME]


@dataclass(frozen=True, slots=True)
class Club:
    """All tables by their key, made of so many `bytes` of messages.

    `ignored` counts messages that were none of a table, or too many.
    """

    tables: Mapping[str, ClubTable] = field(default_factory=dict)
    ignored: int = 0
    bytes: int = 0

    @property
    def in_order(self) -> tuple[ClubTable, ...]:
        """The tables by name."""
        return tuple(sorted(self.tables.values(), key=lambda table: (_natural(table.name), table.key)))

    @property
    def standings(self) -> list[StandingJson]:
        """The standings of this evening over all tables, those that are gone included."""
        return standings(self._won())

    @property
    def games(self) -> int:
        """How many games of this evening have a winner."""
        return len(self._won())

    def _won(self) -> tuple[ResultJson, ...]:
        return this_evening(table.evening for table in self.tables.values() if table.evening)


def untold(club: Club) -> Club:
    """The club before a new connection tells who is there; games stay, whatever the broker has lost."""
    tables = {key: replace(table, online=None) for key, table in club.tables.items()}
    return replace(club, tables=tables)


def heard(club: Club, prefix: str, topic: str, text: bytes) -> Club:
    """The club after one message. An empty one of a table forgets what was retained of it."""
    key, what = _place(prefix, topic)
    known = club.tables.get(key, ClubTable(key))
    if not key or len(text) > LONGEST_BYTES or (key not in club.tables and len(club.tables) >= MAX_TABLES):
        return replace(club, ignored=club.ignored + 1)
    try:
        table = _updated(known, what, text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return replace(club, ignored=club.ignored + 1)
    held = club.bytes - known.bytes + table.bytes
    if held > MAX_BYTES:
        return replace(club, ignored=club.ignored + 1)
    others = {name: one for name, one in club.tables.items() if name != key}
    gone = table.online is None and table.state is None and table.evening is None
    return replace(club, tables=others if gone else {**others, key: table}, bytes=held)


def _place(prefix: str, topic: str) -> tuple[str, str]:
    """The table and the kind of a topic; "" where it is none of ours."""
    own, _, what = topic.rpartition("/")
    key = own.removeprefix(f"{prefix}/")
    ours = key != own and "/" not in key and what in (STATUS, STATE, EVENING)
    return (key, what) if ours else ("", "")


def _updated(table: ClubTable, what: str, text: bytes) -> ClubTable:
    """The table after a message of one kind; raises ValueError for what is none."""
    if what == STATUS:
        words: dict[bytes, bool | None] = {ONLINE.encode(): True, OFFLINE.encode(): False, b"": None}
        if text not in words:
            raise ValueError(what)
        return replace(table, online=words[text])
    if what == STATE:
        return replace(table, state=_OUTLINE.decode(text) if text else None, state_bytes=len(text))
    return replace(table, evening=_EVENING.decode(text) if text else None, evening_bytes=len(text))


def _natural(name: str) -> tuple[str | int, ...]:
    """A key by which "Table 10" comes after "Table 9"."""
    parts = re.split("([0-9]+)", name.casefold())
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


class ClubLink(User):
    """What the broker tells of the tables below `prefix`, always the newest. Nothing is published."""

    def __init__(self, broker: Broker, prefix: str) -> None:
        self._prefix, self._club, self._version = prefix, Club(), 0
        self._changed = threading.Condition()
        self.connection = Connection(broker, "dudo_club", self)
        self._loop = Loop("club", self.connection.turn)

    @property
    def fault(self) -> OutsideFault | None:
        """Why there is no connection; None while all is well, or nothing is known yet."""
        return self.connection.fault

    @property
    def connected(self) -> bool:
        """Whether the broker has let us in."""
        return self.connection.client is not None

    @property
    def club(self) -> Club:
        """The club now."""
        return self._club

    @property
    def version(self) -> int:
        """Rises with each message, and with each connection that is made or lost."""
        return self._version

    def wait(self, after: int, timeout_s: float) -> int:
        """Wait until something is newer than `after`, at most `timeout_s`; returns the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._version > after, timeout_s)
            return self._version

    def close(self) -> None:
        """End; may be called twice."""
        self._loop.close()
        self.connection.leave()

    def ready(self, client: Client) -> None:
        """Ask for everything, what is retained first."""
        self._note(untold(self._club))
        for what in (STATUS, STATE, EVENING):
            client.subscribe(f"{self._prefix}/+/{what}", qos=1)

    def heard(self, topic: str, text: bytes) -> None:
        """A message of a table."""
        self._note(heard(self._club, self._prefix, topic, text))

    def lost(self) -> None:
        """What is known stays on show."""
        self._note(self._club)

    def _note(self, club: Club) -> None:
        with self._changed:
            self._club, self._version = club, self._version + 1
            self._changed.notify_all()


PRESENCE: dict[bool | None, Presence] = {True: "online", False: "offline", None: "unknown"}


def club_json(club: Club) -> ClubJson:
    """All tables, and the standings of the evening."""
    tables = [_table(table) for table in club.in_order]
    return {
        "tables": tables,
        "online": sum(table["presence"] == "online" for table in tables),
        "games": club.games,
        "standings": club.standings,
    }


def _table(table: ClubTable) -> ClubTableJson:
    state = table.state
    return {
        "key": table.key,
        "name": table.name,
        "presence": PRESENCE[table.online],
        "state": state["state"] if state else None,
        "round": state["round"] if state else 0,
        "turn": state["turn"] if state else "",
        "bid": state["bid"] if state else None,
        "dice": state["dice"] if state else 0,
        "verdict": state["verdict"]["sentence"] if state and state["verdict"] else "",
        "winners": list(state["winners"] or filter(None, [state["winner"]])) if state else [],
    }
