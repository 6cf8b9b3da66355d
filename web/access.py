"""Who may do what: phones that watch, sit in a player's seat, or lead the table.

While nobody leads, every phone may do everything, as at a table among friends. Once a phone leads, the others
watch until they take a seat, and a seat speaks for its own player. The buttons of the box always win: whoever
can press one is at the table, and may take the lead from anybody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

CLAIM_S = 60.0

_CALLS = frozenset(("bid", "dudo", "calza", "pass", "dudo_pass", "choose_visibility", "challenge"))
_AT_THE_TABLE = frozenset(
    (
        *("look", "set_face", "set_owner", "strike", "cut_off", "add_die"),
        *("same_die", "two_dice", "all_apart"),
        *("type_count", "confirm", "next_round", "undo", "press"),
    )
)


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone as the table knows it. `led`: some phone leads; `leads`: this one; `seat`: its player."""

    id: str
    led: bool = False
    leads: bool = False
    seat: str | None = None

    @property
    def free(self) -> bool:
        """Whether this phone may do everything."""
        return self.leads or not self.led

    @property
    def plays(self) -> bool:
        """Whether this phone may do what anybody at the table may: correct, count, go on."""
        return self.free or self.seat is not None

    def speaks_for(self, name: str | None) -> bool:
        """Whether this phone may call in that player's name."""
        return self.free or (self.seat is not None and self.seat == name)

    def refusal(self, command: Mapping[str, Any]) -> str | None:
        """Why this phone may not send `command`: a key under `web.problems`, None when it may."""
        kind = str(command.get("type"))
        if self.free or (self.seat and kind in _AT_THE_TABLE):
            return None
        if self.seat is None:
            return "watching"
        if kind in _CALLS or kind == "hand":
            who = command.get("player" if kind == "hand" else "by")
            return None if who == self.seat else "not_your_seat"
        return "leader_only"


@dataclass(frozen=True, slots=True)
class _Claim:
    """A phone that wants the lead: how often the box's buttons had been pressed when it asked."""

    phone: str
    presses: int
    at_s: float


class Seats:
    """Who sits where and who leads, for as long as the box runs; phones bring their seat back by cookie.

    `presses` counts the presses of the box's buttons; `now_s` is a clock that never jumps.
    """

    def __init__(self, presses: Callable[[], int], now_s: Callable[[], float]) -> None:
        self._presses, self._now_s = presses, now_s
        self._lock = threading.Lock()
        self._taken: dict[str, str] = {}
        self._leader: str | None = None
        self._claim: _Claim | None = None

    def phone(self, phone_id: str, remembered: str | None, names: Collection[str]) -> Phone:
        """The phone as it stands now; a `remembered` seat is taken again where it is still free."""
        with self._lock:
            mine = self._seat_of(phone_id, names)
            if mine is None and remembered in names and self._owner(remembered, names) is None:
                self._taken[str(remembered)] = phone_id
                mine = remembered
            return Phone(phone_id, self._leader is not None, self._leader == phone_id, mine)

    def taken(self, names: Collection[str]) -> frozenset[str]:
        """The seats that some phone sits in."""
        with self._lock:
            return frozenset(name for name in self._taken if name in names)

    def sit(self, phone_id: str, name: str | None, names: Collection[str]) -> str | None:
        """Take a seat, or with None leave; a reason key when it is somebody else's or not there."""
        with self._lock:
            if name is not None and name not in names:
                return "no_such_seat"
            if name is not None and self._owner(name, names) not in (None, phone_id):
                return "seat_taken"
            self._taken = {seat: owner for seat, owner in self._taken.items() if owner != phone_id}
            if name is not None:
                self._taken[name] = phone_id
            return None

    def lead(self, phone_id: str) -> str | None:
        """Take the lead; while another phone has it, a button of the box must be pressed after asking."""
        with self._lock:
            if self._leader not in (None, phone_id) and not self._proven(phone_id):
                self._claim = _Claim(phone_id, self._presses(), self._now_s())
                return "press_the_box"
            self._leader, self._claim = phone_id, None
            return None

    def follow(self, phone_id: str) -> None:
        """Give the lead back; then every phone may do everything again."""
        with self._lock:
            if self._leader == phone_id:
                self._leader = None

    def _proven(self, phone_id: str) -> bool:
        claim = self._claim
        if claim is None or claim.phone != phone_id or self._now_s() - claim.at_s > CLAIM_S:
            return False
        return self._presses() > claim.presses

    def _seat_of(self, phone_id: str, names: Collection[str]) -> str | None:
        return next(
            (seat for seat, owner in self._taken.items() if owner == phone_id and seat in names), None
        )

    def _owner(self, name: str | None, names: Collection[str]) -> str | None:
        return self._taken.get(name) if name in names else None  # type: ignore[arg-type]
