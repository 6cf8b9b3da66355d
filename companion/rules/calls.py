"""The calls of a player: the closed union `Call`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.rules.bids import Bid

Visibility = Literal["open", "closed", "usual"]
"""Of a palifico round: all but one's own dice are seen, or only players with one die look, or all as ever."""


Way = Literal["clockwise", "counter_clockwise"]


@dataclass(frozen=True, slots=True)
class BidCall:
    """`by` bids, opening the round or raising the standing bid.

    `pushed`: dice that the bidder sets out in the open with it, to roll the others again.
    """

    by: str
    bid: Bid
    pushed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dudo:
    """`by` doubts the standing bid.

    At a table that does not enter its bids, `bid` is the one that is doubted; `bidder` is then the player on
    the caller's right unless named.
    """

    by: str
    bid: Bid | None = None
    bidder: str | None = None


@dataclass(frozen=True, slots=True)
class Calza:
    """`by` claims that the standing bid is exact; `bid` and `bidder` as in `Dudo`."""

    by: str
    bid: Bid | None = None
    bidder: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """`by` claims a hand that allows passing, perhaps as a bluff."""

    by: str


@dataclass(frozen=True, slots=True)
class DudoPass:
    """`by` doubts the pass before him; a table that does not enter its bids may name the `passer`."""

    by: str
    passer: str | None = None


@dataclass(frozen=True, slots=True)
class ChooseVisibility:
    """The starter of a palifico round chooses how it is played, before any bid."""

    by: str
    visibility: Visibility


@dataclass(frozen=True, slots=True)
class ChooseDirection:
    """The starter chooses which way round bids go in this round, before any bid."""

    by: str
    direction: Way


@dataclass(frozen=True, slots=True)
class DeclarePalifico:
    """The starter, with a single die, makes this round his palifico, before any bid."""

    by: str


Challenge = Dudo | Calza | DudoPass
Call = BidCall | Dudo | Calza | Pass | DudoPass | ChooseVisibility | ChooseDirection | DeclarePalifico
