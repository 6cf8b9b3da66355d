"""The probabilities of the matching count, given how many dice there are.

Each thing that was seen is a die with some probability, and matches with some. Two things may be one: a
domino, which is no die, or the top and the side of one die. Further dice may lie there undetected; their
number has a Poisson distribution. So each way in which things may be dice has the weight

    product over single things       P(none), P(a die that matches) or P(a die that does not)
    product over pairs taken as one  odds(pair) P(the one die matches, does not, or is none)
    product over missing dice        Poisson(their number; unread) Binomial(matching ones)

and what is asked for is the sum over all ways with just as many dice as are known to be there, in all and of
each player. Where all are read, one more detection is a die only if one of the others is none, and two are
one thing only if a die lies there unread.

No thing is in two pairs that are taken as one. The sum goes from thing to thing, along the pairs, and keeps
apart only which later things are taken already, so pairs that have nothing to do with one another cost
nothing. No way is left out as too rare: once the number of dice is known, the rare one may be the likeliest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from msgspec import Struct

Weights = Mapping[tuple[int, int], float]
"""How likely it is that so many dice are there, and that so many of them match."""

ONE_DIE = 0.5
"""Of pairs that are one thing so many are one die; the others are none."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something seen: the probability that it is a die and matches, and that it is one and does not."""

    matches: float
    other: float
    owner: str | None = None

    @property
    def there(self) -> float:
        """The probability that it is a die."""
        return self.matches + self.other


class Pair(Struct, frozen=True):
    """Two things, the earlier first by its place among them, that are one with the probability `chance`."""

    first: int
    second: int
    chance: float


def counts(
    things: Sequence[Thing],
    expected: int,
    by_player: Mapping[str, int],
    unread: float,
    matching: float,
    pairs: Sequence[Pair] = (),
) -> tuple[float, ...]:
    """The probability of each matching count from 0 to `expected`; () where the dice seen contradict the
    numbers.

    `unread` is the expected number of dice without any detection, `matching` the chance that one matches.
    Things of players that are not in `by_player` are left out, unless nobody is in it.
    """
    things = _shared(things, pairs)
    owners = [thing.owner if by_player else None for thing in things]
    hands = tuple((*_of(things, pairs, owners, player), number) for player, number in by_player.items())
    missing = _missing(hands) if hands else {(expected, 0): 1.0}
    return _shares(_filled(missing, *_of(things, pairs, owners, None)), expected, unread, matching)


Group = tuple[tuple[Thing, ...], tuple[Pair, ...]]
"""Things of one owner, with the pairs among them."""


def _shared(things: Sequence[Thing], pairs: Iterable[Pair]) -> Sequence[Thing]:
    """The things, those nobody's that are in a pair with another owner's."""
    found = list(things)
    for pair in pairs:
        if things[pair.first].owner != things[pair.second].owner:
            for k in (pair.first, pair.second):
                found[k] = replace(found[k], owner=None)
    return found


def _of(
    things: Sequence[Thing], pairs: Iterable[Pair], owners: Sequence[str | None], owner: str | None
) -> Group:
    inside = [pair for pair in pairs if owners[pair.first] == owner == owners[pair.second]]
    mine = {k: n for n, k in enumerate(_along([k for k in range(len(things)) if owners[k] == owner], inside))}
    ends = ((mine[pair.first], mine[pair.second], pair.chance) for pair in inside)
    kept = (Pair(min(first, second), max(first, second), chance) for first, second, chance in ends)
    return tuple(things[k] for k in mine), tuple(kept)


def _along(things: Iterable[int], pairs: Iterable[Pair]) -> Sequence[int]:
    """The things in an order in which few pairs are open at a time: a grid of dice goes along its longer
    side, else the sum would take the time of its shorter one's power."""
    left, beside = set(things), defaultdict[int, set[int]](set)
    for pair in pairs:
        beside[pair.first].add(pair.second)
        beside[pair.second].add(pair.first)
    order: list[int] = []
    waiting: set[int] = set()
    while left:
        nearest = min(sorted(left), key=lambda k: (len((waiting | beside[k]) & left - {k}), k not in waiting))
        left.remove(nearest)
        waiting = (waiting | beside[nearest]) & left
        order.append(nearest)
    return order


@lru_cache(maxsize=256)
def _missing(hands: tuple[tuple[tuple[Thing, ...], tuple[Pair, ...], int], ...]) -> Weights:
    """Weights of the dice that players lack, and of those that match, of each player's things and number.

    Places that overlap are counted in each way in which they may, and most ways leave most players as they
    are: those before the first that differs are worked out once.
    """
    if not hands:
        return {(0, 0): 1.0}
    things, pairs, number = hands[-1]
    lacking = {(number - dice, hits): p for (dice, hits), p in _weights(things, pairs, number).items()}
    return _together(_missing(hands[:-1]), lacking)


@lru_cache(maxsize=256)
def _weights(things: tuple[Thing, ...], pairs: tuple[Pair, ...], most: int) -> Weights:
    """The weights of so many dice among the things, and so many matching."""
    states: dict[frozenset[int], Weights] = {frozenset(): {(0, 0): 1.0}}
    for k, thing in enumerate(things):
        found: dict[frozenset[int], dict[tuple[int, int], float]] = defaultdict(lambda: defaultdict(float))
        later = [pair for pair in pairs if pair.first == k]
        for taken, weights in states.items():
            if k in taken:
                _add(found[taken - {k}], weights, (0.0, 0.0, 1.0), most)
                continue
            alone = thing.matches, thing.other, 1 - thing.there
            _add(found[taken], weights, alone, most)
            for pair in later:
                if pair.second not in taken:
                    one = _as_one(thing, things[pair.second], pair)
                    _add(found[taken | {pair.second}], weights, one, most)
        states = dict(found)
    return states[frozenset()]


def _as_one(one: Thing, other: Thing, pair: Pair) -> tuple[float, float, float]:
    """How likely two things are one, as odds: a die that matches, one that does not, or none. One that is a
    die for certain, as by hand, is the die."""
    odds = pair.chance / (1 - pair.chance)
    known = [thing for thing in (one, other) if thing.there >= 1] or [one, other]
    if len(known) == 1:
        return odds * known[0].matches, odds * known[0].other, 0.0
    if one.there >= 1:
        return 0.0, 0.0, 0.0
    there = one.there + other.there
    single = odds * ONE_DIE / there if there else 0.0
    return single * (one.matches + other.matches), single * (one.other + other.other), odds * (1 - ONE_DIE)


def _add(
    found: dict[tuple[int, int], float],
    weights: Weights,
    one: tuple[float, float, float],
    most: int,
) -> None:
    """Add weights after one thing more, which matches, is another die, or is none; `most` dice at most."""
    matches, other, none = one
    for (dice, hits), p in weights.items():
        if none:
            found[dice, hits] += p * none
        if dice < most:
            if matches:
                found[dice + 1, hits + 1] += p * matches
            if other:
                found[dice + 1, hits] += p * other


def _together(one: Weights, other: Weights) -> Weights:
    found: dict[tuple[int, int], float] = defaultdict(float)
    for (a, hits), p in one.items():
        for (b, more), q in other.items():
            found[a + b, hits + more] += p * q
    return found


def _filled(missing: Weights, things: tuple[Thing, ...], pairs: tuple[Pair, ...]) -> Weights:
    """Weights of the dice still missing once the dice without an owner are counted, with the matching
    count."""
    most = max((dice for dice, _ in missing), default=0)
    extra = {(-dice, hits): p for (dice, hits), p in _weights(things, pairs, most).items()}
    return {found: p for found, p in _together(missing, extra).items() if found[0] >= 0}


def _shares(weights: Weights, expected: int, unread: float, matching: float) -> tuple[float, ...]:
    """The probability of each count, where the missing dice are those without any detection."""
    shares = [0.0] * (expected + 1)
    for (lacking, hits), p in weights.items():
        there = p * unread**lacking / math.factorial(lacking)
        for more, chance in enumerate(_binomial(lacking, matching), hits):
            shares[more] += there * chance
    whole = sum(shares)
    return tuple(share / whole for share in shares) if whole else ()


@lru_cache(maxsize=512)
def _binomial(n: int, p: float) -> tuple[float, ...]:
    """The chances of 0 to `n` hits in `n` trials that hit with chance `p`."""
    return tuple([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
