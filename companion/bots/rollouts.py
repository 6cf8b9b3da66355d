"""What a raise is worth: the rest of the round played many times against sensible players.

Hidden hands are drawn from what is believed of them, the same draws for every raise that is compared. Each
opponent doubts below a chance of his own and else bids the safest. The own seat goes on by what it believes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from random import Random

from companion.bots.beliefs import DOUBTS_BELOW, Beliefs
from companion.bots.bidding import Row, Scene, Standing
from companion.bots.hands import Masses, at_least, tail_of
from companion.bots.payoff import Payoff
from companion.rules.bids import Bid

DOUBTS_LATER = 0.45
"""Below this chance the own seat doubts when the word comes back to it."""

LONGEST = 60
"""After so many bids a played-out round counts as even."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One way the hidden hands may be, by player, and below which chance each player doubts."""

    hands: dict[str, int]
    doubts_below: dict[str, float]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a call is worth in dice, and how often it costs the own seat nothing; `draws` is 0 where exact."""

    dice: float
    spared: float
    draws: int = 0


class Rollouts:
    """Plays the rest of a round out from the view of one seat."""

    def __init__(self, scene: Scene, beliefs: Beliefs, seat: str, rng: Random) -> None:
        self._scene, self._beliefs, self._seat, self._rng = scene, beliefs, seat, rng
        self.payoff = Payoff(scene.game, seat)
        self._tails: dict[tuple[int, int], Masses] = {}
        self._further: dict[Standing, Bid | None] = {}
        self._sums = {name: tuple(accumulate(chances)) for name, chances in beliefs.chances.items()}

    def tail(self, face: int, wild: int) -> Masses:
        """P(dice in play that count for `face` >= k), as the seat believes."""
        if (face, wild) not in self._tails:
            self._tails[face, wild] = tail_of(self._beliefs.count(face, wild))
        return self._tails[face, wild]

    def draws(self, number: int) -> list[Draw]:
        """So many ways the hidden hands may be."""
        names = [name for name in self._scene.dice if name != self._seat]
        below, shares = zip(*DOUBTS_BELOW, strict=True)
        hands = {
            name: self._rng.choices(range(len(sums)), cum_weights=sums, k=number)
            for name, sums in self._sums.items()
        }
        doubts = {name: self._rng.choices(below, shares, k=number) for name in names}
        return [
            Draw(
                self._beliefs.seen | {name: drawn[n] for name, drawn in hands.items()},
                {name: drawn[n] for name, drawn in doubts.items()},
            )
            for n in range(number)
        ]

    def worth(self, bid: Bid, draws: list[Draw]) -> Worth:
        """What it is worth to bid this now."""
        first = self._scene.after_bid(self._seat, bid, self._scene.game.wild)
        ends = [self._played_out(first, draw) for draw in draws]
        dice, spared = sum(end[0] for end in ends), sum(end[1] for end in ends)
        return Worth(dice / len(draws), spared / len(draws), len(draws))

    def _played_out(self, standing: Standing, draw: Draw) -> tuple[float, bool]:
        for _ in range(LONGEST):
            raised = self._raised(standing, draw)
            if raised is None:
                return self._doubted(standing, draw)
            standing = self._scene.after_bid(standing.turn, raised, standing.wild)
        return 0.0, True

    def _raised(self, standing: Standing, draw: Draw) -> Bid | None:
        """The bid that follows, None where the player on turn doubts."""
        if standing.turn == self._seat:
            return self._own_raise(standing)
        replies, hand = self._scene.replies(standing), draw.hands[standing.turn]
        if replies.trust(hand) < draw.doubts_below[standing.turn]:
            return None
        return replies.safest(hand)

    def _own_raise(self, standing: Standing) -> Bid | None:
        if standing not in self._further:
            self._further[standing] = self._chosen_raise(standing)
        return self._further[standing]

    def _chosen_raise(self, standing: Standing) -> Bid | None:
        if at_least(self.tail(standing.bid.face, standing.counted), standing.bid.quantity) < DOUBTS_LATER:
            return None
        rows = self._scene.replies(standing).rows
        best = max((self._lowest(row) for row in rows), default=None)
        return Bid(*best[1:]) if best else None

    def _lowest(self, row: Row) -> tuple[float, int, int, bool]:
        lowest = row.quantities[0]
        return at_least(self.tail(row.face, row.wild), lowest), lowest, row.face, row.zhai

    def _doubted(self, standing: Standing, draw: Draw) -> tuple[float, bool]:
        bid, wild, worth = standing.bid, standing.counted, self._scene.worth
        count = sum([worth(name, hand, bid.face, wild) for name, hand in draw.hands.items()])
        payoff = self.payoff
        return (
            payoff.of_challenge(standing.turn, standing.bidder, bid, count),
            payoff.spares(standing.turn, standing.bidder, bid, count),
        )
