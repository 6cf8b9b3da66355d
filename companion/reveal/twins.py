"""Dice that two places show: each is counted once, and what is only suspected is asked about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from companion.reveal.claims import Kind
from companion.reveal.merging import PlaceView
from companion.reveal.overlaps import STRONG, Overlap, Pair, overlaps, unmoved
from companion.reveal.overlay import Outlook, Placed
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import RevealState

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
    outlooks = [_outlook(view, dice, view.name in state.separate) for view in of_the_box]
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


def _outlook(view: PlaceView, dice: Iterable[RevealedDie], separate: bool) -> Outlook:
    here = (d for d in dice if d.place == view.name and not d.struck)
    return Outlook(tuple(_spot(d, view.height) for d in here), view.height, separate)


def _off_centre(die: RevealedDie) -> float:
    return abs(complex((die.x or 0.0) - 0.5, (die.y or 0.0) - 0.5))


def _spot(die: RevealedDie, height: float) -> Placed:
    z = complex(die.x or 0.0, (die.y or 0.0) * height)
    return Placed(die.id, z, die.size, die.face if die.certain else 0, die.colour, die.angle)
