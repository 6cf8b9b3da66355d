"""Follows all tables of a club at a broker, from a thread of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.outside.broker import Broker, OutsideFault
from companion.outside.club import Club, heard, untold
from companion.outside.connection import Connection
from companion.outside.topics import EVENING, STATE, STATUS
from companion.threads import Loop

if TYPE_CHECKING:
    from paho.mqtt.client import Client
from dataclasses import asdict
from typing import cast

from companion.club_json import ClubJson, ClubTableJson, PlaceJson, Presence
from companion.outside.club import ClubTable


class ClubLink:
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

    def confirmed(self, number: int) -> None:
        """Nothing is published."""

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
        "standings": [cast(PlaceJson, asdict(place)) for place in club.standings],
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
