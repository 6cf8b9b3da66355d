"""What a seat believes of the hands that it cannot see, from what their owners have said in this round.

Bayes' rule, player by player: P(hand | bids) is in proportion to P(hand) times the product of P(bid | hand)
over the bids. Hands are independent given the bids, for everybody bids by the own hand and what all have
heard. P(bid | hand) mixes the safest bid, a choice by weight, and any bid at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.bots.bidding import Scene
from companion.bots.hands import Masses, added, hands_of, index_of, masses, prior, prior_with
from companion.bots.seat import SeatView
from companion.rules.calls import BidCall, Pass
from companion.rules.counting import pass_rule
from companion.rules.position import Round

SAFEST, WEIGHED, ANY = 0.5, 0.45, 0.05
"""Shares of players who bid the safest, who choose by weight, and who bid anything."""

DOUBTS_BELOW = ((0.2, 0.4), (0.33, 0.3), (0.45, 0.3))
"""(chance, share): so many players doubt a bid that is less likely than this."""

BLUFFED_PASS = 0.1
"""How often a hand that does not justify it is passed with, compared with one that does."""


def stays(trust: float) -> float:
    """The share of players who do not doubt a bid that they take to hold with this chance."""
    return sum(share for below, share in DOUBTS_BELOW if trust >= below)


class Beliefs:
    """The chances of every hand of every player, as the seat of `view` sees it.

    `chances` has those of `hands_of` for players whose dice are not seen, `seen` the place there of hands
    that are.
    """

    def __init__(self, view: SeatView, scene: Scene, *, heard: bool = True) -> None:
        """Without `heard`, what has been said in the round is taken for nothing."""
        self._scene, self._heard = scene, heard
        whole = {name: hand for name, hand in view.hands if len(hand) == scene.dice.get(name)}
        self.seen = {name: index_of(len(hand))[tuple(sorted(hand))] for name, hand in whole.items()}
        self.chances: dict[str, Masses] = {
            name: self._posterior(name) for name in scene.dice if name not in self.seen
        }

    def count(self, face: int, wild: int) -> Masses:
        """The probabilities of 0, 1, 2, ... dice in play that count for `face`."""
        counting = self._scene.counting(wild)
        parts = [
            masses(self._scene.dice[name], chances, face, counting) for name, chances in self.chances.items()
        ]
        for name, hand in self.seen.items():
            parts.append(_certain(self._scene, name, hand, face, wild))
        return added(parts)

    def justified(self, name: str) -> float:
        """The chance that the hand of `name` justifies a pass."""
        allows = pass_rule(self._scene.game.ruleset)
        hands = hands_of(self._scene.dice[name])
        if name in self.seen:
            return float(allows(hands[self.seen[name]]))
        return sum(p for hand, p in zip(hands, self.chances[name], strict=True) if allows(hand))

    def _posterior(self, name: str) -> Masses:
        game, dice = self._scene.game, self._scene.dice[name]
        lying = game.round.pushed_by(name)
        before = prior_with(dice, tuple(sorted(lying))) if lying else prior(dice)
        weights, rolled = list(before), _last_push(game.round, name)
        if self._heard and game.round.visibility in (None, "usual"):
            for place, said in enumerate(game.round.bids):
                if said.by == name and place > rolled:
                    likely = self._likelihood(place, said, dice)
                    weights = [w * p for w, p in zip(weights, likely, strict=True)]
        total = sum(weights)
        return tuple(w / total for w in weights) if total > 0 else before

    def _likelihood(self, place: int, said: BidCall | Pass, dice: int) -> Sequence[float]:
        if isinstance(said, Pass):
            allows = pass_rule(self._scene.game.ruleset)
            return [1.0 if allows(hand) else BLUFFED_PASS for hand in hands_of(dice)]
        hands = len(prior(dice))
        replies = self._scene.before(place)
        likely = replies.likelihoods(said.bid, hands)
        return [
            stays(replies.trust(hand)) * (SAFEST * safest + WEIGHED * weighed) + ANY / 100
            for hand, (safest, weighed) in enumerate(likely)
        ]


def _last_push(now: Round, name: str) -> int:
    """The place of the bid with which a player last rolled dice again, -1 for none: those before
    it tell of other dice."""
    pushes = (
        n for n, said in enumerate(now.bids) if isinstance(said, BidCall) and said.by == name and said.pushed
    )
    return max(pushes, default=-1)


def _certain(scene: Scene, name: str, hand: int, face: int, wild: int) -> Masses:
    """A hand that is seen counts one number for sure."""
    from_hand = scene.worth(name, hand, face, wild)
    return (*(0.0,) * from_hand, 1.0)
