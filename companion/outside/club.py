"""All tables of a club, as a broker tells of them. Pure: a value, and what a message makes of it.

A broker may lie: what is no message of a table is counted and left out, and nothing grows without bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import msgspec

from companion.outside.evening import EveningJson, RankedPlayer, standings, this_evening
from companion.outside.outline import OutlineJson
from companion.outside.topics import EVENING, OFFLINE, ONLINE, STATE, STATUS

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
    def standings(self) -> tuple[RankedPlayer, ...]:
        """The standings of this evening over all tables, those that are gone included."""
        return standings(this_evening(table.evening for table in self.tables.values() if table.evening))

    @property
    def games(self) -> int:
        """How many games of this evening have a winner."""
        return len(this_evening(table.evening for table in self.tables.values() if table.evening))


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


_Natural: TypeAlias = tuple[tuple[int, str], ...]


def _natural(name: str) -> _Natural:
    """A key by which "Table 10" comes after "Table 9"."""
    parts: list[tuple[int, str]] = []
    digits = ""
    for sign in name.casefold():
        if sign.isascii() and sign.isdigit():
            digits += sign
            continue
        if digits:
            parts.append((int(digits), ""))
            digits = ""
        parts.append((-1, sign))
    return (*parts, (int(digits), "")) if digits else tuple(parts)
