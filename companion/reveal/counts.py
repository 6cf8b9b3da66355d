"""The probabilities of the matching count, given how many dice there are.

Each detection is a die with some probability, and matches with some. Further dice may lie there undetected;
their number has a Poisson distribution. The known number of dice, in all and of each player, rules out most
cases: where all are read, one more detection is a die only if one of the others is none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

Weights = Mapping[tuple[int, int], float]
"""How likely it is that so many dice are there, and that so many of them match."""

MIN_PROBABILITY = 1e-15
"""Minimum weight: what is less likely is left out."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something seen: the probability that it is a die and matches, and that it is one and does not."""

    matches: float
    other: float
    owner: str | None = None


def counts(
    things: Sequence[Thing],
    expected: int,
    by_player: Mapping[str, int],
    unread: float,
    matching: float,
) -> tuple[float, ...]:
    """The probability of each matching count from 0 to `expected`; () where the dice seen contradict the
    numbers.

    `unread` is the expected number of dice without any detection, `matching` the chance that one matches.
    Things of players that are not in `by_player` are left out, unless nobody is in it.
    """
    hands = [(tuple([thing for thing in things if thing.owner == p]), n) for p, n in by_player.items()]
    missing = _missing(tuple(hands)) if hands else {(expected, 0): 1.0}
    nobodys = [thing for thing in things if thing.owner is None or not by_player]
    return _shares(_filled(missing, nobodys), expected, unread, matching)


@lru_cache(maxsize=256)
def _missing(hands: tuple[tuple[tuple[Thing, ...], int], ...]) -> Weights:
    """Weights of the dice that players lack, and of those that match, of each player's things and number.

    Places that overlap are counted in each way in which they may, and most ways leave most players as they
    are: those before the first that differs are worked out once.
    """
    if not hands:
        return {(0, 0): 1.0}
    mine, number = hands[-1]
    lacking = {(number - dice, hits): p for (dice, hits), p in _weights(mine, number).items()}
    return _together(_missing(hands[:-1]), lacking)


def _weights(things: Iterable[Thing], most: int) -> Weights:
    """The weights of so many dice among the things, and so many matching."""
    weights: Weights = {(0, 0): 1.0}
    for thing in things:
        found: dict[tuple[int, int], float] = defaultdict(float)
        for (dice, hits), p in weights.items():
            found[dice, hits] += p * (1 - thing.matches - thing.other)
            if dice < most:
                found[dice + 1, hits + 1] += p * thing.matches
                found[dice + 1, hits] += p * thing.other
        weights = {key: p for key, p in found.items() if p > MIN_PROBABILITY}
    return weights


def _together(one: Weights, other: Weights) -> Weights:
    found: dict[tuple[int, int], float] = defaultdict(float)
    for (a, hits), p in one.items():
        for (b, more), q in other.items():
            found[a + b, hits + more] += p * q
    return {key: p for key, p in found.items() if p > MIN_PROBABILITY}


def _filled(missing: Weights, things: Sequence[Thing]) -> Weights:
    """Weights of the dice still missing once the dice without an owner are counted, with the matching
    count."""
    most = max((dice for dice, _ in missing), default=0)
    found: dict[tuple[int, int], float] = defaultdict(float)
    extra = _weights(things, most)
    for (lacking, hits), p in missing.items():
        for (dice, more), q in extra.items():
            if dice <= lacking:
                found[lacking - dice, hits + more] += p * q
    return found


def _shares(weights: Weights, expected: int, unread: float, matching: float) -> tuple[float, ...]:
    """The probability of each count, where the missing dice are those without any detection."""
    shares = [0.0] * (expected + 1)
    for (lacking, hits), p in weights.items():
        there = p * unread**lacking / math.factorial(lacking)
        for more, chance in enumerate(_binomial(lacking, matching), hits):
            shares[more] += there * chance
    whole = sum(shares)
    return tuple(share / whole for share in shares) if whole > 0 else ()


@lru_cache(maxsize=512)
def _binomial(n: int, p: float) -> tuple[float, ...]:
    """The chances of 0 to `n` hits in `n` trials that hit with chance `p`."""
    return tuple([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
