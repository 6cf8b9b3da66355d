"""Exact odds of single dice from what one player knows: own dice, and how many others there are.

Hands that count more by stairs or five alike are in `companion/bots/odds.py`.
Unseen dice are fair and independent, so matching ones are binomially distributed. All results are fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.dice import ACE, matching


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The knowledge of one player: faces of `own` dice, how many are in play, and the `wild` face, 0 for
    none."""

    own: tuple[int, ...]
    dice: int
    wild: int = ACE

    def __post_init__(self) -> None:
        if len(self.own) > self.dice:
            raise BadCommand("own_dice_too_many", own=len(self.own), dice=self.dice)

    @property
    def unseen(self) -> int:
        """How many dice lie under other cups."""
        return self.dice - len(self.own)

    def needed(self, bid: Bid) -> int:
        """How many unseen dice must match for `bid` to be just right; negative when own dice exceed it."""
        return bid.quantity - matching(self.own, bid.face, 0 if bid.zhai else self.wild)

    def chance(self, bid: Bid) -> Fraction:
        """The chance that an unseen die counts for `bid`."""
        return Fraction(1, 6) if bid.zhai or self.wild in (0, bid.face) else Fraction(2, 6)


def holds(bid: Bid, known: Knowledge) -> Fraction:
    """The chance that at least `bid.quantity` dice match.

    >>> print(holds(Bid(3, 5), Knowledge(own=(5, 1, 2, 2, 4), dice=10)))
    211/243
    """
    return at_least(known.needed(bid), known.unseen, known.chance(bid))


def exact(bid: Bid, known: Knowledge) -> Fraction:
    """The chance that exactly `bid.quantity` dice match."""
    return exactly(known.needed(bid), known.unseen, known.chance(bid))


@cache
def exactly(successes: int, dice: int, chance: Fraction) -> Fraction:
    """P(X = successes) for a binomial X: C(n, k) p^k (1 - p)^(n - k)."""
    if not 0 <= successes <= dice:
        return Fraction(0)
    return comb(dice, successes) * chance**successes * (1 - chance) ** (dice - successes)


@cache
def at_least(successes: int, dice: int, chance: Fraction) -> Fraction:
    """P(X >= successes) for a binomial X."""
    return sum((exactly(k, dice, chance) for k in range(max(0, successes), dice + 1)), Fraction(0))
