"""The calls of a player: the closed union `Call`, each in its one form for commands and journals."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.rules.bids import Bid
from companion.rules.fields import Number, Text
from companion.rules.records import Sent

Visibility = Literal["open", "closed", "usual"]
"""Of a palifico round: all but one's own dice are seen, or only players with one die look, or all as ever."""


Way = Literal["clockwise", "counter_clockwise"]

MAX_PUSHED = 10


class ByPlayer(Sent, frozen=True):
    """A call of a player."""

    by: Text


class BidCall(ByPlayer, tag="bid", frozen=True):
    """`by` bids, opening the round or raising the standing bid.

    `pushed`: dice that the bidder sets out in the open with it, to roll the others again.
    """

    bid: Bid
    pushed: Annotated[tuple[Number, ...], Meta(max_length=MAX_PUSHED)] = ()


class Dudo(ByPlayer, tag="dudo", frozen=True):
    """`by` doubts the standing bid.

    At a table that does not enter its bids, `bid` is the one that is doubted; `bidder` is then the player on
    the caller's right unless named.
    """

    bid: Bid | None = None
    bidder: Text | None = None


class Calza(ByPlayer, tag="calza", frozen=True):
    """`by` claims that the standing bid is exact; `bid` and `bidder` as in `Dudo`."""

    bid: Bid | None = None
    bidder: Text | None = None


class Pass(ByPlayer, tag="pass", frozen=True):
    """`by` claims a hand that allows passing, perhaps as a bluff."""


class DudoPass(ByPlayer, tag="dudo_pass", frozen=True):
    """`by` doubts the pass before him; a table that does not enter its bids may name the `passer`."""

    passer: Text | None = None


class ChooseVisibility(ByPlayer, tag="choose_visibility", frozen=True):
    """The starter of a palifico round chooses how it is played, before any bid."""

    visibility: Visibility


class ChooseDirection(ByPlayer, tag="choose_direction", frozen=True):
    """The starter chooses which way round bids go in this round, before any bid."""

    direction: Way


class DeclarePalifico(ByPlayer, tag="declare_palifico", frozen=True):
    """The starter, with a single die, makes this round his palifico, before any bid."""


Challenge = Dudo | Calza | DudoPass
Call = BidCall | Dudo | Calza | Pass | DudoPass | ChooseVisibility | ChooseDirection | DeclarePalifico


def word(call: Call | type[Call]) -> str:
    """The kind of a call, as commands and journals name it."""
    return str(call.__struct_config__.tag)
