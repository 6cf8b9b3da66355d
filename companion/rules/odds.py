"""Exact odds of bids for whoever sees some of the dice: all others are fair and independent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from companion.rules.bids import Bid
from companion.rules.hands import Counting, Hand, Masses, fair_tail, fair_ways, worth
from companion.rules.players import NORMAL
from companion.rules.position import Game


def counting_of(game: Game, face: int, zhai: bool) -> Counting:
    """What hands count for a bid of this kind, once it stands."""
    wild, rules = 0 if zhai else game.wild_after(face), game.ruleset
    usual = game.round.kind is NORMAL
    return Counting(wild, rules.stairs, rules.hand_bonus) if usual else Counting(wild)


class Knowledge:
    """Hands that are seen, and all other dice: how many each player has of them.

    >>> known = Knowledge({"Ana": 5, "Ben": 5}, {"Ana": (5, 1, 2, 2, 4)})
    >>> print(known.holds(Bid(3, 5), Counting(wild=1)))
    211/243
    """

    def __init__(self, dice: Mapping[str, int], seen: Mapping[str, Hand]) -> None:
        """`seen` are dice of those who have `dice`; where they are all of a hand its bonus counts."""
        self._seen = tuple((tuple(sorted(seen[name])), len(seen[name]) == dice[name]) for name in seen)
        left = (number - len(seen.get(name, ())) for name, number in dice.items())
        self._unseen = tuple(sorted(number for number in left if number > 0))

    def own(self, face: int, counting: Counting) -> int:
        """How many of the dice that are seen count."""
        return sum(
            worth(hand, face, counting if whole else Counting(counting.wild)) for hand, whole in self._seen
        )

    def tail(self, face: int, counting: Counting) -> Masses:
        """The chances that at least 0, 1, 2, ... of the other dice count."""
        return fair_tail(self._unseen, face, counting)

    def holds(self, bid: Bid, counting: Counting) -> Fraction:
        """The chance that at least `bid.quantity` dice count."""
        return self._share(bid.face, counting, lambda count: count >= bid.quantity)

    def exact(self, bid: Bid, counting: Counting) -> Fraction:
        """The chance that exactly `bid.quantity` dice count."""
        return self._share(bid.face, counting, lambda count: count == bid.quantity)

    def _share(self, face: int, counting: Counting, counted: Callable[[int], bool]) -> Fraction:
        own, ways = self.own(face, counting), fair_ways(self._unseen, face, counting)
        return Fraction(sum(n for count, n in enumerate(ways) if counted(own + count)), sum(ways))
