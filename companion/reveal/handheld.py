"""One die in two pictures of phones: held by hand, at any height and slant, so that no shift or turn is
proof that two dice are one.

What two such pictures say together is therefore the union of their faces: as many dice of a face as the one
shows that shows more of it. That is never more than lie on the table. Every pair of dice alike may be one
die, until a person says otherwise or the dice that are known to be there leave no room for two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

Pair = tuple[str, str]
Pairs = frozenset[frozenset[str]]


class Die(Protocol):
    """A die of one picture; face 0 when it is not certain."""

    @property
    def id(self) -> str: ...

    @property
    def face(self) -> int: ...


def paired(
    a: Sequence[Die], b: Sequence[Die], expected: float, apart: Pairs = frozenset(), same: Pairs = frozenset()
) -> tuple[Pair, ...]:
    """The pairs of ids that may be one die each: as many as there can be of certain dice with equal faces.

    No pair of `apart` is among them, every pair of `same` is. Else the first die of a face goes with the
    first, the second with the second, so that the pairs of several pictures agree. If one picture shows all
    `expected` dice, what is uncertain in the other is one of them, too.
    """
    alike = _alike(a, b, apart, same)
    if max(len(a), len(b)) < expected:
        return alike
    return (*alike, *_uncertain(a, b, alike))


def _alike(a: Sequence[Die], b: Sequence[Die], apart: Pairs, same: Pairs) -> tuple[Pair, ...]:
    """A largest matching of certain dice with equal faces (augmenting paths); those of `same` come first."""
    partner: dict[str, str] = {}
    options = {die.id: _partners(die, b, apart, same) for die in a if die.face}

    def found(id_: str, tried: set[str]) -> bool:
        for other in sorted(options[id_], key=partner.__contains__):  # free ones first
            if other not in tried:
                tried.add(other)
                if other not in partner or found(partner[other], tried):
                    partner[other] = id_
                    return True
        return False

    for id_ in options:
        found(id_, set())
    order = {die.id: at for at, die in enumerate(a)}
    return tuple(sorted(((one, other) for other, one in partner.items()), key=lambda pair: order[pair[0]]))


def _partners(die: Die, others: Iterable[Die], apart: Pairs, same: Pairs) -> list[str]:
    """The ids of the other picture that may be this die."""
    known = [other.id for other in others if frozenset((die.id, other.id)) in same]
    if known:
        return known
    taken = {id_ for pair in same for id_ in pair}
    return [
        other.id
        for other in others
        if other.face == die.face and other.id not in taken and frozenset((die.id, other.id)) not in apart
    ]


def _uncertain(a: Sequence[Die], b: Sequence[Die], alike: Sequence[Pair]) -> tuple[Pair, ...]:
    """Uncertain dice with those of the other picture that are left over, certain ones first. What is left of
    the picture with fewer dice goes with any of the other."""
    met = {id_ for pair in alike for id_ in pair}
    sure_a, unsure_a = _rest(a, met)
    sure_b, unsure_b = _rest(b, met)
    pairs = [*zip(unsure_a, sure_b, strict=False), *zip(sure_a, unsure_b, strict=False)]
    left_a, left_b = unsure_a[len(sure_b) :], unsure_b[len(sure_a) :]
    pairs += zip(left_a, left_b, strict=False)
    if len(a) >= len(b):
        pairs += [(a[0].id, other) for other in left_b[len(left_a) :]]
    else:
        pairs += [(one, b[0].id) for one in left_a[len(left_b) :]]
    return tuple(pairs)


def _rest(dice: Iterable[Die], met: set[str]) -> tuple[list[str], list[str]]:
    """The ids that have no partner yet: of certain dice, and of uncertain ones."""
    left = [die for die in dice if die.id not in met]
    return [die.id for die in left if die.face], [die.id for die in left if not die.face]
