"""One die seen from two places: which looks may overlap, and how many dice they may share.

If two pictures overlap, some turn and shift lays one over the other, and then every certain die that falls
well inside the other picture must be found there with its face. Turns are tried around each pair of
dice alike in face and colour; a pair for which every turn is contradicted is two dice. A reader may miss a
die, so a turn that lays several dice over one another stands as long as fewer contradict it. The camera
stands at one height, so the scale is given by the two dice themselves.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.merging import in_view

TURNS = 24
NEAR = 0.6
"""A die is found within this many sizes of where it should be, and a little more further out."""

SLACK = math.pi / TURNS
"""Half a step of the turns: what a die may be off for each unit of distance from the pair."""

MISSES = 2
"""More dice than this are not missed in one look."""

INSIDE = 1.0
"""Dice nearer to the border than this many sizes may be cut off and contradict nothing."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A die where its place's newest picture shows it, in picture widths; face 0 when it is not certain."""

    id: str
    z: complex
    size: float
    face: int
    colour: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """One place: its dice and the height of its picture over the width."""

    dice: tuple[Placed, ...]
    height: float


@dataclass(frozen=True, slots=True)
class Overlap:
    """One way two places may overlap: the pairs of ids that would be one die each."""

    pairs: tuple[tuple[str, str], ...]


def overlaps(places: Sequence[Outlook], told_apart: Iterable[frozenset[str]] = ()) -> tuple[Overlap, ...]:
    """For every pair of places the ways they may overlap; none of `told_apart` is taken for one die."""
    apart = frozenset(told_apart)
    found: dict[Overlap, None] = {}
    for a, b in combinations(places, 2):
        for pair in _ways(a, b):
            if not any(frozenset(ids) in apart for ids in pair.pairs):
                found.setdefault(pair)
    return tuple(found)


def _ways(a: Outlook, b: Outlook) -> Iterator[Overlap]:
    for first in a.dice:
        for second in b.dice:
            if first.face and _alike(first, second):
                for step in range(TURNS):
                    shared = _shared(a, b, first, second, cmath.rect(1, 2 * math.pi * step / TURNS))
                    if shared:
                        yield Overlap(shared)


def _shared(
    a: Outlook, b: Outlook, first: Placed, second: Placed, turn: complex
) -> tuple[tuple[str, str], ...]:
    """The dice both see if `first` is `second` at this turn; none when other dice contradict it."""
    grow = turn * second.size / first.size
    there, against = _found(a.dice, b, first.z, second.z, grow)
    if against > MISSES:
        return ()
    back, against_too = _found(b.dice, a, second.z, first.z, 1 / grow)
    both = {*there, *((own, other) for other, own in back)}
    return tuple(sorted(both)) if against + against_too < len(both) else ()


def _found(
    dice: Iterable[Placed], other: Outlook, pivot: complex, there: complex, grow: complex
) -> tuple[list[tuple[str, str]], int]:
    """Each certain die with its likeness in the other picture, and how many should be there and are not."""
    found, against = [], 0
    for die in dice:
        z, size = there + grow * (die.z - pivot), die.size * abs(grow)
        reach = NEAR * size + SLACK * abs(z - there)
        near = [d for d in other.dice if abs(d.z - z) <= reach and (_alike(die, d) or not d.face)]
        sure = [d for d in near if d.face]
        if die.face and sure:
            found.append((die.id, min(sure, key=lambda d: abs(d.z - z)).id))
        elif die.face and not near and in_view(z, size, other.height, INSIDE + SLACK * abs(z - there) / size):
            against += 1
            if against > MISSES:
                break
    return found, against


def _alike(a: Placed, b: Placed) -> bool:
    return a.face == b.face and (a.colour == b.colour or not (a.colour and b.colour))
