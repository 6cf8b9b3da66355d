"""Which calls the rules allow: `check` gives the reason key why not, `legal_calls` lists what may be said.

Keys are those of the catalogues under `errors`. Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from companion.rules.bidding import check_bid, legal_bids
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
from companion.rules.challenges import check_calza, check_dudo, check_dudo_pass, check_pass
from companion.rules.players import playing
from companion.rules.position import BIDDING, OVER, Game
from companion.rules.starting import check_declared, check_direction, check_visibility

__all__ = ["check", "legal_bids", "legal_calls", "sees"]


def check(call: Call, game: Game) -> str | None:
    """The reason key why `call` may not be made now; None when it may.

    >>> from companion.rules.bids import Bid
    >>> from companion.rules.game import new_game
    >>> from companion.rules.presets import CLASSIC
    >>> check(BidCall("Ben", Bid(3, 5)), new_game(CLASSIC, ["Ana", "Ben"], starter="Ana"))
    'not_your_turn'
    """
    for caller in game.players:
        if caller.name == call.by:
            break
    else:
        return "unknown_player"
    if game.phase is not BIDDING:
        return "game_over" if game.phase is OVER else "wrong_phase"
    if caller.out:
        return "eliminated"
    return _CHECKS[type(call)](call, caller, game)


_CHECKS: dict[type, Callable[..., str | None]] = {
    BidCall: check_bid,
    Dudo: check_dudo,
    Calza: check_calza,
    Pass: check_pass,
    DudoPass: check_dudo_pass,
    ChooseVisibility: check_visibility,
    ChooseDirection: check_direction,
    DeclarePalifico: check_declared,
}


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


def sees(game: Game) -> dict[str, tuple[str, ...]]:
    """Whose dice each player may look at before the reveal (row F9)."""
    inside = playing(game.players)
    chosen = game.round.visibility
    if chosen == "open":
        return {p.name: tuple(o.name for o in inside if o is not p) for p in inside}
    blind = chosen == "closed"
    return {p.name: () if blind and p.dice > 1 else (p.name,) for p in inside}
