"""The club for the page: the broker is listened to only while the page is open."""

from __future__ import annotations

import threading

from companion.app.workshop.parts_trial import Lease
from companion.club_json import ClubJson, ClubNow
from companion.outside.broker import Broker
from companion.outside.club import Club
from companion.outside.club_link import ClubLink, club_json

AWAY_S = 60.0
"""A page asks every second or two; the broker is left once no page has asked for so long."""


class ClubPage:
    """What the broker's tables say of themselves. For any thread; `now` never waits for the network."""

    def __init__(self, broker: Broker, prefix: str) -> None:
        self._broker, self._prefix = broker, prefix
        self._lock = threading.Lock()
        self._link: ClubLink | None = None
        self._opened, self._drawn = 0, (-1, -1)
        self._club: ClubJson = club_json(Club())
        self._lease = Lease(AWAY_S, self._leave)

    @property
    def listens(self) -> bool:
        """Whether the broker is listened to."""
        return self._link is not None

    def now(self) -> ClubNow:
        """The club at this moment; the first call begins to listen, and knows nothing yet."""
        with self._lock:
            link = self._link
            if link is None:
                self._opened += 1
                link = self._link = ClubLink(self._broker, self._prefix)
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
