"""What verdicts are worth to a player: dice or lives won and lost, by the rules' own consequence."""

from __future__ import annotations

from companion.rules.consequences import Dispute
from companion.rules.players import Player, partners, playing
from companion.rules.verdict import Changed


def payoff(dispute: Dispute, player: Player, count: int) -> float:
    """What it is worth to a player when `count` dice match: 1 for a die more, -1 for a die less.

    What others lose is worth its share to each of the rest, so that the game is one of sum zero; partners'
    dice count as the own. Where who is first without dice wins, it is the other way round.
    """
    side = (player, *partners(dispute.players, player))
    share = len(side) / max(1, len(playing(dispute.players)) - len(side))
    moved = sum(_moved(one) * (1 if one[0] in side else -share) for one in dispute.changes(count))
    return -moved if dispute.rules.loser == "winner" else moved


def _moved(changed: Changed) -> int:
    """Dice and lives won and marks lost, negative the other way; the last chance counts as one."""
    before, after = changed
    moved = after.dice - before.dice + after.lives - before.lives + before.marks - after.marks
    return moved or -int(after.out and not before.out)
