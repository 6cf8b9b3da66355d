"""One die seen from two places: which pictures may overlap, and how many dice they may share.

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
from functools import lru_cache
from itertools import combinations, product

from companion.reveal.alignment import Move, fitted
from companion.reveal.handheld import Pair, Pairs, paired
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

STRONG = 3
"""So many dice lying tight over one another are taken for the same; two when a person confirmed one pair."""

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
    """One place: its dice and the height of its picture over the width. Two separate ones never overlap.
    `handheld`: a phone took it; `owned`: it shows one player's dice."""

    dice: tuple[Placed, ...]
    height: float
    separate: bool = False
    handheld: bool = False
    owned: bool = False

    @property
    def middle(self) -> complex:
        return complex(0.5, self.height / 2)

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(die.id for die in self.dice)


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
        for pairs, tight in _ways(a, b)
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
        and _alike(one, other)
        and abs(one.z - other.z) <= TIGHT * one.size
        and _turned(one, other, 1)
        if frozenset((one.id, other.id)) not in apart
    )


def _whole(a: Outlook, b: Outlook, apart: Pairs, way: Overlap) -> Overlap:
    """A strong overlap with the uncertain dice that it lays over others."""
    laid = _laid_over(a, b, way.pairs)
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


@lru_cache(maxsize=256)
def _ways(a: Outlook, b: Outlook) -> tuple[tuple[tuple[tuple[str, str], ...], bool], ...]:
    """Every set of pairs that some turn leaves possible, and whether its dice fit tightly."""
    found: dict[tuple[tuple[str, str], ...], bool] = {}
    for first in a.dice:
        for second in b.dice:
            if first.face and _alike(first, second):
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
        sure = [d for d in near if _alike(die, d)]
        if sure:
            found.append((die.id, min(sure, key=lambda d: abs(d.z - z)).id))
        elif all(d.face for d in near) and in_view(z, size, other.height, INSIDE + slack / size):
            against += 1
            if against > MISSES:
                break
    return found, against


def _alike(a: Placed, b: Placed) -> bool:
    return a.face == b.face and (a.colour == b.colour or not (a.colour and b.colour))


def _tight(a: Outlook, b: Outlook, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Whether one similarity lays every first die over its second."""
    if len(pairs) < 2 or len({second for _, second in pairs}) < len(pairs) or len(dict(pairs)) < len(pairs):
        return False
    here, there = {d.id: d for d in a.dice}, {d.id: d for d in b.dice}
    move = _laid_over(a, b, pairs)
    laid = [(here[first], there[second]) for first, second in pairs]
    rest = max(abs(move(old.z) - new.z) / new.size for old, new in laid)
    even = 0.8 < abs(move.turn) < 1.25
    return even and rest <= TIGHT and all(_turned(old, new, move.turn) for old, new in laid)


def _laid_over(a: Outlook, b: Outlook, pairs: tuple[tuple[str, str], ...]) -> Move:
    """The move that lays the first dice over the second best."""
    here, there = {d.id: d.z for d in a.dice}, {d.id: d.z for d in b.dice}
    return fitted([here[first] for first, _ in pairs], [there[second] for _, second in pairs])


def _turned(first: Placed, second: Placed, turn: complex) -> bool:
    """Whether the angles of both agree with the turn, as far as they are known."""
    if first.angle_deg is None or second.angle_deg is None or first.face == ACE:
        return True
    off = (first.angle_deg + math.degrees(cmath.phase(turn)) - second.angle_deg) % 90
    return min(off, 90 - off) <= MAX_TILT_DEG
