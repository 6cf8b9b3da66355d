"""Counterfactual regret minimisation of one round of two players, as a graph of bids.

CFR+ (Tammelin 2014). A state remembers the newest bids alone, and the ways to it are summed: fixed-strategy
iteration, as Neller and Lanctot play Dudo with few remembered claims ("An Introduction to Counterfactual
Regret Minimization", 2013). States that differ in the oldest of these bids alone are rows of one node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.rules.hands import Masses

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Node:
    """States with the same newest bids, a row for each one that came before these.

    `mover` is on turn, 0 for who began. Its calls are raises, then challenges. `following`: the node and the
    row that each raise leads to. `worth`: what each challenge is worth to the mover, by challenge, hand of
    the mover and hand of the other. `regrets` and `chosen` have sums by row, hand of the mover and call.
    """

    mover: int
    worth: Floats
    following: list[tuple[int, int]] = field(default_factory=list)
    rows: int = 0
    regrets: Floats = field(default_factory=lambda: np.zeros(0))
    chosen: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def calls(self) -> int:
        """The number of calls."""
        return len(self.following) + len(self.worth)


Reach = tuple[Floats, Floats]
"""How often each hand of the mover, and of the other, comes to the rows of a node as far as its own calls
decide."""


def multiplications(nodes: Sequence[Node]) -> int:
    """What one iteration costs, nearly: all states, hands of both and calls."""
    return sum(node.rows * node.calls * node.worth.shape[1] * node.worth.shape[2] for node in nodes)


def challenge_worths(
    by_count: Sequence[Sequence[float]], own: Sequence[int], hidden: Sequence[int]
) -> Floats:
    """Worths of challenges by challenge, hand of the mover and hand of the other: from those by the number
    of matching dice, and from what each hand counts."""
    counts = np.add.outer(own, hidden)
    return (
        np.array(by_count).reshape(len(by_count), -1)[:, counts] if by_count else np.zeros((0, *counts.shape))
    )


def solve(nodes: Sequence[Node], priors: Sequence[Masses], iterations: int) -> None:
    """Fill `chosen` of the nodes. They stand in an order in which those that follow one are before it; the
    last one is the beginning. `priors`: the probabilities of the hands of who began, and of the other."""
    for node in nodes:
        node.regrets = np.zeros((node.rows, node.worth.shape[1], node.calls))
        node.chosen = np.zeros_like(node.regrets)
    fair = [np.array(one) for one in priors]
    for number in range(1, iterations + 1):
        _iterate(nodes, fair, number)


def shares(sums: Floats) -> Floats:
    """How often regrets or choices make each call: in proportion to the sums, alike where all are 0."""
    total = sums.sum(-1, keepdims=True)
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), 1 / sums.shape[-1])


def _iterate(nodes: Sequence[Node], priors: Sequence[Floats], number: int) -> None:
    """One iteration: regrets of one player against the other as both play now, in turns."""
    plays = [shares(node.regrets) for node in nodes]
    reached = _reached(nodes, plays)
    values: list[Floats] = []
    for node, played, reach in zip(nodes, plays, reached, strict=True):
        raised = [-values[following][row].T for following, row in node.following]
        worth = np.concatenate([np.stack(raised), node.worth]) if raised else node.worth
        by_hand = played.transpose(1, 0, 2) @ worth.transpose(1, 0, 2)
        values.append(by_hand.transpose(1, 0, 2))
        if node.mover == number % 2:
            _learn(node, played, worth, reach, priors[1 - node.mover], number)


def _reached(nodes: Sequence[Node], plays: Sequence[Floats]) -> list[Reach]:
    sizes = [(node.rows, node.worth.shape[1], node.worth.shape[2]) for node in nodes]
    reached = [(np.zeros((rows, mine)), np.zeros((rows, theirs))) for rows, mine, theirs in sizes]
    for one in reached[-1]:
        one[:] = 1.0
    for node, played, (own, other) in reversed(list(zip(nodes, plays, reached, strict=True))):
        passed, kept = np.einsum("ph,pha->ah", own, played), other.sum(0)
        for call, (following, row) in enumerate(node.following):
            reached[following][0][row] = kept
            reached[following][1][row] = passed[call]
    return reached


def _learn(node: Node, played: Floats, worth: Floats, reach: Reach, prior: Floats, weight: int) -> None:
    """Add to the regrets of every hand what each call would have won more, and to the choices what is
    played now."""
    own, other = reach
    gains = np.tensordot(other * prior, worth, (1, 2)).transpose(0, 2, 1)
    average = (gains * played).sum(-1, keepdims=True)
    node.regrets = np.maximum(node.regrets + gains - average, 0.0)
    node.chosen += weight * own[:, :, None] * played
