"""The phone behind a request: what it is at the table, whose it is, what lies under its cup."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Hashable, Mapping
from typing import Annotated

from flask import Response, g, request
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.addresses import is_loopback, network_of
from companion.budgets import (
    COMINGS,
    COMINGS_PER_S,
    GUESSES,
    GUESSES_OF_ALL,
    GUESSES_OF_ALL_PER_S,
    GUESSES_PER_S,
    SESSIONS,
    SESSIONS_PER_S,
    Purse,
)
from companion.table.commands import Author
from companion.table.cups import KnownDice, known_dice
from companion.table.folder import AccessRecord
from companion.table.sitting import Sitting, people_of
from companion.table.wire.game import GameJson
from web.hosts import is_forwarded, means_this_machine
from web.page_table import PageTable, PageView
from web.payloads import Feeling
from web.problems import Refused
from web.sent_pictures import LARGEST_PICTURE_BYTES, MULTIPART_BYTES, PATH
from web.sessions import cookie
from web.sessions.access import Phone
from web.sessions.claims import may_decide
from web.sessions.cookie import COOKIE, DEMONSTRATION, SessionCookie
from web.sessions.join_codes import JoinCodes
from web.sessions.lobby import Guest, Lobby, Reaction, Reactions
from web.sessions.seats import Seats, Visit


class OpenClaim(Struct, frozen=True):
    """A claim that is open, about the lead or about being let in, as one phone sees it."""

    number: Annotated[int, Meta(ge=10, le=99)]
    lead: bool
    seat: Annotated[str | None, Meta(description="Whose phone asks.")]
    mine: bool
    decides: Annotated[bool, Meta(description="Whether this phone may confirm or refuse it.")]


_SET_UP = ("/", "/setup", "/fragment/table", "/fragment/setup")
"""The pages that show the set-up while no game is on."""


class Phones:
    """Knows the phone behind a request."""

    def __init__(
        self,
        table: PageTable,
        access: AccessRecord,
        gestures: Callable[[], int],
        now_s: Callable[[], float],
        secret: str,
        *,
        local_leads: bool,
        demonstration: bool,
    ) -> None:
        """`secret` signs cookies; `local_leads`: a browser on the box leads. In a `demonstration` all phones
        only watch."""
        self.table, self._access = table, access
        self._secret, self._local_leads = secret, local_leads
        self._demonstration, self._cookie_name = demonstration, DEMONSTRATION if demonstration else COOKIE
        self.seats = Seats(gestures, now_s, access, table)
        self.lobby, self._reactions = Lobby(), Reactions(now_s)
        self.codes, self._guesses = JoinCodes(now_s), Purse(GUESSES, GUESSES_PER_S, now_s)
        self._all_guesses = Purse(GUESSES_OF_ALL, GUESSES_OF_ALL_PER_S, now_s)
        self._sessions = Purse(SESSIONS, SESSIONS_PER_S, now_s)
        self.comings = Purse(COMINGS, COMINGS_PER_S, now_s)

    def names(self) -> list[str]:
        """Everybody in the game, in order of the table."""
        game = self.game()
        return [one["name"] for one in (*game["players"], *game["waiting"])] if game else []

    def sitting(self) -> Sitting:
        """Who sits where."""
        return self.table.snapshot().table.sitting

    def here(self) -> Phone:
        """The phone that asks; its cookie is updated to what it is now. All who see a demonstration watch."""
        g.seen, carried = self._known(self._cookie(), request.environ)
        if carried != g.cookie:
            g.cookie, g.cookie_changed = carried, True
        return g.seen  # type: ignore[no-any-return]

    def _known(self, mine: SessionCookie, asked: Mapping[str, str]) -> tuple[Phone, SessionCookie]:
        """The phone with that cookie, and the cookie that it is to carry from now on."""
        if self._demonstration:
            return Phone(mine.phone, led=True, joined=True), mine
        local = self._on_the_box(asked)
        phone = self.seats.phone(Visit(mine, local, local and asked["PATH_INFO"] in _SET_UP))
        return phone, self.seats.cookie(phone, mine)

    def seen(self) -> Phone:
        """The phone that asks, as this request last found it: for what is drawn, which has no one moment."""
        return g.seen if "seen" in g else self.here()

    def view_key(self, asked: Mapping[str, str]) -> Hashable | None:
        """The part of a phone's view that does not come from the table: phones with equal keys see the same.
        None for one that is to be given a cookie, or has a seat: what it knows it shares with nobody."""
        mine = cookie.read(asked.get("HTTP_COOKIE", ""), self._secret, self._cookie_name)
        if mine is None or mine.seat:
            return None
        phone, carried = self._known(mine, asked)
        return (replace(phone, id=""), self.guest(phone)) if carried == mine else None

    def guest(self, phone: Phone | None = None) -> Guest | None:
        """Who this phone sits down as when the next game begins."""
        mine = (phone or self.seen()).id
        return next((guest for guest in self.lobby.guests if guest.phone == mine), None)

    def claim(self) -> OpenClaim | None:
        """The open claim as the phone that asks sees it."""
        phone, claim = self.seen(), self.seats.claim
        if claim is None:
            return None
        mine, seat = claim.phone == phone.id, self.table.snapshot().table.seat_of(claim.phone)
        return OpenClaim(claim.number, claim.lead, seat, mine, may_decide(phone, claim))

    def author(self) -> Author:
        """The phone that asks as the author of a command; raises Refused for one that only watches."""
        g.asked_by = self.here()
        if reason := g.asked_by.refusal:
            raise Refused(403, reason)
        return g.asked_by.author  # type: ignore[no-any-return]

    def must_manage(self) -> None:
        """Raises Refused unless this phone may do everything with the box itself."""
        phone = self.here()
        if not phone.manages:
            raise Refused(403, "let_in" if phone.free else "leader_only")

    def must_be_local(self) -> None:
        """Raises Refused unless this browser runs on the box itself, where its simulated buttons are."""
        g.asked_by = self.here()
        if not g.asked_by.local:
            raise Refused(403, "box_elsewhere")

    def carried_out(self, before: PageView | None = None) -> None:
        """The command or press of the phone that asked is done: where nobody led before, it leads from now
        on. Whoever played `before`, in a game that is put away, sits at the table for the next one."""
        phone: Phone = g.asked_by
        if phone.free and not phone.led:
            self.seats.lead(phone)
            self.here()
        if before and before.data["game"] and not self.game():
            self.lobby.stay(self._guests(before, before.data["game"]))
            self.table.refresh()
        if (self.lobby.guests or self.lobby.bots) and self.playing():
            self.lobby.close()

    def _guests(self, before: PageView, game: GameJson) -> list[Guest]:
        """Those of the game `before` whose phones are here, in the order of the table."""
        phones, people = self.sitting().taken, people_of(before.table.state)
        return [
            Guest(phones[one["name"]], one["name"], one["colour"], one["phone_cup"] and not before.simulated)
            for one in (*game["players"], *game["waiting"])
            if one["name"] in phones and one["name"] in people
        ]

    def playing(self) -> bool:
        """Whether a game is on that is not over."""
        return self.table.snapshot().table.state.goes_on

    def reactions(self) -> tuple[Reaction, ...]:
        """How those at the table take what the dice show now."""
        return self._reactions.of(self._moment())

    def react(self, phone: Phone, feeling: Feeling) -> None:
        """Show on every screen how the player takes it; raises Refused for who only watches."""
        if phone.refusal:
            raise Refused(403, phone.refusal)
        moment = self._moment()
        if moment and self._reactions.add(phone.id, phone.seat or "", feeling, moment):
            self.table.refresh()

    def _moment(self) -> Hashable:
        """The round whose dice are shown, None while none are."""
        game = self.game()
        if game is None or game["phase"] not in ("reveal", "verdict", "over"):
            return None
        return game["id"], game["round"]["number"]

    def cup(self) -> KnownDice:
        """The dice that this phone may know of those rolled in phones."""
        phone, now = self.seen(), self.table.snapshot().table
        return known_dice(now.state, now.ledger, phone.seat, phone.id)

    def allowance(self, method: str, path: str, cookies: str, address: str) -> tuple[int, str]:
        """How large a body may be before anybody has read it, 0 for one as of any request, and the phone that
        it is charged to. Only a phone that was let in sends larger ones, and only pictures. Asked by the
        thread that serves all sockets, it waits for nothing."""
        if (method, path) != ("POST", PATH):
            return 0, ""
        carried = cookie.read(cookies, self._secret, self._cookie_name)
        let_in = carried is not None and carried.admitted == self._access.token
        let_in = let_in or is_loopback(address)  # asked again who it is once the body is there
        whose = carried.phone if carried else network_of(address)
        return (LARGEST_PICTURE_BYTES + MULTIPART_BYTES if let_in else 0), whose

    def must_be_let_in(self, reason: str) -> None:
        """Raises Refused, with that reason, unless this phone was let in."""
        if not self.here().let_in:
            raise Refused(403, reason)

    def join(self, code: str) -> None:
        """Let the phone in that brings a code; raises Refused when it has run out, or after many guesses."""
        address = network()
        needed = GUESSES if self._all_guesses.wait_s("", 1.0) > 0 else 1
        if (wait_s := self._guesses.wait_s(address, needed)) > 0:
            raise Refused(429, "code_locked", n=math.ceil(wait_s / 60))
        if not self.codes.honours(code):
            if not self.codes.shown_lately(code):
                self._guesses.spend(address, 1.0)
                self._all_guesses.spend("", 1.0)
            raise Refused(403, "code_over")
        # each session has budgets of its own: an address gets no number of them
        if not self.here().let_in and (wait_s := self._sessions.take(address)) > 0:
            raise Refused(429, "ask_later", n=math.ceil(wait_s))
        self.seats.join(self._cookie().phone)

    def _on_the_box(self, asked: Mapping[str, str]) -> bool:
        """Whether the browser runs on the box itself, and was not sent on by a server in between."""
        if not (self._local_leads and is_loopback(asked.get("REMOTE_ADDR", ""))):
            return False
        return means_this_machine(asked.get("HTTP_HOST", "")) and not is_forwarded(asked)

    def game(self) -> GameJson | None:
        """The game on the table."""
        return self.table.snapshot().data["game"]

    def _cookie(self) -> SessionCookie:
        if "cookie" not in g:
            found = cookie.read(request.headers.get("Cookie", ""), self._secret, self._cookie_name)
            g.cookie_changed = found is None
            g.cookie = found or SessionCookie(secrets.token_urlsafe(12))
        return g.cookie  # type: ignore[no-any-return]

    def write_changed(self, response: Response) -> Response:
        """The response, with the phone's cookie where that is another now."""
        opened = request.is_secure and request.headers.get("Sec-Fetch-Mode") == "navigate"
        if g.get("cookie_changed") or (
            opened and "cookie" in g
        ):  # one that came by http is Secure from now on
            cookie.write(response, g.cookie, self._secret, self._cookie_name, secure=request.is_secure)
        return response


def network() -> str:
    """Where the phone that asks comes from."""
    return network_of(request.remote_addr or "")
