"""The interval of the matching count: certain dice are counted, everything else may be anything.

The one rule behind it: a reading that is not certain says nothing, not even that there is a die. So the
dice not known for certain are just those of the expected number that the certain ones leave open, whether
they were read with doubt, not read, or not seen. Nothing uncertain ever narrows the interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Certain:
    """A certain die as the tally sees it. A die a person spoke for is never the one too many."""

    matches: bool
    by_hand: bool = False
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Doubles:
    """How many certain dice may be others seen once more, at worst: among the matching, and the rest."""

    matching: int = 0
    other: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """lo <= the true count <= hi. `unknown` dice are not known, `excess` certain ones are too many.

    `surplus` and `missing` name players with the number of dice they show too many or too few.
    """

    lo: int
    hi: int
    unknown: int
    excess: int
    surplus: tuple[tuple[str, int], ...] = ()
    missing: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """One group of dice whose number is known."""

    lo: int
    hi: int
    unknown: int
    excess: int


def tally(
    dice: Iterable[Certain],
    expected: int,
    by_player: Mapping[str, int] | None = None,
    doubles: Doubles = Doubles(),
) -> Tally:
    """The interval for `expected` dice in all, of `by_player` each where owners are known.

    Each player's dice are counted against that player's number; dice without an owner fill what the
    players leave open; dice of anybody else are set aside. That way a die too many here and one missing
    there are never taken for a full count.
    """
    dice = tuple(dice)
    by_player = by_player or {}
    groups = {p: [d for d in dice if d.owner == p] for p in by_player}
    parts = {p: _part(group, min(len(group), by_player[p])) for p, group in groups.items()}
    open_ = expected - sum(min(len(groups[p]), number) for p, number in by_player.items())
    nobodys = [d for d in dice if d.owner is None or not by_player]
    rest = _part(nobodys, open_)
    every = (*parts.values(), rest)
    excess = sum(part.excess for part in every)
    lo = sum(part.lo for part in every) - max(0, doubles.matching - excess)
    hi = sum(part.hi for part in every) + doubles.other
    short = tuple((p, by_player[p] - len(group)) for p, group in groups.items() if len(group) < by_player[p])
    return Tally(
        lo=max(lo, 0),
        hi=min(hi, expected),
        unknown=rest.unknown,
        excess=excess,
        surplus=tuple((p, part.excess) for p, part in parts.items() if part.excess),
        missing=() if nobodys else short,
    )


def _part(dice: list[Certain], number: int) -> _Part:
    """Dice against their number: any of those nobody vouched for may be the one too many."""
    excess = max(0, len(dice) - number)
    vouched = sum(d.by_hand for d in dice)
    from_vouched = max(0, excess - (len(dice) - vouched))
    lo_read = sum(d.matches for d in dice if not d.by_hand) - (excess - from_vouched)
    lo_vouched = sum(d.matches for d in dice if d.by_hand) - from_vouched
    unknown = max(0, number - len(dice))
    hi = min(sum(d.matches for d in dice), number) + unknown
    return _Part(max(0, lo_read) + max(0, lo_vouched), hi, unknown, excess)
