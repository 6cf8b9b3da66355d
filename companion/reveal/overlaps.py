"""One die seen from two places: which pictures may overlap, and how many dice they may share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from companion.reveal.overlay import NEAR, TIGHT, Outlook, alike, laid_over, possible_ways, turned

Pair = tuple[str, str]
Pairs = frozenset[frozenset[str]]

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
    places: Sequence[Outlook], apart: Pairs = frozenset(), same: Pairs = frozenset()
) -> tuple[Overlap, ...]:
    """For every two places the ways they may overlap, or the one way that is strong.

    No pair of `apart` is taken for one die; pairs of `same` are known to be one.
    """
    found: list[Overlap] = []
    for a, b in combinations(places, 2):
        if not (a.separate and b.separate):
            found += _between(a, b, apart, same)
    return tuple(found)


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
    return ways


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
