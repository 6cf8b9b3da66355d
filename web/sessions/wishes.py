"""What a phone asks for: to be let in, to sit down before a game or late, to lead. With its routes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from itertools import count
from typing import Annotated, TypedDict

from flask import Blueprint, request
from msgspec import Meta
from msgspec.structs import replace

from companion.errors import BadCommand
from companion.json_types import members
from companion.names import check_name, same_person
from companion.table.commands import Join, Rename
from companion.table.wire.game import GameJson
from web.i18n import translator
from web.payloads import ComeRequest, PhoneRequest, sent
from web.problems import Refused
from web.sessions.access import Phone, Role
from web.sessions.claims import Asked
from web.sessions.lobby import Guest
from web.sessions.phones import OpenClaim, Phones, network

_REFUSED = {"seat_taken": 409, "no_such_seat": 404, "no_such_claim": 404}
_ASKED = {"claim_open": 403, "another_asks": 409, "ask_later": 429}


class PhoneJson(TypedDict):
    """What this phone is at the table."""

    role: Role
    seat: Annotated[str | None, Meta(description="Whose phone it is.")]
    joined: Annotated[bool, Meta(description="Whether it may take a seat.")]
    let_in: Annotated[bool, Meta(description="Whether somebody at the table let it in.")]
    leads: bool
    led: Annotated[bool, Meta(description="Whether any phone leads.")]
    claim: OpenClaim | None


def blueprint(phones: Phones) -> Blueprint:
    """The routes by which a phone learns what it is, is let in, and takes a seat or the lead."""
    routes = Blueprint("phones", __name__)

    @routes.get("/api/v1/phone")
    def known() -> PhoneJson:
        return _known(phones)

    @routes.post("/api/v1/phone")
    def phone() -> PhoneJson:
        wish = sent(PhoneRequest, "bad_phone")
        if isinstance(wish.join, str):
            phones.join(wish.join)
        else:
            _grant(phones, phones.here(), wish)
        return _known(phones)

    return routes


def _known(phones: Phones) -> PhoneJson:
    phone = phones.here()
    return members(PhoneJson, phone, joined=phone.may_sit, claim=phones.claim())


def _grant(phones: Phones, phone: Phone, wish: PhoneRequest) -> None:
    """Do the one thing that a phone asks for; raises Refused. A claim is refused until it is confirmed."""
    seats = phones.seats
    match wish:
        case PhoneRequest(join=True):
            _unless_claimed(None if phone.let_in else seats.ask(phone, network()))
        case PhoneRequest(lead=True):
            _unless_claimed(seats.lead(phone, network()))
        case PhoneRequest(lead=False):
            seats.give_up_lead(phone.id)
        case PhoneRequest(confirm=int(number)):
            _unless(seats.decide(phone, number, grant=True))
        case PhoneRequest(refuse=int(number)):
            _unless(seats.decide(phone, number, grant=False))
        case PhoneRequest(withdraw=True):
            seats.withdraw(phone.id)
        case PhoneRequest(react="laugh" | "clap" | "gasp" as feeling):
            phones.react(phone, feeling)
        case PhoneRequest(free=str(name)):
            _unless(seats.free(phone, name))
        case PhoneRequest(anew=True):
            _unless(seats.anew(phone))
            phones.codes.renew()  # nobody has seen the next one yet
        case PhoneRequest(bots=list(names)):
            _unless(None if phone.role is Role.HOST else "leader_only")
            _seat_bots(phones, tuple(names))
        case PhoneRequest(come=ComeRequest() as come):
            _come(phones, phone, come)
        case PhoneRequest(come=None):
            if phones.lobby.leave(phone.id):
                seats.sit(phone, None)
                phones.table.refresh()
        case PhoneRequest(seat=str() | None as seat):
            _unless(seats.sit(phone, seat))


def _unless(reason: str | None) -> None:
    if reason:
        raise Refused(_REFUSED.get(reason, 403), reason)


def _unless_claimed(asked: Asked | None) -> None:
    if asked:
        raise Refused(_ASKED[asked.reason], asked.reason, number=asked.number, n=asked.wait_s)


def _seat_bots(phones: Phones, names: tuple[str, ...]) -> None:
    """Show in the lobby which bots will play."""
    if names != phones.lobby.bots and not phones.playing():
        phones.lobby.bots = names
        phones.table.refresh()


def _come(phones: Phones, phone: Phone, come: ComeRequest) -> None:
    """Sit down, before a game or late; raises Refused."""
    if not phone.may_sit:
        raise Refused(403, "join_first")
    if phone.seat:
        raise Refused(409, "has_seat")
    game = phones.game()
    back = returning(game, phones.sitting().sat_for(phone.id)) if game else None
    names = phones.names() or [guest.name for guest in phones.lobby.guests if guest.phone != phone.id]
    said = _wanted(come, names, lambda n: translator(request)("setup.player", n=n))
    if not phones.playing():  # the next game may have other people
        if reason := phones.lobby.sit(Guest(phone.id, said.player, said.colour, come.phone_cup)):
            raise BadCommand(reason)
        phones.table.refresh()
    if game is None:
        phones.seats.come(phone, said.player)
    else:
        said = replace(said, phone_cup=come.phone_cup or phones.table.snapshot().simulated)
        _join(phones, phone, said, back, said.player if come.name.strip() else back)


def _join(phones: Phones, phone: Phone, said: Join, back: str | None, called: str | None) -> None:
    """Have the phone's owner join, or come `back` and be `called` otherwise from now on."""
    name = back or said.player
    if (wait_s := phones.comings.wait_s(phone.id, 1)) > 0:
        raise Refused(429, "ask_later", n=math.ceil(wait_s))
    if back and called:
        check_name(called, {one for one in phones.names() if one != back})
    author = replace(phone.author, seat=name)
    phones.table.do(replace(said, player=name), None, author)
    phones.comings.spend(phone.id, 1)
    name = same_person(name, phones.names()) or name
    phones.seats.come(phone, name)
    if back and called and called != name:
        phones.table.do(Rename(name, called), None, replace(author, seat=name))


def _wanted(sent: ComeRequest, names: Collection[str], called: Callable[[int], str]) -> Join:
    """What a phone asks for that sits down; raises BadCommand. A name is optional: without one the
    phone is `called` by a number, the first that is free."""
    name = sent.name
    if not name.strip():
        numbered = (called(number) for number in count(len(names) + 1))
        name = next(one for one in numbered if same_person(one, names) is None)
    return Join(name, sent.colour, sent.after, sent.phone_cup)


def returning(game: GameJson, sat_for: Sequence[str]) -> str | None:
    """The player as whom a phone comes back that was the phone of these in this game; None for a newcomer.

    Raises Refused while that player is in the game, BadCommand once he is out.
    """
    if game["phase"] == "over":
        return None
    waiting = {one["name"] for one in game["waiting"]}
    stayed = [player for player in game["players"] if player["name"] in sat_for and not player["left"]]
    if inside := [player["name"] for player in stayed if not player["out"]] or list(waiting & {*sat_for}):
        raise Refused(409, "own_seat", seat=inside[0])
    if stayed:
        raise BadCommand("out_of_game", player=stayed[0]["name"])
    return sat_for[-1] if sat_for else None
