"""What phones say to one another beside the game, kept by no journal: who has sat down before it begins, and
reactions to what the dice show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable

from msgspec import Struct

from companion.budgets import REACTIONS, REACTIONS_PER_S, Purse
from companion.names import check_name
from web.payloads import Feeling

MAX_GUESTS = 12


class Guest(Struct, frozen=True):
    """One who sits at the table and waits for the host to start."""

    phone: str
    name: str
    colour: str = ""
    phone_cup: bool = False


class Lobby:
    """The guests in the order in which they came; may be asked by many threads. `bots` are the names of those
    that the host has added so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.guests: tuple[Guest, ...] = ()
        self.bots: tuple[str, ...] = ()

    def sit(self, guest: Guest) -> str | None:
        """Sit down, or change what was said before; a reason key when that cannot be. Raises BadCommand for a
        name that cannot be."""
        with self._lock:
            others = [one for one in self.guests if one.phone != guest.phone]
            check_name(guest.name, (one.name for one in others))
            if len(others) >= MAX_GUESTS:
                return "lobby_full"
            before = [one.phone for one in self.guests]
            at = before.index(guest.phone) if guest.phone in before else len(others)
            self.guests = (*others[:at], guest, *others[at:])
            return None

    def stay(self, guests: Collection[Guest]) -> None:
        """Those of the last game sit on, before whoever has come since."""
        with self._lock:
            phones = {guest.phone for guest in guests}
            self.guests = (*guests, *(one for one in self.guests if one.phone not in phones))

    def leave(self, phone: str) -> bool:
        """Get up again; whether that phone had sat down."""
        with self._lock:
            stayed = tuple(one for one in self.guests if one.phone != phone)
            left, self.guests = len(stayed) < len(self.guests), stayed
            return left

    def close(self) -> None:
        """A game has begun: nobody waits here any more."""
        with self._lock:
            self.guests, self.bots = (), ()


SHOWN = 6
"""So many reactions stand on the screens, the newest last."""


class Reaction(Struct, frozen=True):
    """What somebody feels about the dice; no two of one run have one number."""

    number: int
    feeling: Feeling
    name: str


class Reactions:
    """The reactions to one moment of the game; may be asked by many threads."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._purse, self._lock = Purse(REACTIONS, REACTIONS_PER_S, now_s), threading.Lock()
        self._moment: Hashable = None
        self._all: tuple[Reaction, ...] = ()
        self._number = 0

    def of(self, moment: Hashable) -> tuple[Reaction, ...]:
        """Those to that moment."""
        return self._all if moment == self._moment else ()

    def add(self, phone: str, name: str, feeling: Feeling, moment: Hashable) -> bool:
        """React, as often as one phone may; whether it did."""
        with self._lock:
            if self._purse.take(phone) > 0:
                return False
            self._number += 1
            self._all = (*self.of(moment), Reaction(self._number, feeling, name))[-SHOWN:]
            self._moment = moment
            return True
