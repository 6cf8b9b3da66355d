"""Which challenges and passes the rules allow: the reason why not (rows D1, D10, Z2 to Z10, P1 to P6)."""

from __future__ import annotations

from companion.rules.bidding import bid_fault
from companion.rules.bids import Bid
from companion.rules.calls import Calza, Dudo, DudoPass, Pass
from companion.rules.losses import missing
from companion.rules.players import NORMAL, Player
from companion.rules.position import Game


def check_dudo(call: Dudo, caller: Player, game: Game) -> str | None:
    """Who may doubt (rows D1, D10)."""
    if call.bid is not None:
        return _why_not_named(call.bid, call, game) or _why_not_dudo_by(
            call.by, _bidder(call, game), game.after(_bidder(call, game)), game
        )
    now = game.round
    standing = now.standing
    if standing is None:
        return "no_bid"
    refused = None if call.by == now.turn else _why_not_dudo_by(call.by, standing.by, now.turn, game)
    return refused or ("only_pass_callable" if now.open_pass else None)


def _why_not_dudo_by(by: str, bidder: str, turn: str, game: Game) -> str | None:
    if by == turn:
        return None
    if game.ruleset.dudo_by == "on_turn":
        return "not_your_turn"
    return "dudo_own_bid" if by == bidder else None


def check_calza(call: Calza, caller: Player, game: Game) -> str | None:
    rules = game.ruleset
    if rules.calza == "off":
        return "calza_disabled"
    if call.bid is not None:
        named = _why_not_named(call.bid, call, game)
        if named:
            return named
        bidder = _bidder(call, game)
        turn = game.after(bidder)
    else:
        standing = game.round.standing
        if standing is None:
            return "no_bid"
        bidder, turn = standing.by, game.round.turn
    if rules.calza_limit == "once" and caller.calza_used:
        return "calza_once"
    refused = _why_not_calza_by(call.by, bidder, turn, game) or _why_not_calza_now(game, call)
    if not refused and rules.calza_by == "missing_a_die" and not missing(caller, rules):
        return "calza_has_all"
    return refused


def _why_not_calza_by(by: str, bidder: str, turn: str, game: Game) -> str | None:
    """Who may claim an exact bid (row Z2)."""
    if game.ruleset.calza == "current":
        return None if by == turn else "calza_not_current"
    if by == bidder:
        return "calza_own_bid"
    return "calza_is_current" if by == turn else None


def _why_not_calza_now(game: Game, call: Calza) -> str | None:
    """When it may be claimed (rows P4, Z3, Z9)."""
    if game.round.open_pass and call.bid is None:
        return "only_pass_callable"
    if game.round.kind is not NORMAL and not game.ruleset.calza_palifico:
        return "calza_palifico"
    enough = 2 * game.round.dice > game.original_dice
    return "calza_half" if game.ruleset.calza_limit == "more_than_half" and not enough else None


def _why_not_named(bid: Bid, call: Dudo | Calza, game: Game) -> str | None:
    """The fault of a bid named with a challenge at a table that does not enter bids, or None."""
    fault = bid_fault(bid, game)
    if fault or call.bidder is None:
        return fault
    return _why_not_other(call.bidder, game)


def _why_not_other(name: str, game: Game) -> str | None:
    found = [p for p in game.players if p.name == name]
    if not found:
        return "unknown_player"
    return "eliminated" if found[0].out else None


def _bidder(call: Dudo | Calza, game: Game) -> str:
    return call.bidder or game.before(call.by)


def check_pass(call: Pass, caller: Player, game: Game) -> str | None:
    if not game.ruleset.passing:
        return "pass_disabled"
    said = game.round.bids
    if call.by != game.round.turn:
        return "not_your_turn"
    if not said:
        return "pass_opening"
    if isinstance(said[-1], Pass):
        return "pass_after_pass"
    if call in said:
        return "pass_twice"
    return "pass_needs_five_dice" if caller.dice < game.ruleset.pass_dice else None


def check_dudo_pass(call: DudoPass, caller: Player, game: Game) -> str | None:
    if call.passer is not None and not game.round.bids:
        return _why_not_named_pass(call.passer, call, game)
    if call.by != game.round.turn:
        return "not_your_turn"
    return None if game.round.open_pass else "no_pass"


def _why_not_named_pass(passer: str, call: DudoPass, game: Game) -> str | None:
    """A called pass at a table that does not enter its bids."""
    if not game.ruleset.passing:
        return "pass_disabled"
    other = _why_not_other(passer, game)
    if other:
        return other
    if passer != game.before(call.by):
        return "not_your_turn"
    return "pass_needs_five_dice" if game.player(passer).dice < game.ruleset.pass_dice else None
