"""Advice for a person: what each call wins, how often the strong level makes it, the best one and why.

What a call wins is exact: by the own dice, all others taken for fair, hands that count more included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from msgspec import Struct

from companion.bots.beliefs import justified
from companion.bots.deciding import challenge, mixed
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass
from companion.rules.legality import check
from companion.rules.position import Game

SURE, BLUFF = Fraction(3, 5), Fraction(7, 20)
"""Raises that are likelier than the first are sound, those less likely than the second are bluffs."""


class Advised(Struct, frozen=True):
    """A call: the chance that it is right, and how often the strong level makes it."""

    call: Call
    wins: Fraction
    share: float


class Advice(Struct, frozen=True):
    """The chances of the standing bid, None before one, and every call worth naming, that wins most first.

    `best` is the call to make, None off turn; `why` the key of a sentence under `odds.why`.
    """

    holds: Fraction | None
    exact: Fraction | None
    calls: tuple[Advised, ...]
    best: Advised | None = None
    why: str = ""


class Coaching(Struct, frozen=True):
    """The odds of a round for one seat, and advice where its dice are known whole."""

    odds: Odds
    advice: Advice | None = None


def advise(view: SeatView, rng: Random) -> Advice:
    """What the seat of `view` may do now, with its chances."""
    odds, standing = Odds(view), view.game.round.standing
    played = mixed(view, rng)
    raises = [call for call in played if isinstance(call, BidCall)]
    usual = max(raises, key=lambda call: played[call], default=None)
    best = _best(view, played, usual)
    named = dict.fromkeys([*_challenges(view), *_raises(view, odds, usual)])
    calls = [Advised(call, _wins(view, call, odds), played.get(call, 0.0)) for call in named]
    calls.sort(key=lambda one: (-one.wins, -one.share))
    chosen = next((one for one in calls if one.call == best), None)
    why = _why(chosen) if chosen else ""
    if standing is None:
        return Advice(None, None, tuple(calls), chosen, why)
    return Advice(odds.holds(standing.bid), odds.exact(standing.bid), tuple(calls), chosen, why)


def best_raise(game: Game, odds: Odds) -> Bid | None:
    """The raise likeliest to hold, of equals the highest; None where none is left."""
    return max(legal_bids(game), key=lambda b: (odds.chance(b), b.quantity, b.face), default=None)


def _best(view: SeatView, played: Mapping[Call, float], usual: BidCall | None) -> Call | None:
    """A challenge where the strong level makes it in half of all cases or more, else its usual raise."""
    challenges = [call for call in played if not isinstance(call, BidCall)]
    doubts = max(challenges, key=lambda call: played[call], default=None)
    if doubts and (played[doubts] >= 0.5 or not usual):
        return doubts
    return usual or challenge(view)


def _challenges(view: SeatView) -> Sequence[Call]:
    calls: tuple[Call, ...] = (Dudo(view.seat), Calza(view.seat), DudoPass(view.seat))
    return [call for call in calls if check(call, view.game) is None]


def _raises(view: SeatView, odds: Odds, usual: BidCall | None) -> Sequence[Call]:
    """The likeliest raise, and the one that the strong level makes most often."""
    if view.game.round.turn != view.seat:
        return []
    likeliest = best_raise(view.game, odds)
    if likeliest is None or (usual and odds.holds(usual.bid) == odds.holds(likeliest)):
        return [usual] if usual else []
    return [BidCall(view.seat, likeliest), *([usual] if usual else [])]


def _wins(view: SeatView, call: Call, odds: Odds) -> Fraction:
    """The chance that a call is right: a raise when it is doubted at once."""
    standing = view.game.round.standing
    match call:
        case BidCall(bid=bid):
            return odds.holds(bid)
        case DudoPass():
            passer = view.game.round.open_pass or ""
            return 1 - Fraction(justified(view, passer)).limit_denominator(10**6)
        case Dudo() if standing:
            return 1 - odds.holds(standing.bid)
        case Calza() if standing:
            return odds.exact(standing.bid)
    return Fraction(0)


def _why(best: Advised) -> str:
    """The reason for a call, as a key."""
    match best.call:
        case BidCall():
            return "sure" if best.wins >= SURE else "bluff" if best.wins < BLUFF else "even"
        case Dudo():
            return "doubt" if best.wins >= Fraction(1, 2) else "trap"
        case Calza():
            return "exact"
    return "pass"
