"""Where a phone takes pictures of the dice: which buttons for it a screen has. Pure."""

from __future__ import annotations

from collections.abc import Callable

from companion.table.wire.reveal import PlaceJson, RevealJson
from companion.table.wire.state import StateJson
from web.pages.screens import waiting_for
from web.sessions.access import Phone

PHONES = "phones"
"""The name of a camera that phones are."""


def taken(reveal: RevealJson) -> bool:
    """Whether a phone has taken a picture of this reveal."""
    return any(place["phone"] is not None for place in reveal["places"])


def may_take(data: StateJson, phone: Phone) -> bool:
    """Whether a phone may take a picture now."""
    reveal = data["reveal"]
    return bool(data["box"]["pictures"] and phone.let_in and reveal and not data["verdict"])


def picture_first(data: StateJson, phone: Phone) -> bool:
    """Whether a picture is the first thing to do: the box has no camera, and waits for nothing else."""
    reveal = data["reveal"]
    if not may_take(data, phone) or reveal is None or data["box"]["camera"] != PHONES:
        return False
    return not reveal["settled"] and waiting_for(data) == "looking"


def picture_next(data: StateJson, phone: Phone) -> PlaceJson | None:
    """Of a reveal in which each player shows the own dice the place to take a picture of: that of the phone's
    own player first."""
    reveal = data["reveal"]
    left = [p for p in (reveal["places"] if reveal else ()) if p["player"] and not p["frames"]]
    return next((place for place in left if place["player"] == phone.seat), left[0] if left else None)


def caption(translate: Callable[..., str], place: PlaceJson, number: int) -> str:
    """The caption of a picture: the player, or the phone, or its number."""
    if place["player"] or place["phone"] is None:
        return translate("reveal.picture_of", place=place["player"] or number)
    return translate("reveal.phone_of", name=place["phone"]) if place["phone"] else translate("reveal.phone")
