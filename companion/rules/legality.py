"""Which calls the rules allow: `check` gives the reason key why not, `legal_calls` lists what may be said.

Keys are those of the catalogues under `errors`. Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import get_args

from companion.rules.bids import Bid, Order, least_after_aces, most_dice, order_of, why_not_raise
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
from companion.rules.dice import FACES
from companion.rules.losses import missing
from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player, playing
from companion.rules.position import BIDDING, OVER, Game
from companion.rules.ruleset import Ruleset


def check(call: Call, game: Game) -> str | None:
    """The reason key why `call` may not be made now; None when it may."""
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


def _check_bid(call: BidCall, caller: Player, game: Game) -> str | None:
    bid, now, rules = call.bid, game.round, game.ruleset
    if call.by != now.turn:
        return "not_your_turn"
    malformed = _malformed(bid, game)
    if malformed:
        return malformed
    standing = now.standing
    if standing is None:
        return _why_not_open(bid.face, caller, game) or _why_not_so_few(bid.quantity, game)
    if now.kind is not NORMAL and bid.face != _locked_face(caller, game, standing.bid) != 0:
        return "face_locked"
    return why_not_raise(standing.bid, bid, order_of(rules, game.wild))


def _malformed(bid: Bid, game: Game) -> str | None:
    """The fault of a bid by itself at this table (rows R9, R10), or None."""
    if bid.face not in FACES:
        return "bad_face"
    if bid.quantity < 1:
        return "bad_quantity"
    if game.ruleset.max_quantity == "dice_in_play":
        return "exceeds_dice" if bid.quantity > game.round.dice else None
    return "exceeds_most" if bid.quantity > most_dice(game.original_dice) else None


def _why_not_open(face: int, starter: Player, game: Game) -> str | None:
    """Whether a round may open on this face (rows O2, F6, L3)."""
    rules, kind = game.ruleset, game.round.kind
    if kind is ACES_COUNT:
        return None if face == rules.wild_face else "face_locked"
    if face != rules.wild_face:
        return None
    if kind is PALIFICO:
        return None if rules.palifico_opening_aces else "aces_opening"
    allowed = rules.opening_aces == "allowed" or (rules.opening_aces == "one_die" and starter.dice == 1)
    return None if allowed else "aces_opening"


def _why_not_so_few(quantity: int, game: Game) -> str | None:
    """Whether a round may open on so few dice (row O3)."""
    return "opening_too_few" if quantity < _least_opening(game) else None


def _least_opening(game: Game) -> int:
    """The fewest dice of an opening bid; never more than are in play."""
    return min(game.ruleset.opening_minimum, game.round.dice)


def _locked_face(player: Player, game: Game, standing: Bid) -> int:
    """The one face that `player` may name in a raise, 0 when every face is open (rows F5, L3)."""
    kind = game.round.kind
    if kind is NORMAL:
        return 0
    if kind is ACES_COUNT:
        return game.ruleset.wild_face
    unlock = game.ruleset.palifico_unlock
    free = player.dice == 1 and (
        unlock == "one_die" or (unlock == "other_one_die" and player.name != game.round.starter)
    )
    return 0 if free else standing.face


def _check_dudo(call: Dudo, caller: Player, game: Game) -> str | None:
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


def _check_calza(call: Calza, caller: Player, game: Game) -> str | None:
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
    return None if enough or game.ruleset.calza_limit == "always" else "calza_half"


def _why_not_named(bid: Bid, call: Dudo | Calza, game: Game) -> str | None:
    """The fault of a bid named with a challenge at a table that does not enter bids, or None."""
    malformed = _malformed(bid, game)
    if malformed or call.bidder is None:
        return malformed
    return _why_not_other(call.bidder, game)


def _why_not_other(name: str, game: Game) -> str | None:
    found = [p for p in game.players if p.name == name]
    if not found:
        return "unknown_player"
    return "eliminated" if found[0].out else None


def _bidder(call: Dudo | Calza, game: Game) -> str:
    return call.bidder or game.before(call.by)


def _check_pass(call: Pass, caller: Player, game: Game) -> str | None:
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


def _check_dudo_pass(call: DudoPass, caller: Player, game: Game) -> str | None:
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


def _check_visibility(call: ChooseVisibility, caller: Player, game: Game) -> str | None:
    now = game.round
    possible = game.ruleset.palifico_view == "choice" and now.kind is PALIFICO and not now.bids
    known = call.visibility in get_args(Visibility)
    return None if possible and known and call.by == now.starter else "visibility_not_allowed"


def _check_direction(call: ChooseDirection, caller: Player, game: Game) -> str | None:
    """The starter chooses, before any bid (row S4)."""
    now = game.round
    possible = game.ruleset.direction == "starter_chooses" and not now.bids
    known = call.direction in get_args(Way)
    return None if possible and known and call.by == now.starter else "direction_not_allowed"


def _check_declared(call: DeclarePalifico, caller: Player, game: Game) -> str | None:
    """The starter with one die may say palifico once a game, before any bid (row F11)."""
    rules, now = game.ruleset, game.round
    if rules.palifico != "optional" or rules.lives is not None or rules.starting_dice == 1:
        return "palifico_not_declared"
    if now.bids or now.kind is not NORMAL or call.by != now.starter:
        return "palifico_too_late"
    if caller.dice != 1 or caller.palifico_used:
        return "palifico_needs_one_die"
    enough = rules.palifico_two_players or len(game.inside) > 2
    return None if enough else "palifico_two_left"


_CHECKS: dict[type, Callable[..., str | None]] = {
    BidCall: _check_bid,
    Dudo: _check_dudo,
    Calza: _check_calza,
    Pass: _check_pass,
    DudoPass: _check_dudo_pass,
    ChooseVisibility: _check_visibility,
    ChooseDirection: _check_direction,
    DeclarePalifico: _check_declared,
}


def legal_bids(game: Game) -> tuple[Bid, ...]:
    """Every bid the player on turn may make, lowest quantity first, faces from 1 to 6.

    Where the quantity is unlimited the list ends where every face has been offered at least once, at the
    dice in play, and at `most_dice`; `check` allows more, up to `most_dice`.
    """
    if game.phase is not BIDDING:
        return ()
    now = game.round
    standing = now.standing
    if standing is None:
        return _openings(_opening_faces(game), now.dice, _least_opening(game))
    rules = game.ruleset
    locked = 0 if now.kind is NORMAL else _locked_face(game.player(now.turn), game, standing.bid)
    began = 0 if rules.max_quantity == "dice_in_play" else game.original_dice
    return raises(rules, standing.bid, now.dice, began=began, wild=game.wild, locked=locked)


def raises(
    rules: Ruleset, standing: Bid, dice: int, *, began: int = 0, wild: int, locked: int = 0
) -> tuple[Bid, ...]:
    """Every bid that may follow `standing` with `dice` in play, of those the game `began` with.

    `wild` is the wild face, 0 for none; `locked` is the only face, 0 for all.
    """
    most = dice
    if rules.max_quantity == "unlimited":
        offered = least_after_aces(standing.quantity)
        most = max(dice, min(offered, most_dice(max(began, dice))))
    return _raises(standing.quantity, standing.face, most, locked, order_of(rules, wild))


_OTHERS = {face: tuple(other for other in FACES if other != face) for face in FACES}


def _opening_faces(game: Game) -> tuple[int, ...]:
    wild = game.ruleset.wild_face
    if game.round.kind is ACES_COUNT:
        return (wild,)
    starter = game.player(game.round.turn)
    if _why_not_open(wild, starter, game) is None:
        return FACES
    return _OTHERS[wild]


@lru_cache(maxsize=4096)
def _openings(faces: tuple[int, ...], most: int, least: int = 1) -> tuple[Bid, ...]:
    return tuple(Bid(quantity, face) for quantity in range(least, most + 1) for face in faces)


@lru_cache(maxsize=4096)
def _raises(quantity: int, face: int, most: int, locked: int, order: Order) -> tuple[Bid, ...]:
    """By plain numbers, which are looked up faster than a bid."""
    standing, faces = Bid(quantity, face), (locked,) if locked else FACES
    return tuple(bid for bid in _openings(faces, most) if why_not_raise(standing, bid, order) is None)


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
