"""The phone's own routes: what it is at the table, how it is let in, takes a seat or the lead."""

from __future__ import annotations

from typing import Annotated, TypedDict

from flask import Blueprint, Response, jsonify
from msgspec import Meta

from web.payloads import ComeRequest, PhoneRequest, wish_sent
from web.sessions.access import Role
from web.sessions.phones import Phones, ShownClaim


def blueprint(phones: Phones) -> Blueprint:
    """The routes by which a phone learns what it is, is let in, and takes a seat or the lead."""
    routes = Blueprint("phones", __name__)

    @routes.get("/api/v1/phone")
    def known() -> Response:
        return _answer(phones)

    @routes.post("/api/v1/phone")
    def phone() -> Response:
        _wish(phones, wish_sent())
        return _answer(phones)

    return routes


def _wish(phones: Phones, sent: PhoneRequest) -> None:
    """Do the one thing that a phone asks for; raises Refused."""
    match sent:
        case PhoneRequest(join=True):
            phones.ask()
        case PhoneRequest(join=str(code)):
            phones.join(code)
        case PhoneRequest(anew=True):
            phones.anew()
        case PhoneRequest(withdraw=True):
            phones.withdraw()
        case PhoneRequest(free=str(name)):
            phones.free(name)
        case PhoneRequest(lead=bool(wanted)):
            phones.lead(wanted)
        case PhoneRequest(confirm=int(number)):
            phones.confirm(number)
        case PhoneRequest(refuse=int(number)):
            phones.refuse(number)
        case PhoneRequest(come=ComeRequest() | None as come):
            phones.come(come)
        case PhoneRequest(bots=list(names)):
            phones.seat_bots(tuple(names))
        case PhoneRequest(seat=str() | None as seat):
            phones.sit(seat)


class OpenClaimJson(TypedDict):
    """A claim that is open: about the lead, or about being let in."""

    number: Annotated[int, Meta(ge=10, le=99)]
    lead: bool
    seat: Annotated[str | None, Meta(description="Whose phone asks.")]
    mine: bool


class PhoneJson(TypedDict):
    """What this phone is at the table."""

    role: Role
    seat: Annotated[str | None, Meta(description="Whose phone it is.")]
    joined: Annotated[bool, Meta(description="Whether it may take a seat.")]
    let_in: Annotated[bool, Meta(description="Whether somebody at the table let it in.")]
    leads: bool
    led: Annotated[bool, Meta(description="Whether any phone leads.")]
    claim: OpenClaimJson | None


def _shown(claim: ShownClaim) -> OpenClaimJson:
    return {"number": claim.number, "lead": claim.lead, "seat": claim.seat, "mine": claim.mine}


def _answer(phones: Phones) -> Response:
    """The phone that asks as data; `role` is what it is at the table."""
    phone, claim = phones.here(), phones.claim()
    shown: PhoneJson = {
        "role": phone.role,
        "seat": phone.seat,
        "joined": phone.may_sit,
        "let_in": phone.let_in,
        "leads": phone.leads,
        "led": phone.led,
        "claim": _shown(claim) if claim else None,
    }
    response = jsonify(shown)
    response.headers["Cache-Control"] = "no-store"
    return response
