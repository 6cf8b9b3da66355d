"""Chances of bids as one seat sees the dice: those it sees, all others fair."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from companion.bots.hands import Counting, Hand, Masses, at_least, fair_tail, fair_ways, worth
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.players import NORMAL

Kind = tuple[int, bool]
"""A face, and whether it is bid without wild dice."""


class Odds:
    """Exact chances of bids. Dice that were pushed out are seen by all."""

    def __init__(self, view: SeatView) -> None:
        self._game = game = view.game
        dice = {player.name: player.dice for player in game.inside}
        lying = {name: game.round.pushed_by(name) for name in dice}
        seen = {name: hand for name, hand in lying.items() if hand} | dict(view.hands)
        self._seen = tuple(
            (tuple(sorted(hand)), len(hand) == dice[name]) for name, hand in seen.items() if name in dice
        )
        left = (number - len(seen.get(name, ())) for name, number in dice.items())
        self._unseen = tuple(sorted(number for number in left if number > 0))
        rules, usual = game.ruleset, game.round.kind is NORMAL
        self._bonuses = (rules.stairs, rules.hand_bonus) if usual else (False, 0)
        self._tails: dict[Kind, tuple[int, Masses]] = {}

    def counting(self, face: int, zhai: bool = False) -> Counting:
        """What hands count for a bid of this kind, once it stands."""
        return Counting(0 if zhai else self._game.wild_after(face), *self._bonuses)

    def own(self, face: int, zhai: bool = False) -> int:
        """How many of the dice that are seen count."""
        return self._tail(face, zhai)[0]

    def chance(self, bid: Bid, heard: int = 0) -> float:
        """The chance that a bid holds when `heard` hidden dice are taken to count for it."""
        own, tail = self._tail(bid.face, bid.zhai)
        return at_least(tail, bid.quantity - own - heard)

    def holds(self, bid: Bid) -> Fraction:
        """The chance that at least `bid.quantity` dice count for it."""
        return self._share(bid, lambda count: count >= bid.quantity)

    def exact(self, bid: Bid) -> Fraction:
        """The chance that exactly `bid.quantity` dice count for it."""
        return self._share(bid, lambda count: count == bid.quantity)

    def _tail(self, face: int, zhai: bool) -> tuple[int, Masses]:
        if (face, zhai) not in self._tails:
            counting = self.counting(face, zhai)
            own = sum(_counts(hand, whole, face, counting) for hand, whole in self._seen)
            self._tails[face, zhai] = own, fair_tail(self._unseen, face, counting)
        return self._tails[face, zhai]

    def _share(self, bid: Bid, counted: Callable[[int], bool]) -> Fraction:
        own = self.own(bid.face, bid.zhai)
        ways = fair_ways(self._unseen, bid.face, self.counting(bid.face, bid.zhai))
        return Fraction(sum(n for count, n in enumerate(ways) if counted(own + count)), sum(ways))


def _counts(hand: Hand, whole: bool, face: int, counting: Counting) -> int:
    """What a hand counts; of one that is not seen whole only its dice."""
    return worth(hand, face, counting if whole else Counting(counting.wild))
