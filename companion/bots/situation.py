"""What a player on turn has before him, in the few numbers by which the policy remembers it.

`lab/bots/views.py` has the same for its compiled rounds; a test of the lab holds both together.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.bots.odds import Kind, Odds
from companion.bots.seat import SeatView
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.order import ONE_PRICE
from companion.rules.position import Game

EDGES = (0.002, 0.03, 0.1, 0.16, 0.24, 0.36, 0.48, 0.57, 0.68, 0.78, 0.9, 0.99)
"""Chances between these count as the same."""

TRUST, OWN, SECOND, MEMORY, VOICED, RULES = len(EDGES) + 1, 4, 3, 12, 2, 4
"""So many values have the parts of a key."""

FINE_DICE = 5
"""Two players with so few dice remember the faces and the order of bids, too."""

Action = Bid | None
"""A bid; None for dudo, and for what the rules forbid."""


class Situation(Struct, frozen=True):
    """`group` and `key` say where the policy remembers this, `actions` what it chooses between there: when
    `facing` a bid, dudo first. `chances` are those of the bids by the own dice, of dudo that it is right."""

    facing: bool
    group: int
    key: int
    actions: tuple[Action, ...]
    chances: tuple[float, ...]


def group_of(seats: int, own: int, hidden: int) -> int:
    """The number of the table for so many seats and dice."""
    own = max(1, min(own, 5))
    if seats == 2:
        return (own - 1) * 5 + max(1, min(hidden, 5)) - 1
    near = bisect((1.5, 2.5, 3.75), hidden / (seats - 1) - 1e-9)
    return 25 + (min(seats, 4) - 3) * 20 + (own - 1) * 4 + near


def situation(view: SeatView, odds: Odds, rng: Random) -> Situation:
    """The situation of the player on turn, who may bid; of faces alike `rng` takes one."""
    return _Scene(view, odds, rng).situation()


class _Scene:
    def __init__(self, view: SeatView, odds: Odds, rng: Random) -> None:
        self._view, self._game, self._odds, self._rng = view, view.game, odds, rng
        self._dice, self._own = self._game.round.dice, self._game.player(view.seat).dice
        self._fine = len(self._game.inside) == 2 and self._dice <= FINE_DICE
        self._group = group_of(len(self._game.inside), self._own, self._dice - self._own)
        self._said = [call for call in self._game.round.bids if isinstance(call, BidCall)]
        self._offered: dict[Kind, list[int]] = {}
        for bid in legal_bids(self._game):
            self._offered.setdefault((bid.face, bid.zhai), []).append(bid.quantity)

    def situation(self) -> Situation:
        """As the policy knows it."""
        key, actions = self._facing(self._said[-1].bid) if self._said else self._opening()
        believed = [bid and (bid if bid.quantity <= self._dice else None) for bid in actions]
        chances = [self._odds.chance(bid) if bid else 0.0 for bid in believed]
        if self._said:
            chances[0] = 1 - self._odds.chance(self._said[-1].bid)
        return Situation(bool(self._said), self._group, key, tuple(believed), tuple(chances))

    def _opening(self) -> tuple[int, list[Action]]:
        plain = {kind: float(self._odds.own(*kind)) for kind in self._offered if not kind[1]}
        ranked = self._ranked(plain, 0.5)
        best, second, *_ = [*ranked, None, None]
        base = max(1, (self._dice - self._own + 1) // 3 - 1)
        if self._fine:
            chosen = [(kind, more) for more in (0, 1) for kind in [*ranked, *[None] * 6][:6]]
            chosen += [(best, 2), (best, 3), (second, 2)]
        else:
            other = self._rng.choice(ranked[2:]) if ranked[2:] else None
            chosen = [(kind, more) for kind in (best, second, other) for more in range(5)]
        wild = self._game.wild
        aces = min(self._odds.own(wild, True), 2) if wild else 3
        counts = [min(self._odds.own(*kind), 5) if kind else 0 for kind in (best, second)]
        key = counts[0] * 24 + counts[1] * 4 + aces
        if self._fine:
            key = (key * RULES + self._rules()) * 36 + self._rank(best) * 6 + self._rank(second)
        return key, [self._bid(kind, base + more) for kind, more in chosen]

    def _facing(self, bid: Bid) -> tuple[int, list[Action]]:
        same = (bid.face, bid.zhai)
        voiced = {(call.bid.face, call.bid.zhai) for call in self._said if call.by != self._view.seat}
        scores = {
            kind: self._odds.chance(Bid(numbers[0], *kind), int(kind in voiced))
            for kind, numbers in self._offered.items()
            if kind != same and numbers[0] <= self._dice
        }
        ranked = self._ranked(scores, 1e-6)
        best, second, *_ = [*ranked, None, None]
        key = bisect(EDGES, self._odds.chance(bid)) * OWN + min(self._odds.own(*same), OWN - 1)
        key = key * TRUST + (bisect(EDGES, scores[best]) if best else 0)
        near = bisect((0.4, 0.8), scores[second] / max(scores[best], 0.01)) if best and second else 0
        key = ((key * SECOND + near) * MEMORY + self._remembered(bid)) * VOICED + (best in voiced)
        raised = [self._bid(same, bid.quantity + more) for more in (1, 2, 3)]
        if self._fine:
            key = (key * RULES + self._rules()) * 36 + self._rank(same) * 6 + self._rank(best)
            rest = [self._raise(kind, 0) for kind in [*ranked[1:], *[None] * 4][:4]]
            return key, [None, *raised, self._raise(best, 0), self._raise(best, 1), *rest]
        other = self._rng.choice(ranked[2:]) if ranked[2:] else None
        rest = [self._raise(second, 0), self._raise(second, 1), self._raise(other, 0)]
        return key, [None, *raised, *(self._raise(best, more) for more in (0, 1, 2)), *rest]

    def _ranked(self, scores: Mapping[Kind, float], apart: float) -> list[Kind]:
        """Kinds by score, the highest first; those alike by chance, or in order where that is remembered."""
        if self._fine:
            return sorted(scores, key=lambda kind: (-scores[kind], self._rank(kind)))
        return sorted(scores, key=lambda kind: -scores[kind] - self._rng.random() * apart)

    def _bid(self, kind: Kind | None, quantity: int) -> Action:
        return Bid(quantity, *kind) if kind and quantity in self._offered.get(kind, ()) else None

    def _raise(self, kind: Kind | None, more: int) -> Action:
        return self._bid(kind, self._offered[kind][0] + more) if kind else None

    def _rank(self, kind: Kind | None) -> int:
        """Faces from 0, the wild one first."""
        face, wild = kind[0] if kind else 0, self._game.wild
        return 0 if face in (0, wild) else face if face < wild else face - 1

    def _rules(self) -> int:
        """Which order of bids it is, of those that were learnt."""
        rules, wild = self._game.ruleset, self._game.wild
        if not wild:
            return 2
        if rules.aces_convert and rules.raise_rule not in ONE_PRICE:
            return 1
        return 3 if rules.wild_rank == "highest" or wild == 6 else 0

    def _remembered(self, bid: Bid) -> int:
        """How the standing bid follows from those before it, and whether it is higher than it had to be."""
        *before, last = self._said
        if not before:
            return int(bid.quantity * 3 > self._dice)
        mine = [call.bid.face for call in before if call.by == self._view.seat]
        named = any(call.bid.face == bid.face for call in before)
        kind = (1 if mine[-1] == bid.face else 3 if named else 2) if mine else (4 if named else 5)
        return 2 * kind + int(_jumped(self._game, before, last))


def _jumped(game: Game, before: Sequence[BidCall], last: BidCall) -> bool:
    """Whether one die less could have been bid."""
    lower = Bid(last.bid.quantity - 1, last.bid.face, last.bid.zhai)
    asked = replace(game, round=replace(game.round, bids=tuple(before), turn=last.by))
    return lower in legal_bids(asked)
