"""Counts of bidding sequences, to hold the rules of raising against numbers worked out on paper.

The name and the idea are those of chess programmers ("performance test, move path enumeration").
"""

from __future__ import annotations

from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.events import Called
from companion.rules.game import Game, apply
from companion.rules.legality import legal_bids

_Memo = dict[tuple[int, Bid | None, str, int], int]


def perft(game: Game, depth: int) -> int:
    """How many sequences of `depth` bids may follow."""
    return _sequences(game, depth, {})


def _sequences(game: Game, depth: int, memo: _Memo) -> int:
    """Earlier bids leave nothing but the wild face, so equal standing bids share their count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(legal_bids(game))
    standing = game.round.standing
    key = depth, standing.bid if standing else None, game.round.turn, game.wild
    if key not in memo:
        memo[key] = sum(_sequences(after, depth - 1, memo) for after in _after_bids(game))
    return memo[key]


def bidding_rounds(game: Game) -> int:
    """How many whole rounds "bids, then dudo" may follow."""
    return _rounds(game, {})


def _rounds(game: Game, memo: _Memo) -> int:
    standing = game.round.standing
    key = 0, standing.bid if standing else None, game.round.turn, game.wild
    if key not in memo:
        memo[key] = sum(_rounds(after, memo) for after in _after_bids(game)) + (standing is not None)
    return memo[key]


def _after_bids(game: Game) -> list[Game]:
    turn = game.round.turn
    return [apply(game, Called(BidCall(turn, bid))) for bid in legal_bids(game)]
