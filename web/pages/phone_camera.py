"""Where phones take the pictures: a seated phone shows the cup of its player. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from msgspec import Struct

from companion.reveal.state import WHOLE
from companion.table.wire.state import DieJson, PlaceJson, QuestionJson, RevealJson, StateJson
from web.sessions.access import Phone

PHONES = "phones"
"""The name of a camera that phones are."""


class Cup(Struct, frozen=True):
    """The dice of one player in a reveal: how many there must be, and those that were shown."""

    player: str
    number: int
    dice: list[DieJson]


def cups_of(data: StateJson) -> list[Cup]:
    """The cups in the order of lifting, where phones show them one by one; none while all lie in one
    picture."""
    reveal = data["reveal"]
    if reveal is None or data["box"]["camera"] != PHONES or whole(reveal):
        return []
    read = [die for die in as_read(reveal) if die["counted"]]
    return [Cup(name, n, [die for die in read if die["owner"] == name]) for name, n in reveal["cups"]]


def as_read(reveal: RevealJson) -> list[DieJson]:
    """The dice of a reveal, without what nobody reads beside a cup that is full of certain dice."""
    certain = Counter(die["owner"] for die in reveal["dice"] if die["counted"] and die["certain"])
    full = {name for name, number in reveal["cups"] if certain[name] >= number}
    return [die for die in reveal["dice"] if die["face"] or die["owner"] not in full]


def whole(reveal: RevealJson) -> bool:
    """Whether one picture of a phone counts for everybody."""
    return any(place["place"] == WHOLE for place in reveal["places"])


def missing(data: StateJson) -> list[Cup]:
    """The cups that were not shown whole yet, in the order of lifting."""
    return [cup for cup in cups_of(data) if len(cup.dice) < cup.number]


def may_take(data: StateJson, phone: Phone) -> bool:
    """Whether a phone may take a picture now."""
    reveal = data["reveal"]
    return bool(data["box"]["pictures"] and phone.let_in and reveal and not data["verdict"])


def wanted(data: StateJson, phone: Phone, seated: Collection[str]) -> list[Cup]:
    """The cups that this phone may take pictures of: its player's first, and those of players without a phone
    (`seated` have one). A cup of which something is asked has been shown."""
    reveal = data["reveal"]
    if reveal is None or reveal["settled"] or not may_take(data, phone):
        return []
    asked = own_questions(data, phone, seated)
    left = [cup for cup in missing(data) if not (cup.dice and asked)]
    mine = [cup for cup in left if cup.player == phone.seat or cup.player not in seated]
    return sorted(mine, key=lambda cup: cup.player != phone.seat)


def picture_first(data: StateJson, phone: Phone) -> bool:
    """Whether a picture of everybody's dice is the first thing to do, where no single cups are shown."""
    reveal = data["reveal"]
    if not may_take(data, phone) or reveal is None or data["box"]["camera"] != PHONES:
        return False
    return not reveal["settled"] and not reveal["cups"] and not reveal["questions"]


def picture_next(data: StateJson, phone: Phone) -> PlaceJson | None:
    """Of a roll in which each player shows a die the place to take a picture of: that of the phone's own
    player first."""
    reveal = data["reveal"]
    left = [p for p in (reveal["places"] if reveal else ()) if p["player"] and not p["frames"]]
    return next((place for place in left if place["player"] == phone.seat), left[0] if left else None)


def own_questions(data: StateJson, phone: Phone, seated: Collection[str]) -> list[QuestionJson]:
    """The questions for this phone: those about a cup go to its own player, where that one has a phone."""
    reveal = data["reveal"]
    asked = reveal["questions"] if reveal else []
    others = {cup.player for cup in cups_of(data) if cup.player in seated and cup.player != phone.seat}
    owners = {die["id"]: die["owner"] for die in (reveal["dice"] if reveal else ())}
    return [one for one in asked if (one["player"] or owners.get(one["die"] or "")) not in others]


def pictures_for(data: StateJson, phone: Phone, seated: Collection[str]) -> list[PlaceJson]:
    """The places whose pictures a phone shows large: not the cups of others who have a phone."""
    reveal = data["reveal"]
    shown = [place for place in (reveal["places"] if reveal else ()) if place["picture"]]
    others = {cup.player for cup in cups_of(data) if cup.player in seated and cup.player != phone.seat}
    return [place for place in shown if place["player"] not in others]


def caption(translate: Callable[..., str], place: PlaceJson, number: int) -> str:
    """The caption of a picture: the player, or the phone, or its number."""
    if place["player"] or place["phone"] is None:
        return translate("reveal.picture_of", place=place["player"] or number)
    return translate("reveal.phone_of", name=place["phone"]) if place["phone"] else translate("reveal.phone")
