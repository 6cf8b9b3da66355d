"""What a seat believes of the number of dice that count for the standing bid, by what was said.

Bayes' rule, player by player, with little trust: a bid makes a hand likelier in proportion to one more than
the dice that it has for it, since players bid to please as well.
"""

from __future__ import annotations

from functools import lru_cache

from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.counting import pass_rule
from companion.rules.hands import (
    Counting,
    Hand,
    Masses,
    added,
    hands_of,
    index_of,
    masses,
    prior,
    prior_with,
    worths,
)

BLUFFED_PASS = 0.1
"""How often a hand that does not justify it is passed with, compared with one that does."""


def believed(view: SeatView, odds: Odds, bid: Bid) -> Masses:
    """The chances of 0, 1, 2, ... dice in play that count for the standing bid."""
    game, seen = view.game, dict(view.hands)
    counting, parts = odds.counting(bid.face, bid.zhai), []
    for player in game.inside:
        shown = seen.get(player.name, ())
        if shown and len(shown) == player.dice:
            hand = index_of(player.dice)[tuple(sorted(shown))]
            parts.append((*(0.0,) * worths(player.dice, counting)[bid.face - 1][hand], 1.0))
        else:
            lying = tuple(sorted(game.round.pushed_by(player.name)))
            faces = _heard(view, player.name)
            parts.append(
                masses(player.dice, _chances(player.dice, lying, faces, counting), bid.face, counting)
            )
    return added(parts)


def justified(view: SeatView, name: str) -> float:
    """The chance that the hand of who passed justifies it."""
    allows, dice = pass_rule(view.game.ruleset), view.game.player(name).dice
    right = sum(chance for hand, chance in zip(hands_of(dice), prior(dice), strict=True) if allows(hand))
    return right / (right + BLUFFED_PASS * (1 - right)) if right else 0.0


def _heard(view: SeatView, name: str) -> tuple[int, ...]:
    """The faces that a player has bid on since he last rolled; nothing where not everybody sees his dice."""
    now, faces = view.game.round, list[int]()
    if now.visibility not in (None, "usual"):
        return ()
    for said in now.bids:
        if isinstance(said, BidCall) and said.by == name:
            faces = [] if said.pushed else [*faces, said.bid.face]
    return tuple(faces)


@lru_cache(maxsize=512)
def _chances(dice: int, lying: Hand, faces: tuple[int, ...], counting: Counting) -> Masses:
    """The chances of every hand of who has bid on these faces."""
    weights = list(prior_with(dice, lying) if lying else prior(dice))
    for face in faces:
        row = worths(dice, counting)[face - 1]
        weights = [weight * (1 + count) for weight, count in zip(weights, row, strict=True)]
    total = sum(weights)
    return tuple(weight / total for weight in weights)
