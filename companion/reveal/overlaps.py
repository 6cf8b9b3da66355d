"""One die seen from two places: which pictures may overlap, and how many dice they may share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from companion.reveal.handheld import Pair, Pairs, paired
from companion.reveal.overlay import NEAR, TIGHT, Outlook, alike, laid_over, possible_ways, turned

STRONG = 3
"""So many dice lying tight over one another are taken for the same; two when a person confirmed one pair."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """One way two places may overlap: the pairs of ids that would be one die each.

    `tight` when one turn and shift lays the dice over one another, `strong` when so many fit so well that
    nobody need be asked.
    """

    pairs: tuple[Pair, ...]
    strong: bool = False
    tight: bool = False


def overlaps(
    places: Sequence[Outlook],
    apart: Pairs = frozenset(),
    same: Pairs = frozenset(),
    *,
    by_hand: bool = True,
) -> tuple[Overlap, ...]:
    """For every two places the ways they may overlap, or the one way that is strong.

    No pair of `apart` is taken for one die; pairs of `same` are known to be one. Without `by_hand` those of
    phones are left out.
    """
    found: list[Overlap] = []
    for a, b in combinations(places, 2):
        if not (a.separate and b.separate) and (by_hand or not _by_hand(a, b)):
            found += _between(a, b, apart, same)
    return tuple(found)


def by_faces(
    places: Sequence[Outlook], expected: int, apart: Pairs = frozenset(), same: Pairs = frozenset()
) -> tuple[Pair, ...]:
    """Of every two pictures of which a phone took one the pairs that may be one die each, by their faces
    alone; `expected` dice lie there in all. None where two dice of one picture would be one by them."""
    pairs = tuple(
        pair
        for a, b in combinations(places, 2)
        if _by_hand(a, b) and not (a.separate and b.separate)
        for pair in paired(a.dice, b.dice, expected, apart, same)
    )
    sure = {die.id for place in places for die in place.dice if die.face}
    known = [pair for pair in pairs if sure >= set(pair)]
    return pairs if all(_at_most_one(place.ids, known) for place in places) else ()


def _by_hand(a: Outlook, b: Outlook) -> bool:
    """Whether only a person can decide that two pictures do not overlap, since geometry cannot.

    Pictures of single players belong to these players, so their dice have owners.
    """
    return (a.handheld or b.handheld) and not (a.owned and b.owned)


def _at_most_one(ids: frozenset[str], pairs: Iterable[Pair]) -> bool:
    """Whether no two of these dice are one by any chain of pairs."""
    root: dict[str, str] = {}

    def of(id_: str) -> str:
        while id_ in root:
            id_ = root[id_]
        return id_

    for one, other in pairs:
        if of(one) != of(other):
            root[of(one)] = of(other)
    return len({of(id_) for id_ in ids}) == len(ids)


def _between(a: Outlook, b: Outlook, apart: Pairs, same: Pairs) -> list[Overlap]:
    """The ways two places may overlap, or the one that is strong."""
    known = {pair for pair in same if pair & a.ids and pair & b.ids}
    sure = {die.id for die in (*a.dice, *b.dice) if die.face}
    required = {pair for pair in known if pair <= sure}  # dice in doubt are laid over nothing by themselves
    ways = [
        Overlap(pairs, tight and len(pairs) >= (STRONG - 1 if known else STRONG), tight)
        for pairs, tight in possible_ways(a, b)
        if not apart & _sets(pairs) and required <= _sets(pairs)
    ]
    strong = [way for way in ways if way.strong]
    if strong:
        return [_whole(a, b, apart, max(strong, key=lambda way: len(way.pairs)))]
    if _by_hand(a, b):
        pairs = paired(a.dice, b.dice, math.inf, apart, same)
        return [Overlap(pairs)] if pairs else []
    one_is_enough = not (a.handheld or b.handheld)  # elsewhere one die alike means nothing
    return [way for way in ways if one_is_enough or len(way.pairs) > 1]


def unmoved(places: Sequence[Outlook], apart: Pairs = frozenset()) -> tuple[Overlap, ...]:
    """Pairs of dice in the very same spot of two pictures, alike in all they show: the box or the die
    may have been left where it was."""
    return tuple(
        Overlap(((one.id, other.id),))
        for a, b in combinations(places, 2)
        if not (a.separate and b.separate)
        for one, other in product(a.dice, b.dice)
        if one.face
        and alike(one, other)
        and abs(one.z - other.z) <= TIGHT * one.size
        and turned(one, other, 1)
        if frozenset((one.id, other.id)) not in apart
    )


def _whole(a: Outlook, b: Outlook, apart: Pairs, way: Overlap) -> Overlap:
    """A strong overlap with the uncertain dice that it lays over others."""
    laid = laid_over(a, b, way.pairs)
    paired = {id_ for pair in way.pairs for id_ in pair}
    more = []
    for die, other in product(a.dice, b.dice):
        near = abs(laid(die.z) - other.z) <= NEAR * other.size
        settled = bool(die.face and other.face) or frozenset((die.id, other.id)) in apart
        if near and not settled and not {die.id, other.id} & paired:
            more.append((die.id, other.id))
            paired |= {die.id, other.id}
    return Overlap((*way.pairs, *more), strong=True)


def _sets(pairs: Iterable[tuple[str, str]]) -> Pairs:
    return frozenset(frozenset(pair) for pair in pairs)
