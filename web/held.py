"""What all phones together hold of the server: connections and larger bodies, counted as they come and go."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Protocol

from companion.budgets import CONNECTIONS, LARGE_BYTES, PER_ADDRESS


class Held(Protocol):
    """A connection as it is counted: where it comes from, when it last said something, and what it has to be
    answered."""

    network: str
    last_activity: float
    requests: Sized


class Connections:
    """The open connections by where they come from: counted as they come and go, never all looked at."""

    def __init__(self) -> None:
        self._of: dict[str, dict[int, Held]] = {}
        self._total = 0

    def add(self, newest: Held) -> Held | None:
        """Count a connection; gives the one that must go for it, which is counted no more."""
        mine = self._of.setdefault(newest.network, {})
        mine[id(newest)] = newest
        self._total += 1
        if len(mine) > PER_ADDRESS:
            most = mine
        elif self._total > CONNECTIONS:
            most = max(self._of.values(), key=len)
        else:
            return None
        idle = [one for one in most.values() if not one.requests and one is not newest]
        gone = min(idle, key=lambda one: one.last_activity) if idle else newest
        self.remove(gone)
        return gone

    def remove(self, one: Held) -> None:
        """Count a connection no more; may be called twice."""
        mine = self._of.get(one.network, {})
        if mine.pop(id(one), None) is not None:
            self._total -= 1
        if not mine:
            self._of.pop(one.network, None)


class Body(Protocol):
    """A larger body: the phone it is charged to, how much of it is here, whether that is all."""

    payer: str
    body_bytes_received: int
    completed: bool
    will_close: Callable[[], None]


class Bodies:
    """The larger bodies that arrive or wait to be read: one of each phone, and so many bytes of all."""

    def __init__(self) -> None:
        self._of: dict[str, Body] = {}

    def begin(self, newest: Body) -> bool:
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

    def end(self, one: Body) -> None:
        """A body is read, or will never be; may be called twice, and for any."""
        if self._of.get(one.payer) is one:
            del self._of[one.payer]
