"""The turns and shifts that lay one picture's dice over those of another. Pure geometry.

If two pictures overlap, some turn and shift lays one over the other, and then every certain die that falls
well inside the other picture must be found there with its face. Turns are tried around each pair of
dice alike in face and colour; a pair for which every turn is contradicted is two dice. A reader may miss a
die, so a turn that lays several dice over one another stands as long as fewer contradict it. The camera
stands at one height, so the scale is given by the two dice themselves.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.reveal.alignment import Move, fitted
from companion.reveal.merging import in_view
from companion.rules.dice import ACE

STEP_DEG = 7.5
MAX_TILT_DEG = 12.0
TILTED = (-9.0, -3.0, 3.0, 9.0)
"""Turns are tried all round, or about the four that the angles of both dice leave, in steps no coarser."""

NEAR = 0.6
"""A die is found within this many sizes of where it should be, and a little more further out."""

SLACK = math.radians(STEP_DEG / 2)
"""Half a step of the turns: what a die may be off for each unit of distance from the pair."""

MISSES = 2
"""More dice than this are not missed in one picture."""

TIGHT = 0.35
"""Dice laid over one another leave no more than this many sizes over when they really are the same."""

ELSEWHERE = 0.35
STAYED = 0.1
"""A box is set down more than a third of a picture away, or it was not moved at all."""

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
    angle_deg: float | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """One place: its dice and the height of its picture over the width. Two separate ones never overlap."""

    dice: tuple[Placed, ...]
    height: float
    separate: bool = False

    @property
    def middle(self) -> complex:
        return complex(0.5, self.height / 2)

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(die.id for die in self.dice)


@lru_cache(maxsize=256)
def possible_ways(a: Outlook, b: Outlook) -> tuple[tuple[tuple[tuple[str, str], ...], bool], ...]:
    """Every set of pairs that some turn leaves possible, and whether its dice fit tightly."""
    found: dict[tuple[tuple[str, str], ...], bool] = {}
    for first in a.dice:
        for second in b.dice:
            if first.face and alike(first, second):
                for turn in _turns(first, second):
                    pairs = _shared(a, b, first, second, turn)
                    if pairs and pairs not in found:
                        found[pairs] = _tight(a, b, pairs)
    return tuple(found.items())


def _turns(first: Placed, second: Placed) -> Iterator[complex]:
    """The turns that could bring `first` onto `second`. The square of an ace is too vague to go by."""
    if first.angle_deg is None or second.angle_deg is None or first.face == ACE:
        tries = [STEP_DEG * step for step in range(round(360 / STEP_DEG))]
    else:
        tilt = second.angle_deg - first.angle_deg
        tries = [tilt + quarter + off for quarter in (0, 90, 180, 270) for off in TILTED]
    return (cmath.rect(1, math.radians(degrees)) for degrees in tries)


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
    if against + against_too >= len(both) or (len(both) == 1 and not _plausible(a, b, first, second, grow)):
        return ()
    return tuple(sorted(both))


def _plausible(a: Outlook, b: Outlook, first: Placed, second: Placed, grow: complex) -> bool:
    """Whether the box was left standing or was really set elsewhere. One die alone cannot decide that."""
    middle_b = first.z + (b.middle - second.z) / grow
    moved = abs(middle_b - a.middle)
    stayed = moved < STAYED and abs(cmath.phase(grow)) < math.radians(15)
    return stayed or moved > ELSEWHERE


def _found(
    dice: Iterable[Placed], other: Outlook, pivot: complex, there: complex, grow: complex
) -> tuple[list[tuple[str, str]], int]:
    """Each certain die with its likeness in the other picture, and how many should be there and are not."""
    found, against, scale = [], 0, abs(grow)
    for die in dice:
        z, size = there + grow * (die.z - pivot), die.size * scale
        if not die.face or not in_view(z, size, other.height, -1):
            continue
        slack = SLACK * abs(z - there)
        near = [d for d in other.dice if abs(d.z - z) <= NEAR * size + slack]
        sure = [d for d in near if alike(die, d)]
        if sure:
            found.append((die.id, min(sure, key=lambda d: abs(d.z - z)).id))
        elif all(d.face for d in near) and in_view(z, size, other.height, INSIDE + slack / size):
            against += 1
            if against > MISSES:
                break
    return found, against


def alike(a: Placed, b: Placed) -> bool:
    """Whether both have one face, and one colour where both colours are known."""
    return a.face == b.face and (a.colour == b.colour or not (a.colour and b.colour))


def _tight(a: Outlook, b: Outlook, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Whether one similarity lays every first die over its second."""
    if len(pairs) < 2 or len({second for _, second in pairs}) < len(pairs) or len(dict(pairs)) < len(pairs):
        return False
    here, there = {d.id: d for d in a.dice}, {d.id: d for d in b.dice}
    move = laid_over(a, b, pairs)
    laid = [(here[first], there[second]) for first, second in pairs]
    rest = max(abs(move(old.z) - new.z) / new.size for old, new in laid)
    even = 0.8 < abs(move.turn) < 1.25
    return even and rest <= TIGHT and all(turned(old, new, move.turn) for old, new in laid)


def laid_over(a: Outlook, b: Outlook, pairs: tuple[tuple[str, str], ...]) -> Move:
    """The move that lays the first dice over the second best."""
    here, there = {d.id: d.z for d in a.dice}, {d.id: d.z for d in b.dice}
    return fitted([here[first] for first, _ in pairs], [there[second] for _, second in pairs])


def turned(first: Placed, second: Placed, turn: complex) -> bool:
    """Whether the angles of both agree with the turn, as far as they are known."""
    if first.angle_deg is None or second.angle_deg is None or first.face == ACE:
        return True
    off = (first.angle_deg + math.degrees(cmath.phase(turn)) - second.angle_deg) % 90
    return min(off, 90 - off) <= MAX_TILT_DEG
