"""Hands as multisets: how often they fall, what they count for a bid, and sums of what several count.

A hand of n dice is one of C(n + 5, 5) sorted tuples, 252 of five dice. Its probability is the multinomial
n! / (c1! ... c6!) / 6^n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import NamedTuple, TypeVar

from companion.rules.counting import bonus
from companion.rules.dice import FACES, matching

Hand = tuple[int, ...]
Masses = tuple[float, ...]
"""Probabilities of 0, 1, 2, ... matching dice, or of the hands of `hands_of`, in that order."""

Number = TypeVar("Number", int, float)
"""A number of ways, or a probability."""


class Counting(NamedTuple):
    """What a hand counts: the wild face, 0 for none, and the bonuses of whole hands."""

    wild: int
    stairs: bool = False
    hand_bonus: int = 0


@cache
def hands_of(dice: int) -> tuple[Hand, ...]:
    """Every hand of so many dice, faces in order."""
    return tuple(combinations_with_replacement(FACES, dice))


@cache
def index_of(dice: int) -> dict[Hand, int]:
    """Where each hand of so many dice stands in `hands_of`."""
    return {hand: index for index, hand in enumerate(hands_of(dice))}


@cache
def ways_of(dice: int) -> tuple[int, ...]:
    """In how many of the 6^n ways that so many dice can fall each hand does."""
    return tuple(
        factorial(dice) // prod(factorial(hand.count(face)) for face in FACES) for hand in hands_of(dice)
    )


@cache
def prior(dice: int) -> Masses:
    """The probability of every hand of so many fair dice."""
    return tuple(ways / 6**dice for ways in ways_of(dice))


@lru_cache(maxsize=512)
def prior_with(dice: int, lying: Hand) -> Masses:
    """The probability of every hand of so many fair dice of which `lying` are in the open."""
    hidden = dice - len(lying)
    chances = {
        tuple(sorted((*lying, *hand))): chance
        for hand, chance in zip(hands_of(hidden), prior(hidden), strict=True)
    }
    return tuple(chances.get(hand, 0.0) for hand in hands_of(dice))


@lru_cache(maxsize=512)
def worths(dice: int, counting: Counting) -> tuple[tuple[int, ...], ...]:
    """What every hand counts, bonuses included: one row for each face from 1 to 6."""
    return tuple(tuple(worth(hand, face, counting) for hand in hands_of(dice)) for face in FACES)


def worth(hand: Hand, face: int, counting: Counting) -> int:
    """What a whole hand counts for a bid on `face`."""
    alike = matching(hand, face, counting.wild)
    return alike + bonus(hand, alike, counting.stairs, counting.hand_bonus)


def masses(dice: int, chances: Sequence[Number], face: int, counting: Counting) -> tuple[Number, ...]:
    """What hands count for `face`: how likely 0, 1, 2, ... is where hands have these chances, or ways."""
    row = worths(dice, counting)[face - 1]
    found: list[Number] = [0] * (max(row) + 1)
    for count, chance in zip(row, chances, strict=True):
        found[count] += chance
    return tuple(found)


@lru_cache(maxsize=4096)
def fair_ways(dice: tuple[int, ...], face: int, counting: Counting) -> tuple[int, ...]:
    """In how many of the 6^n ways that so many dice can fall hands count 0, 1, 2, ... together."""
    if counting == Counting(counting.wild):
        return _single_ways(sum(dice), 1 if counting.wild in (0, face) else 2)
    return added(masses(number, ways_of(number), face, counting) for number in dice)


@cache
def _single_ways(dice: int, faces: int) -> tuple[int, ...]:
    """The same where dice count by themselves, each with so many of its faces."""
    return tuple(comb(dice, hits) * faces**hits * (6 - faces) ** (dice - hits) for hits in range(dice + 1))


def fair_masses(dice: tuple[int, ...], face: int, counting: Counting) -> Masses:
    """The probabilities of what hands of so many fair dice count together."""
    return tuple(ways / 6 ** sum(dice) for ways in fair_ways(dice, face, counting))


def added(parts: Iterable[tuple[Number, ...]]) -> tuple[Number, ...]:
    """The probabilities, or ways, of a sum of independent counts: their convolution."""
    total: list[Number] = [1]
    for part in parts:
        longer: list[Number] = [0] * (len(total) + len(part) - 1)
        for i, one in enumerate(total):
            for j, other in enumerate(part):
                longer[i + j] += one * other
        total = longer
    return tuple(total)


@lru_cache(maxsize=8192)
def fair_tail(dice: tuple[int, ...], face: int, counting: Counting) -> Masses:
    """P(count >= 0, 1, 2, ...) of hands of so many fair dice, the last entry 0."""
    return tail_of(fair_masses(dice, face, counting))


def tail_of(parts: Masses) -> Masses:
    """P(count >= 0, 1, 2, ...) of these probabilities, the last entry 0."""
    tail = [0.0]
    for chance in reversed(parts):
        tail.append(tail[-1] + chance)
    tail[-1] = 1.0
    return tuple(reversed(tail))


def at_least(tail: Masses, needed: int) -> float:
    """The chance that at least `needed` are counted."""
    if needed <= 0:
        return 1.0
    return tail[needed] if needed < len(tail) else 0.0
