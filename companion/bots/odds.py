"""Chances of bids as one seat sees the dice: those it sees, all others fair."""

from __future__ import annotations

from fractions import Fraction

from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.hands import Counting, Masses, at_least
from companion.rules.odds import Knowledge, counting_of

Kind = tuple[int, bool]
"""A face, and whether it is bid without wild dice."""


class Odds:
    """Exact chances of bids. Dice that were pushed out are seen by all."""

    def __init__(self, view: SeatView) -> None:
        self._game = game = view.game
        dice = {player.name: player.dice for player in game.inside}
        lying = {name: game.round.pushed_by(name) for name in dice}
        seen = {name: hand for name, hand in lying.items() if hand} | dict(view.hands)
        self._known = Knowledge(dice, {name: hand for name, hand in seen.items() if name in dice})
        self._tails: dict[Kind, tuple[int, Masses]] = {}

    def counting(self, face: int, zhai: bool = False) -> Counting:
        """What hands count for a bid of this kind, once it stands."""
        return counting_of(self._game, face, zhai)

    def own(self, face: int, zhai: bool = False) -> int:
        """How many of the dice that are seen count."""
        return self._tail(face, zhai)[0]

    def chance(self, bid: Bid, heard: int = 0) -> float:
        """The chance that a bid holds when `heard` hidden dice are taken to count for it."""
        own, tail = self._tail(bid.face, bid.zhai)
        return at_least(tail, bid.quantity - own - heard)

    def holds(self, bid: Bid) -> Fraction:
        """The chance that at least `bid.quantity` dice count for it."""
        return self._known.holds(bid, self.counting(bid.face, bid.zhai))

    def exact(self, bid: Bid) -> Fraction:
        """The chance that exactly `bid.quantity` dice count for it."""
        return self._known.exact(bid, self.counting(bid.face, bid.zhai))

    def _tail(self, face: int, zhai: bool) -> tuple[int, Masses]:
        if (face, zhai) not in self._tails:
            counting = self.counting(face, zhai)
            self._tails[face, zhai] = self._known.own(face, counting), self._known.tail(face, counting)
        return self._tails[face, zhai]
