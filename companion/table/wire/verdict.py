"""A verdict as everybody may see it, in JSON."""

from typing import Annotated, TypedDict

from msgspec import Meta

from companion.rules.fields import Amount, CallWord, Face, Ordinal
from companion.rules.players import RoundKind
from companion.table.wire.bid import BareBidJson


class CalledBidJson(BareBidJson):
    """The bid that a challenge is about."""

    by: str | None


class CalledJson(TypedDict):
    """A challenge: who called what, on whose bid (or pass, then without a bid)."""

    call: CallWord
    by: str
    bid: CalledBidJson | None
    bidder: str | None


class OutcomeJson(TypedDict):
    """The result, the consequence, and the sentence for both in every language."""

    sentences: Annotated[dict[str, str], Meta(description="The verdict in words, by language.")]
    by_clock: Annotated[bool, Meta(description="The clock called: the caller's time was up.")]
    stands: Annotated[bool, Meta(description="What was doubted or claimed turned out true.")]
    exact: bool
    count_lo: Amount
    count_hi: Amount
    quantity: Ordinal | None
    face: Face | None
    naturals: Amount | None
    aces: Amount | None
    loser: str | None
    losers: list[str]
    gainer: str | None
    dice_change: dict[str, int]
    lives_change: dict[str, int]
    marks_change: dict[str, int]
    eliminated: list[str]
    pass_justified: bool | None
    next_starter: str | None
    next_round_kind: RoundKind | None
    winner: str | None


class VerdictJson(OutcomeJson, CalledJson):
    """The verdict that lies on the table; `pictures` are the ids of the evidence."""

    pictures: list[str]
