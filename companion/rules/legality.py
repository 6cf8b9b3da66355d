"""Which calls the rules allow: `check` gives the reason key why not (rows D1, D10, F9, F11, P1 to P6, S4, Z2
to Z10). Also the call that the table makes once a player's time is over (row T1).

Keys are those of the catalogues under `errors`. Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.bidding import bid_fault, check_bid, legal_bids
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
)
from companion.rules.consequences import missing
from companion.rules.players import NORMAL, PALIFICO, Player
from companion.rules.position import BIDDING, OVER, Game


def check_dudo(call: Dudo, caller: Player, game: Game) -> str | None:
    """Who may doubt (rows D1, D10)."""
    if fault := _why_not_named(call, game):
        return fault
    said = game.doubted_by(call)
    if said is None:
        return "no_bid"
    if call.by != _on_turn(said, call, game):
        if game.ruleset.dudo_by == "on_turn":
            return "not_your_turn"
        if call.by == said.by:
            return "dudo_own_bid"
    return "only_pass_callable" if game.round.open_pass and call.bid is None else None


def check_calza(call: Calza, caller: Player, game: Game) -> str | None:
    rules = game.ruleset
    if rules.calza == "off":
        return "calza_disabled"
    if fault := _why_not_named(call, game):
        return fault
    said = game.doubted_by(call)
    if said is None:
        return "no_bid"
    if rules.calza_limit == "once" and caller.calza_used:
        return "calza_once"
    refused = _why_not_calza_by(call, said, game) or _why_not_calza_now(game, call)
    if not refused and rules.calza_by == "missing_a_die" and not missing(caller, rules):
        return "calza_has_all"
    return refused


def _why_not_calza_by(call: Calza, said: BidCall, game: Game) -> str | None:
    """Who may claim an exact bid (row Z2)."""
    on_turn = call.by == _on_turn(said, call, game)
    if game.ruleset.calza == "current":
        return None if on_turn else "calza_not_current"
    if call.by == said.by:
        return "calza_own_bid"
    return "calza_is_current" if on_turn else None


def _why_not_calza_now(game: Game, call: Calza) -> str | None:
    """When it may be claimed (rows P4, Z3, Z9)."""
    if game.round.open_pass and call.bid is None:
        return "only_pass_callable"
    if game.round.kind is not NORMAL and not game.ruleset.calza_palifico:
        return "calza_palifico"
    if game.ruleset.calza_limit == "three_left" and len(game.inside) < 3:
        return "calza_two_left"
    if game.ruleset.calza_limit != "more_than_half":
        return None
    began = len(game.players) if game.ruleset.gains_dice else game.original_dice
    return None if 2 * game.round.dice > began else "calza_half"


def _why_not_named(call: Dudo | Calza, game: Game) -> str | None:
    """The fault of a bid named with a challenge at a table that does not enter bids, or None."""
    if call.bid is None:
        return None
    fault = bid_fault(call.bid, game)
    return fault if fault or call.bidder is None else _why_not_other(call.bidder, game)


def _why_not_other(name: str, game: Game) -> str | None:
    found = [p for p in game.players if p.name == name]
    if not found:
        return "unknown_player"
    return "eliminated" if found[0].out else None


def _on_turn(said: BidCall, call: Dudo | Calza, game: Game) -> str:
    """Who is on turn when the bid is challenged."""
    return game.round.turn if call.bid is None else game.after(said.by)


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


def check_visibility(call: ChooseVisibility, caller: Player, game: Game) -> str | None:
    allowed = _may_choose(game) and call.by == game.round.starter
    return None if allowed else "visibility_not_allowed"


def choice_is_due(game: Game) -> bool:
    """Whether the starter of a palifico has still to choose how it is looked at. The rules alone let a bid
    stand without it: a table that enters its bids does not."""
    return _may_choose(game) and game.round.visibility is None


def _may_choose(game: Game) -> bool:
    now = game.round
    return game.ruleset.palifico_view == "choice" and now.kind is PALIFICO and not now.bids


def check_direction(call: ChooseDirection, caller: Player, game: Game) -> str | None:
    """The starter chooses, before any bid (row S4)."""
    now = game.round
    way = game.ruleset.direction
    possible = way == "starter_chooses" or (way == "first_starter_chooses" and now.number == 1)
    return None if possible and not now.bids and call.by == now.starter else "direction_not_allowed"


def check_declared(call: DeclarePalifico, caller: Player, game: Game) -> str | None:
    """The starter with one die may say palifico once a game, before any bid (row F11)."""
    rules, now = game.ruleset, game.round
    if rules.palifico != "optional" or not rules.loses_dice or rules.starting_dice == 1:
        return "palifico_not_declared"
    if now.bids or now.kind is not NORMAL or call.by != now.starter:
        return "palifico_too_late"
    if caller.dice != 1 or caller.palifico_used:
        return "palifico_needs_one_die"
    enough = rules.palifico_two_players or len(game.inside) > 2
    return None if enough else "palifico_two_left"


def check(call: Call, game: Game) -> str | None:
    """The reason key why `call` may not be made now; None when it may.

    >>> from companion.rules.bids import Bid
    >>> from companion.rules.events import Started
    >>> from companion.rules.game import start
    >>> from companion.rules.presets import CLASSIC
    >>> game = start(Started(CLASSIC, (("Ana", "red"), ("Ben", "blue")), "Ana"))
    >>> check(BidCall("Ben", Bid(3, 5)), game)
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


def sees(game: Game) -> dict[str, tuple[str, ...]]:
    """Whose dice each player may look at before the reveal (row F9)."""
    inside = game.inside
    chosen = game.round.visibility
    if chosen == "open":
        return {p.name: tuple(o.name for o in inside if o is not p) for p in inside}
    blind = chosen == "closed"
    return {p.name: () if blind and p.dice > 1 else (p.name,) for p in inside}


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
        return BidCall(turn, bids[0])
    return doubt
