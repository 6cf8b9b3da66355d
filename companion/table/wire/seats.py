"""JSON types of seats, late-comers and announcements."""

from typing import Annotated, TypedDict

from msgspec import Meta

from companion.rules.fields import Amount
from companion.table.authors import By
from companion.table.ledger import Kind
from companion.table.wire.bid import BareBidJson


class WaitingJson(TypedDict):
    """Who came late and sits down with the next round, to the left of `after`, or last where it is ""."""

    name: str
    colour: str
    after: str
    phone_cup: bool
    bot: Annotated[str | None, Meta(description="How well the box plays for this seat; null for a person.")]


class SeatRollJson(TypedDict):
    """What came of the roll for seats or starter, until somebody bids."""

    rolls: Annotated[list[dict[str, int]], Meta(description="Face by player, for every roll.")]
    before: Annotated[list[str], Meta(description="How all sat before the roll, clockwise.")]
    seats: list[str]
    starter: str


class StepJson(TypedDict):
    """A step of a person: its kind, and whose it was or about whom, "" for nobody's."""

    kind: str
    player: str
    bid: BareBidJson | None


class NoteJson(TypedDict):
    """A note of `round` to all phones: who changed what all had shown. `name` is whose phone did it, `player`
    whom it is about, `step` what was undone or done by the clock, `to` the new name; each may be ""."""

    kind: Kind
    round: int
    by: By
    name: str
    step: StepJson | None
    player: str
    to: str
    count: Amount


class AnnouncementJson(NoteJson):
    """The last note, with the version of the table at that moment."""

    number: Amount
