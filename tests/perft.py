"""Everything that may be said, and counts of bidding sequences to hold against numbers worked out on paper.

The name and the idea are those of chess programmers ("performance test, move path enumeration").
"""

from typing import get_args

from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
    Visibility,
    Way,
)
from companion.rules.events import Called
from companion.rules.game import apply
from companion.rules.legality import check
from companion.rules.players import playing
from companion.rules.position import BIDDING, Game

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


def legal_calls(game: Game) -> tuple[Call, ...]:
    """Everything that anybody may say now, bids first; empty when no call is awaited."""
    if game.phase is not BIDDING:
        return ()
    turn = game.round.turn
    bids: tuple[Call, ...] = tuple(BidCall(turn, bid) for bid in legal_bids(game))
    return bids + tuple(call for call in _other_calls(game) if check(call, game) is None)


def _other_calls(game: Game) -> tuple[Call, ...]:
    turn = game.round.turn
    on_turn = (Dudo(turn), Pass(turn), DudoPass(turn))
    inside = playing(game.players)
    dudos = tuple(Dudo(p.name) for p in inside if p.name != turn and game.ruleset.dudo_by == "anybody")
    calzas = tuple(Calza(p.name) for p in inside)
    starter = game.round.starter
    choices = tuple(ChooseVisibility(starter, view) for view in get_args(Visibility))
    ways = tuple(ChooseDirection(starter, way) for way in get_args(Way))
    return (*on_turn, *dudos, *calzas, *choices, *ways, DeclarePalifico(starter))
