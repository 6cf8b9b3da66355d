"""Who was let in, who leads, and who may take which seat of the table, for as long as the box runs.

After a restart, cookies bring back what the phones were. Whoever can hold two buttons of the box is at the
table, and may confirm a claim (see `web.sessions.claims`). The access token is renewed when the phone that
leads asks for it. It is also renewed for another evening: when somebody takes up a table that was left hours
ago, or that nobody came back to.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

from companion.errors import StorageError
from companion.rules.position import Phase
from companion.table.commands import By
from companion.table.folder import AccessRecord
from companion.table.ledger import Kind, Note
from companion.table.sitting import people_of
from companion.table.snapshot import Snapshot
from web.page_table import PageTable
from web.sessions.access import Phone, Role
from web.sessions.claims import Asked, Claim, Claims, may_decide
from web.sessions.cookie import SessionCookie

LAPSE_S = 1800.0
"""A lead that nobody used for so long ends once no game is on: another evening, other people."""

SILENT_S = 60.0
"""A phone that asked for nothing for so long is silent: a page that is open asks three times as often."""

EVENING_S = 3 * 3600.0
"""After so long without anybody who leads, the next to lead begins another evening."""


class Visit(Struct, frozen=True):
    """One request: the phone's cookie, and whether it comes from the box itself.

    `sets_up`: it is the box's own page, which shows the set-up: nobody else is asked to be host.
    """

    cookie: SessionCookie
    local: bool = False
    sets_up: bool = False

    @property
    def phone(self) -> str:
        return self.cookie.phone


class Seats:
    """Who was let in, who leads, and which claim is open; the `table` has who sits where.

    `gestures` counts how often two buttons of the box were held together. `now_s` is a monotonic clock.
    """

    def __init__(
        self,
        gestures: Callable[[], int],
        now_s: Callable[[], float],
        access: AccessRecord,
        table: PageTable,
    ) -> None:
        self._now_s, self._access, self._table = now_s, access, table
        self._lock = threading.Lock()
        self._joined: set[str] = set()
        self._leader: str | None = None
        self._led_before = access.leader
        self._leader_seen_s, self._set_up_s = now_s(), float("-inf")
        self._seen_s: dict[str, float] = {}
        self._silent: frozenset[str] = frozenset()
        self._claims = Claims(gestures, now_s)

    @property
    def claim(self) -> Claim | None:
        """The claim that is open."""
        with self._lock:
            return self._claims.open

    def glance(self) -> None:
        """Close a claim that ran out, grant one that the box has confirmed; note silent phones."""
        with self._changing():
            self._note_silence()
            self._grant()

    def phone(self, visit: Visit) -> Phone:
        """The phone as it stands now, with what its cookie carries and what the box has confirmed."""
        with self._changing() as moves:
            self._welcome(visit, moves)
            self._note_silence()
            self._grant()
        with self._lock:
            return self._seen(visit)

    def cookie(self, phone: Phone, carried: SessionCookie) -> SessionCookie:
        """The cookie that the phone gets instead of the one it carried."""
        if not phone.joined:
            return carried
        return SessionCookie(carried.phone, self._now.sitting.seat_of(phone.id), self._access.token)

    def join(self, phone_id: str) -> None:
        """Let a phone in that brought a code."""
        with self._changing():
            self._joined.add(phone_id)

    def come(self, phone: Phone, name: str) -> None:
        """Sit down for the next game, or as a player who has just come, or come back with another phone."""
        with self._changing() as moves:
            moves[name] = phone.id
            self._joined |= {phone.id} if phone.local else set()

    def sit(self, phone: Phone, name: str | None) -> str | None:
        """Take a seat, or with None leave; a reason key when that cannot be."""
        if name is not None and not phone.may_sit:
            return "join_first"
        with self._changing() as moves:
            taken = self._now.sitting.taken
            if name is None:
                moves |= {seat: "" for seat, owner in taken.items() if owner == phone.id}
            elif name not in people_of(self._now.state):
                return "no_such_seat"
            elif taken.get(name, phone.id) != phone.id:
                return "seat_taken"
            else:
                moves[name] = phone.id
                self._joined |= {phone.id} if phone.local else set()
        return None if name is None or self._now.sitting.taken.get(name) == phone.id else "seat_taken"

    def free(self, phone: Phone, name: str) -> str | None:
        """Make a seat free whose phone is gone; a reason key when this phone may not, or there is none."""
        if reason := _unmanaged(phone):
            return reason
        with self._changing(Note(Kind.SEAT_FREED, 0, By.HOST, phone.seat or "", name)) as moves:
            if name not in self._now.sitting.taken:
                return "no_such_seat"
            moves[name] = ""
        return None

    def anew(self, phone: Phone) -> str | None:
        """Everybody but this phone and the one that leads joins anew; a reason key when it may not ask so.

        Raises StorageError, and then nothing has changed."""
        if reason := _unmanaged(phone):
            return reason
        token = self._access.following()  # a slow card holds nobody but who asks
        with self._changing():
            self._end_access(phone.id, token)
        return None

    def lead(self, phone: Phone, address: str = "") -> Asked | None:
        """Take the lead where that is due without more, else claim it; returns the result of the claim."""
        with self._changing():
            nobody = self._leader is None
            if phone.leads or phone.local or (nobody and (phone.vacant or phone.joined)):
                if nobody and phone.vacant and self._is_another_evening(phone.id):
                    self._end_access(phone.id)
                self._crown(phone.id)
                return None
            return self._claims.ask(phone, address, lead=True)

    def ask(self, phone: Phone, address: str = "") -> Asked:
        """Ask to be let in without a code; returns the result of the claim."""
        with self._changing():
            return self._claims.ask(phone, address, lead=False)

    def decide(self, phone: Phone, number: int, *, grant: bool) -> str | None:
        """Grant or refuse the claim of that number; a reason key if this phone may not, or none is open."""
        with self._changing():
            claim = self._claims.open
            if claim is None or claim.number != number:
                return "no_such_claim"
            if not may_decide(phone, claim):
                return "leader_only"
            if grant:
                self._granted(self._claims.redeem(claim))
            else:
                self._claims.refuse(claim)
            return None

    def withdraw(self, phone_id: str) -> None:
        """That phone asks no longer."""
        with self._changing():
            self._claims.withdraw(phone_id)

    def give_up_lead(self, phone_id: str) -> None:
        """Give the lead back."""
        with self._changing():
            if self._leader == phone_id:
                self._leader = None

    def _welcome(self, visit: Visit, moves: dict[str, str]) -> None:
        """Note that the leader is here, and believe a cookie once: later the box knows better."""
        now_s, playing = self._now_s(), self._now.state.goes_on
        if visit.sets_up:
            self._set_up_s = now_s
        if visit.phone in self._seen_s:
            self._seen_s[visit.phone] = now_s
        if self._leader == visit.phone:
            self._leader_seen_s = now_s
        elif self._leader and not playing and now_s - self._leader_seen_s > LAPSE_S:
            self._leader = None
        elif playing and visit.phone == self._led_before:
            self._crown(visit.phone)
        if visit.phone in self._joined or visit.cookie.admitted != self._access.token:
            return
        self._joined.add(visit.phone)
        if visit.cookie.seat and visit.cookie.seat not in self._now.sitting.taken:
            moves[visit.cookie.seat] = visit.phone

    def _seen(self, visit: Visit) -> Phone:
        led, joined, now = self._leader is not None, visit.phone in self._joined, self._now
        game = now.state.game
        turn = game.round.turn if game and game.phase is Phase.BIDDING else ""
        return Phone(
            visit.phone,
            led=led,
            leads=self._leader == visit.phone,
            local=visit.local,
            joined=joined,
            seat=now.seat_of(visit.phone),
            vacant=not led and not now.state.goes_on and not self._is_set_up(visit),
            ended=bool(visit.cookie.admitted) and not joined,
            asks=self._claims.open is not None and self._claims.open.phone == visit.phone,
            lead_silent=self._leader in self._silent,
            silent=turn if now.sitting.taken.get(turn) in self._silent else "",
        )

    def _is_set_up(self, visit: Visit) -> bool:
        """Whether the box's own page shows the set-up to somebody else."""
        return not visit.local and self._now_s() - self._set_up_s < SILENT_S

    @contextmanager
    def _changing(self, freed: Note | None = None) -> Iterator[dict[str, str]]:
        """Locks the seats, and gives what is to hold the phone of each seat that changes, "" for one that is
        left. Afterwards, while no other phone waits, they update where anybody's role has changed."""
        with self._lock:
            before, moves, sitting = self._standing(), dict[str, str](), self._now.sitting
            led = self._leader
            yield moves
            allowed = self._joined | {self._leader, ""}  # one that only led loses its seat with the lead
            taken = {**sitting.taken, **moves}
            moves |= {seat: "" for seat, phone in taken.items() if phone not in allowed}
            changed = self._standing() != before
        if self._leader != led:
            with suppress(StorageError):  # known again after a restart, as far as the box can write
                self._access.lead(self._leader or "")
        if moves and sitting.moved(moves) != sitting:
            self._table.table.seat(moves, freed, sitting)
        elif changed:
            self._table.refresh()

    @property
    def _now(self) -> Snapshot:
        return self._table.table.snapshot()

    def _note_silence(self) -> None:
        """Which phones have asked for nothing for long, of those that lead or sit somewhere."""
        now_s, here = self._now_s(), {self._leader, *self._now.sitting.taken.values()} - {None}
        self._seen_s = {phone: self._seen_s.get(phone, now_s) for phone in here if phone}
        self._silent = frozenset(phone for phone, seen in self._seen_s.items() if now_s - seen > SILENT_S)

    def _standing(self) -> Hashable:
        return (self._leader, frozenset(self._joined), self._silent, self._claims.open)

    def _is_another_evening(self, phone_id: str) -> bool:
        alone = not self._joined - {phone_id}
        return alone or self._now_s() - self._leader_seen_s > EVENING_S

    def _end_access(self, phone_id: str, token: str = "") -> None:
        """For all but that phone and the one that leads; from now on `token` lets phones in."""
        self._access.renew(token)
        self._claims.drop()
        self._joined &= {phone_id, self._leader}

    def _grant(self) -> None:
        """Give the phone that asked what the box has confirmed since, whoever calls first."""
        if claim := self._claims.settle():
            self._granted(claim)

    def _granted(self, claim: Claim) -> None:
        self._joined.add(claim.phone)
        if claim.lead:
            self._crown(claim.phone)

    def _crown(self, phone_id: str) -> None:
        self._leader, self._leader_seen_s, self._led_before = phone_id, self._now_s(), ""


def _unmanaged(phone: Phone) -> str | None:
    """Why a phone may not decide about the others: a reason key."""
    if phone.role is not Role.HOST:
        return "leader_only"
    return None if phone.let_in else "let_in"
