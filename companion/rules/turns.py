"""The time a player has to decide, and the call the table makes for a player once it is over (row T1)."""

from __future__ import annotations

from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Dudo, DudoPass
from companion.rules.legality import check
from companion.rules.position import BIDDING, Game

OPENING_FACTOR = 2
"""Whoever opens a round has so many times the seconds: the dice are rolled first."""


def seconds_to_decide(game: Game) -> int:
    """How many seconds the player on turn has, 0 where no clock runs."""
    if game.phase is not BIDDING:
        return 0
    seconds = game.ruleset.turn_seconds
    return seconds if game.round.bids else OPENING_FACTOR * seconds


def call_when_time_is_up(game: Game) -> Call | None:
    """The call of the player on turn whose time is over; None where the clock only shows it.

    A doubt where that is the rule and there is something to doubt, else the least bid; a doubt where no bid
    is left.
    """
    rules = game.ruleset
    if not seconds_to_decide(game) or rules.turn_over == "nothing":
        return None
    turn = game.round.turn
    doubt = DudoPass(turn) if game.round.open_pass else Dudo(turn)
    bids = legal_bids(game)
    if bids and (rules.turn_over == "least_bid" or check(doubt, game) is not None):
        return BidCall(turn, min(bids, key=_height))
    return doubt


def _height(bid: Bid) -> tuple[int, bool, int]:
    return bid.quantity, bid.zhai, bid.face
