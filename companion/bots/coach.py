"""Advice for a person: what each call wins, and which one costs nothing most often against sensible players.

What a call wins is exact: by the own dice, all others taken for fair, hands that count more included. How
often a call costs nothing is exact for challenges, and for raises an average over played-out rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random

from companion.bots.bidding import Scene
from companion.bots.hands import Counting, Hand, fair_ways, worth
from companion.bots.seat import SeatView
from companion.bots.weighing import Option, Weighing
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass
from companion.rules.legality import legal_bids
from companion.rules.position import Game


@dataclass(frozen=True, slots=True)
class Advised:
    """A call: the chance that it is right when the dice are shown; how often it costs the seat nothing
    against sensible players, with its standard error (0: exact)."""

    call: Call
    wins: Fraction
    keeps: float
    error: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The chances of the standing bid, None before one, and every call worth naming, that wins most first.

    `safest` is the call of them that costs nothing most often.
    """

    holds: Fraction | None
    exact: Fraction | None
    calls: tuple[Advised, ...]

    @property
    def safest(self) -> Advised | None:
        """The call that costs nothing most often."""
        return max(self.calls, key=lambda one: one.keeps, default=None)


class Odds:
    """Exact chances of bids, as one seat sees the dice: the hands it sees, all others fair."""

    def __init__(self, view: SeatView) -> None:
        self._scene = Scene(view.game)
        self._game, self._seen = view.game, view.hands
        left = self._scene.dice | {name: self._scene.dice[name] - len(hand) for name, hand in view.hands}
        self._unseen = tuple(sorted(dice for dice in left.values() if dice))

    def holds(self, bid: Bid) -> Fraction:
        """The chance that at least `bid.quantity` dice count for it."""
        return self._share(bid, lambda count: count >= bid.quantity)

    def exact(self, bid: Bid) -> Fraction:
        """The chance that exactly `bid.quantity` dice count for it."""
        return self._share(bid, lambda count: count == bid.quantity)

    def _share(self, bid: Bid, counted: Callable[[int], bool]) -> Fraction:
        wild = 0 if bid.zhai else self._scene.wild_after(bid.face, self._game.wild)
        counting = self._scene.counting(wild)
        own = sum(self._counts(name, hand, bid.face, counting) for name, hand in self._seen)
        ways = fair_ways(self._unseen, bid.face, counting)
        return Fraction(sum(n for count, n in enumerate(ways) if counted(own + count)), sum(ways))

    def _counts(self, name: str, hand: Hand, face: int, counting: Counting) -> int:
        """What a hand counts; of one that is not seen whole only its dice."""
        whole = len(hand) == self._scene.dice[name]
        return worth(tuple(sorted(hand)), face, counting if whole else Counting(counting.wild))


@dataclass(frozen=True, slots=True)
class Coaching:
    """The odds of a round for one seat, and advice where its dice are known whole."""

    odds: Odds
    advice: Advice | None = None


def advise(view: SeatView, rng: Random, *, heard: bool = True) -> Advice:
    """What the seat of `view` may do now, with its chances. Without `heard`, the bids of the round tell
    nothing of the hidden hands."""
    odds, standing = Odds(view), view.game.round.standing
    weighing = Weighing(view, rng, heard=heard)
    raises = _raises(view.game, view.seat, odds, weighing)
    calls = [_advised(option, odds, view.game) for option in (*weighing.challenges(), *raises)]
    calls.sort(key=lambda one: (-one.wins, -one.keeps))
    if standing is None:
        return Advice(None, None, tuple(calls))
    return Advice(odds.holds(standing.bid), odds.exact(standing.bid), tuple(calls))


def best_raise(game: Game, odds: Odds) -> Bid | None:
    """The raise likeliest to hold, of equals the highest; None where none is left."""
    return max(legal_bids(game), key=lambda b: (odds.holds(b), b.quantity, b.face), default=None)


def _raises(game: Game, seat: str, odds: Odds, weighing: Weighing) -> list[Option]:
    """The likeliest raise, and the one that keeps the dice most often where that is less likely."""
    if game.round.turn != seat:
        return []
    likeliest = best_raise(game, odds)
    if likeliest is None:
        return []
    kept = max(weighing.raises(), key=lambda option: option.worth.spared)
    assert isinstance(kept.call, BidCall)
    as_likely = odds.holds(kept.call.bid) == odds.holds(likeliest)
    return [kept] if as_likely else [weighing.raised(likeliest), kept]


def _advised(option: Option, odds: Odds, game: Game) -> Advised:
    spared, draws = option.worth.spared, option.worth.draws
    error = sqrt(spared * (1 - spared) / draws) if draws else 0.0
    return Advised(option.call, _wins(option, odds, game), spared, error)


def _wins(option: Option, odds: Odds, game: Game) -> Fraction:
    """The chance that a call is right: a raise when it is doubted at once."""
    standing = game.round.standing
    match option.call:
        case BidCall(bid=bid):
            return odds.holds(bid)
        case DudoPass():
            return Fraction(1) - Fraction(option.holds).limit_denominator(10**6)
        case Dudo() if standing:
            return 1 - odds.holds(standing.bid)
        case Calza() if standing:
            return odds.exact(standing.bid)
    return Fraction(0)
