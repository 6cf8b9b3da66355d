"""All tables of a club, as a broker tells of them: a value, what a message makes of it, and the link, which
is there while the page of the club is open.

The games of an evening at one table are made here, too, and the standings that follow from all tables.

A broker may lie: what is no message of a table is left out, and nothing grows without bound.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, NotRequired, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from companion.json_types import members
from companion.names import name_key
from companion.outside.connection import Connection
from companion.outside.outline import OutlineJson
from companion.outside.topics import EVENING, OFFLINE, ONLINE, STATE, STATUS, box_of
from companion.rules.fields import Text
from companion.settings import Mqtt
from companion.statistics.evenings import PAUSE, Summary, evenings, moment, spans
from companion.table.wire.state import ClubJson, ClubNow, ClubTableJson, Presence, StandingJson
from companion.threads import Lease, Loop

if TYPE_CHECKING:
    from paho.mqtt.client import Client


class ResultJson(TypedDict):
    """A game that has a winner."""

    game: Annotated[Text, Meta(description="The id of the game.")]
    began: Annotated[Text | None, Meta(description="When, with its zone; null: the box did not know.")]
    ended: Text | None
    players: Annotated[list[Text], Meta(max_length=40, description="In order of the table.")]
    winner: Text
    winners: NotRequired[
        Annotated[list[Text], Meta(max_length=40, description="The winner, with partners in teams.")]
    ]


class EveningJson(TypedDict):
    """The games of the table's last evening that have a winner, oldest first."""

    table: Annotated[Text, Meta(description="The name of the table.")]
    games: Annotated[list[ResultJson], Meta(max_length=500)]


def evening(games: Iterable[Summary], table: str) -> EveningJson:
    """The last evening of these games at the table called `table`."""
    known = list(games)
    when = spans(known)
    last = evenings(known)[-1:]
    return {
        "table": table,
        "games": [
            members(
                ResultJson,
                game,
                game=game.id,
                began=_label(when[game.id].began),
                ended=_label(when[game.id].ended),
                players=list(game.names),
            )
            for one in last
            for game in one.games
            if game.winner is not None
        ],
    }


def _label(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") if at else None


def this_evening(tables: Iterable[EveningJson]) -> tuple[ResultJson, ...]:
    """The games of all tables since the last pause of four hours, oldest first, each once.

    A table that was killed, or is at home since last week, has its evening still retained: its games count
    by their time. Those of an unknown time count as of tonight.
    """
    found = {game["game"]: game for table in tables for game in table["games"]}
    timed = sorted((times, game["game"]) for game in found.values() if (times := _times(game)) is not None)
    unknown = [game for game in found.values() if _times(game) is None]
    return (*unknown, *(found[name] for name in _since_pause(timed)))


_Times: TypeAlias = tuple[datetime, datetime]


def _times(game: ResultJson) -> _Times | None:
    """When a game began and ended; None where either is unknown."""
    began, ended = moment(game["began"] or ""), moment(game["ended"] or "")
    return (began, ended) if began and ended else None


def _since_pause(timed: Sequence[tuple[_Times, str]]) -> Iterator[str]:
    """The games after the last long pause, in the order given: by when they began."""
    first, last_end = 0, None
    for place, ((began, ended), _) in enumerate(timed):
        if last_end is not None and began - last_end >= PAUSE:
            first = place
        last_end = ended if last_end is None else max(last_end, ended)
    return (name for _, name in timed[first:])


def standings(games: Iterable[ResultJson]) -> list[StandingJson]:
    """Who won most, then who won most beyond what equal chances give; equals share a rank.

    Partners win together. With `k` winners of `n` players the equal chance of each is k / n. A message
    without `winners` comes from an older box: its winner counts alone.
    """
    sums: dict[str, tuple[str, int, int, float]] = {}
    for game in games:
        seats = {name_key(name): name for name in game["players"]}
        winners = seats.keys() & set(map(name_key, game.get("winners") or [game["winner"]]))
        for key, name in seats.items():
            _, won, played, even = sums.get(key, (name, 0, 0, 0.0))
            sums[key] = (name, won + (key in winners), played + 1, even + len(winners) / len(seats))
    rows = sorted(sums.items(), key=lambda row: (-row[1][1], round(row[1][3], 6), row[0]))
    ranks = _ranks([(won, round(even, 6)) for _, (_, won, _, even) in rows])
    return [
        {"rank": rank, "name": name, "won": won, "games": played, "even": even}
        for rank, (_, (name, won, played, even)) in zip(ranks, rows, strict=True)
    ]


def _ranks(scores: list[tuple[int, float]]) -> list[int]:
    """Competition ranking (1, 2, 2, 4) of scores in their order."""
    ranks: list[int] = []
    for place, score in enumerate(scores, 1):
        ranks.append(ranks[-1] if ranks and score == scores[place - 2] else place)
    return ranks


MAX_TABLES = 250
LONGEST_BYTES = 50_000
"""Of one message: an evening of 120 games of twelve."""

LONGEST_NAME = 60

_OUTLINE = msgspec.json.Decoder(OutlineJson)
_EVENING = msgspec.json.Decoder(EveningJson)


class ClubTable(Struct, frozen=True):
    """One table: whether it is there, how its game stands, and its games of the evening.

    `online` None: nothing received yet. A table that is gone keeps its last state and all its games.
    """

    key: str
    online: bool | None = None
    state: OutlineJson | None = None
    evening: EveningJson | None = None

    @property
    def name(self) -> str:
        """As the table calls itself."""
        source = self.state or self.evening
        return (source["table"] if source else self.key)[:LONGEST_NAME]


class Club(Struct, frozen=True):
    """All tables of the broker by their key."""

    tables: Mapping[str, ClubTable] = field(default_factory=dict)

    @property
    def in_order(self) -> tuple[ClubTable, ...]:
        """The tables by name. One that is not online gives way to one of the same box that is: a new name."""
        here = {box_of(table.key) for table in self.tables.values() if table.online}
        shown = (table for table in self.tables.values() if table.online or box_of(table.key) not in here)
        return tuple(sorted(shown, key=lambda table: (_natural(table.name), table.key)))

    @property
    def won(self) -> tuple[ResultJson, ...]:
        """The games of this evening that have a winner, at all tables, those that are gone included."""
        return this_evening(table.evening for table in self.in_order if table.evening)


def heard(club: Club, prefix: str, topic: str, text: bytes) -> Club:
    """The club after one message: the same after one that is none of a table, or of too many. An empty one of
    a table forgets what was retained of it."""
    key, what = _place(prefix, topic)
    known = club.tables.get(key, ClubTable(key))
    if not key or len(text) > LONGEST_BYTES or (key not in club.tables and len(club.tables) >= MAX_TABLES):
        return club
    try:
        table = _updated(known, what, text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return club
    others = {name: one for name, one in club.tables.items() if name != key}
    gone = table.online is None and table.state is None and table.evening is None
    return Club(others if gone else {**others, key: table})


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
        return replace(table, state=_OUTLINE.decode(text) if text else None)
    return replace(table, evening=_EVENING.decode(text) if text else None)


def _natural(name: str) -> tuple[str | int, ...]:
    """A key by which "Table 10" comes after "Table 9"."""
    parts = re.split("([0-9]+)", name.casefold())
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


class ClubLink(Connection):
    """What the broker tells of the tables, always the newest. Nothing is published.

    `club` is the club now. `version` rises with each message, and with each connection lost.
    """

    def __init__(self, broker: Mqtt) -> None:
        super().__init__(broker, "dudo_club")
        self.club, self.version = Club(), 0
        self._prefix = broker.prefix
        self._loop = Loop("club", self.turn)

    def close(self) -> None:
        """End; may be called twice."""
        self._loop.close()
        self.leave()

    def ready(self, client: Client) -> None:
        """Ask for everything, what is retained first."""
        for what in (STATUS, STATE, EVENING):
            client.subscribe(f"{self._prefix}/+/{what}", qos=1)

    def heard(self, topic: str, text: bytes) -> None:
        """A message of a table."""
        self._note(heard(self.club, self._prefix, topic, text))

    def lost(self) -> None:
        """Nobody tells any more who is there; games stay on show, whatever the broker has lost."""
        tables = self.club.tables.items()
        self._note(Club({key: replace(table, online=None) for key, table in tables}))

    def _note(self, club: Club) -> None:
        self.club = club
        self.version += 1  # whoever reads it before the club has a newer club at most


PRESENCE: dict[bool | None, Presence] = {True: "online", False: "offline", None: "unknown"}


def club_json(club: Club) -> ClubJson:
    """All tables, and the standings of the evening."""
    tables, won = [_table(table) for table in club.in_order], club.won
    return {
        "tables": tables,
        "online": sum(table["presence"] == "online" for table in tables),
        "games": len(won),
        "standings": standings(won),
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


AWAY_S = 60.0
"""A page asks every second or two; the broker is left once no page has asked for so long."""


class ClubPage:
    """What the broker's tables say of themselves. For any thread; `now` never waits for the network."""

    def __init__(self, broker: Mqtt) -> None:
        self._broker = broker
        self._lock = threading.Lock()
        self._link: ClubLink | None = None
        self._opened, self._drawn = 0, (-1, -1)
        self._club: ClubJson = club_json(Club())
        self._lease = Lease(AWAY_S, self._leave)

    def now(self) -> ClubNow:
        """The club at this moment; the first call begins to listen, and knows nothing yet."""
        with self._lock:
            link = self._link
            if link is None:
                self._opened += 1
                link = self._link = ClubLink(self._broker)
            self._lease.renew()
            fault, connected, version = link.fault, link.connected, link.version
            if self._drawn != (self._opened, version):
                self._club, self._drawn = club_json(link.club), (self._opened, version)
        reason = fault.reason if fault else ""
        return ClubNow(f"{self._opened}-{version}-{connected:d}-{reason}", connected, reason, self._club)

    def close(self) -> None:
        """Leave the broker; may be called twice."""
        self._lease.close()

    def _leave(self) -> None:
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.close()
