"""One die seen from two places: which pictures may overlap, which dice they share, and what is counted once.

The geometry is pure. If two pictures overlap, some turn and shift lays one over the other, and then every
certain die that falls well inside the other picture must be found there with its face. Turns are tried around
each pair of dice alike in face and colour; a pair for which every turn is contradicted is two dice. A reader
may miss a die, so a turn that lays several dice over one another stands as long as fewer contradict it. The
camera stands at one height, so the scale is given by the two dice themselves. What is only suspected is asked
about.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product

from msgspec import Struct

from companion.reveal.alignment import REACH, Landmark, Move, alike, fitted
from companion.reveal.claims import Kind
from companion.reveal.merging import INSIDE, PlaceView, in_view
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import RevealState
from companion.rules.dice import ACE

STEP_DEG = 7.5
MAX_TILT_DEG = 12.0
TILTED = (-9.0, -3.0, 3.0, 9.0)
"""Turns are tried all round, or about the four that the angles of both dice leave, in steps no coarser."""

SLACK = math.radians(STEP_DEG / 2)
"""Half a step of the turns: what a die may be off besides for each unit of distance from the pair."""

MISSES = 2
"""More dice than this are not missed in one picture."""

TIGHT = 0.35
"""Dice laid over one another leave no more than this many sizes over when they really are the same."""

ELSEWHERE = 0.35
STAYED = 0.1
"""A box is set down more than a third of a picture away, or it was not moved at all."""


class Outlook(Struct, frozen=True):
    """One place: its dice as its newest picture shows them, face 0 where one is not certain, and the height
    of that picture over the width."""

    dice: tuple[Landmark, ...]
    height: float

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
            if alike(first, second):
                for turn in _turns(first, second):
                    pairs = _shared(a, b, first, second, turn)
                    if pairs and pairs not in found:
                        found[pairs] = _tight(a, b, pairs)
    return tuple(found.items())


def _turns(first: Landmark, second: Landmark) -> Iterator[complex]:
    """The turns that could bring `first` onto `second`. The square of an ace is too vague to go by."""
    if first.angle_deg is None or second.angle_deg is None or first.face == ACE:
        tries = [STEP_DEG * step for step in range(round(360 / STEP_DEG))]
    else:
        tilt = second.angle_deg - first.angle_deg
        tries = [tilt + quarter + off for quarter in (0, 90, 180, 270) for off in TILTED]
    return (cmath.rect(1, math.radians(degrees)) for degrees in tries)


def _shared(
    a: Outlook, b: Outlook, first: Landmark, second: Landmark, turn: complex
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


def _plausible(a: Outlook, b: Outlook, first: Landmark, second: Landmark, grow: complex) -> bool:
    """Whether the box was left standing or was really set elsewhere. One die alone cannot decide that."""
    middle_b = first.z + (b.middle - second.z) / grow
    moved = abs(middle_b - a.middle)
    stayed = moved < STAYED and abs(cmath.phase(grow)) < math.radians(15)
    return stayed or moved > ELSEWHERE


def _found(
    dice: Iterable[Landmark], other: Outlook, pivot: complex, there: complex, grow: complex
) -> tuple[list[tuple[str, str]], int]:
    """Each certain die with its likeness in the other picture, and how many should be there and are not."""
    found, against, scale = [], 0, abs(grow)
    for die in dice:
        z, size = there + grow * (die.z - pivot), die.size * scale
        if not die.face or not in_view(z, size, other.height, -1):
            continue
        slack = SLACK * abs(z - there)
        near = [d for d in other.dice if abs(d.z - z) <= REACH * size + slack]
        sure = [d for d in near if alike(die, d)]
        if sure:
            found.append((die.id, min(sure, key=lambda d: abs(d.z - z)).id))
        elif all(d.face for d in near) and in_view(z, size, other.height, INSIDE + slack / size):
            against += 1
            if against > MISSES:
                break
    return found, against


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


def turned(first: Landmark, second: Landmark, turn: complex) -> bool:
    """Whether the angles of both agree with the turn, as far as they are known."""
    if first.angle_deg is None or second.angle_deg is None or first.face == ACE:
        return True
    off = (first.angle_deg + math.degrees(cmath.phase(turn)) - second.angle_deg) % 90
    return min(off, 90 - off) <= MAX_TILT_DEG


Pair = tuple[str, str]
Pairs = frozenset[frozenset[str]]

STRONG = 3
"""So many dice lying tight over one another are taken for the same; two when a person confirmed one pair."""


class Overlap(Struct, frozen=True):
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
    return tuple(way for a, b in combinations(places, 2) for way in _between(a, b, apart, same))


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
        return [_with_doubtful(a, b, apart, max(strong, key=lambda way: len(way.pairs)))]
    return ways


def unmoved(places: Sequence[Outlook], apart: Pairs) -> tuple[Overlap, ...]:
    """Pairs of dice in the very same spot of two pictures, alike in all they show: the box or the die
    may have been left where it was."""
    return tuple(
        Overlap(((one.id, other.id),))
        for a, b in combinations(places, 2)
        for one, other in product(a.dice, b.dice)
        if alike(one, other) and abs(one.z - other.z) <= TIGHT * one.size and turned(one, other, 1)
        if frozenset((one.id, other.id)) not in apart
    )


def _with_doubtful(a: Outlook, b: Outlook, apart: Pairs, way: Overlap) -> Overlap:
    """A strong overlap with the uncertain dice that it lays over others."""
    laid = laid_over(a, b, way.pairs)
    paired = {id_ for pair in way.pairs for id_ in pair}
    more = []
    for die, other in product(a.dice, b.dice):
        near = abs(laid(die.z) - other.z) <= REACH * other.size
        settled = bool(die.face and other.face) or frozenset((die.id, other.id)) in apart
        if near and not settled and not {die.id, other.id} & paired:
            more.append((die.id, other.id))
            paired |= {die.id, other.id}
    return Overlap((*way.pairs, *more), strong=True)


def _sets(pairs: Iterable[tuple[str, str]]) -> Pairs:
    return frozenset(frozenset(pair) for pair in pairs)


MAX_WAYS = 64
"""More ways for places to overlap are not looked into one by one."""


def counted_once(
    state: RevealState, dice: tuple[RevealedDie, ...]
) -> tuple[tuple[RevealedDie, ...], tuple[Overlap, ...]]:
    """The dice, those seen from two places marked as twins, and the overlaps that are only suspected.

    A strong overlap is believed as long as it leaves no die missing; otherwise it is asked about. A phone's
    picture shares its dice with none: it shows one cup, or everybody's dice.
    """
    of_the_box = [view for view in state.places if view.phone is None]
    if len(of_the_box) < 2:
        return dice, ()
    outlooks = [_outlook(view, dice) for view in of_the_box]
    if state.claim.kind is Kind.ROLL:
        return _marked(dice, state.same), unmoved(outlooks, state.apart | state.same)
    marked = _marked(dice, state.same)
    found = overlaps(outlooks, state.apart, state.same)
    for overlap in found:
        once = _marked(marked, map(frozenset, overlap.pairs))
        if _believed(overlap, found, once, state.expected):
            marked = once
    twins = {d.id for d in marked if d.twin}
    open_ = (tuple(p for p in overlap.pairs if not twins & set(p)) for overlap in found)
    return marked, tuple(Overlap(pairs) for pairs in dict.fromkeys(open_) if pairs)


def _believed(overlap: Overlap, found: Sequence[Overlap], once: Sequence[RevealedDie], expected: int) -> bool:
    """Whether dice laid over one another are the same, `once` being the dice where each of them counts once.

    A strong overlap, as long as it leaves no die missing. Two dice tight over two others where nothing else
    fits as well and just two too many are read: four that fit by chance would need two strangers besides.
    """
    if overlap.strong or not overlap.tight or len(overlap.pairs) != STRONG - 1:
        return overlap.strong and _counted(once) >= expected
    others = (one for one in found if one != overlap and places_of(one) == places_of(overlap))
    exact = _counted(once) == expected == sum(die.counted and die.face > 0 for die in once)
    return exact and all(len(one.pairs) < STRONG - 1 for one in others)


def ways(dice: Sequence[RevealedDie], shared: Sequence[Overlap]) -> tuple[tuple[RevealedDie, ...], ...]:
    """The dice in every way in which the places may overlap, first as if none did; () for too many ways."""
    of_places: dict[tuple[str, str], list[tuple[Pair, ...]]] = {}
    for overlap in shared:
        of_places.setdefault(places_of(overlap), [()]).append(overlap.pairs)
    if math.prod(map(len, of_places.values())) > MAX_WAYS:
        return ()
    chosen = product(*of_places.values())
    return tuple(_marked(tuple(dice), (frozenset(pair) for pairs in one for pair in pairs)) for one in chosen)


def places_of(overlap: Overlap) -> tuple[str, str]:
    """The two places that may overlap."""
    first, second = overlap.pairs[0]
    return first.rpartition(".")[0], second.rpartition(".")[0]


def _counted(dice: Iterable[RevealedDie]) -> int:
    return sum(die.counted for die in dice)


def _marked(dice: tuple[RevealedDie, ...], pairs: Iterable[frozenset[str]]) -> tuple[RevealedDie, ...]:
    """Of each pair the die that does not count names its twin: the certain one, or the one nearer to its
    picture's middle."""
    known, twins = {d.id: d for d in dice}, {}
    for pair in pairs:
        if pair <= known.keys():
            kept, twin = sorted(pair, key=lambda id_: (not known[id_].certain, _off_centre(known[id_]), id_))
            twins[twin] = kept
    return tuple([replace(d, twin=twins[d.id]) if d.id in twins else d for d in dice])


def _outlook(view: PlaceView, dice: Iterable[RevealedDie]) -> Outlook:
    here = (d for d in dice if d.place == view.name and not d.struck)
    return Outlook(tuple(_landmark(d, view.height) for d in here), view.height)


def _off_centre(die: RevealedDie) -> float:
    return abs(complex((die.x or 0.0) - 0.5, (die.y or 0.0) - 0.5))


def _landmark(die: RevealedDie, height: float) -> Landmark:
    z = complex(die.x or 0.0, (die.y or 0.0) * height)
    return Landmark(z, die.size, die.face if die.certain else 0, die.id, die.colour, die.angle)
