"""What a reveal has to decide, when it is decided, and the interval of the matching count.

The rules give a `Claim`; the reveal needs nothing else of them. The interval [lo, hi] of a claim counts:

- dudo and calza: matching dice;
- a called pass: 1 for justified, 0 for not;
- a roll-off: players whose die is known.

One rule is behind the interval: a reading that is not certain says nothing, not even that there is a die. So
the dice not known for certain are just those of the expected number that the certain ones leave open, whether
they were read with doubt, not read, or not seen.

Where more is seen than should be there, the odd one may be a certain die that nobody plays with: then each
uncertain one too many may stand for a certain one. As long as dice are unseen, nothing shows whether there is
one too many: `stranger` says whether one of the certain ones may be it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

Settled = Callable[[int, int], bool]
"""Whether every value in [lo, hi] gives the same verdict."""


class Kind(StrEnum):
    """The kind of a challenge."""

    DUDO = "dudo"
    CALZA = "calza"
    PASS = "pass"
    ROLL = "roll"


@dataclass(frozen=True, slots=True)
class Claim:
    """The bid that was called, `quantity` dice of `face`, the `wild` face counting too (0: none does).

    A called pass and a roll-off have no face and no quantity.
    """

    kind: Kind
    face: int = 0
    quantity: int = 0
    wild: int = 0

    @property
    def counts(self) -> bool:
        """Whether matching dice are counted at all."""
        return self.kind in (Kind.DUDO, Kind.CALZA)

    def matches(self, face: int) -> bool:
        """Whether a die showing `face` counts for the bid."""
        return self.counts and (face == self.face or (self.wild > 0 and face == self.wild))

    @property
    def chance(self) -> float:
        """The chance that a die nobody has seen matches."""
        return sum(self.matches(face) for face in range(1, 7)) / 6


def settled(claim: Claim) -> Settled:
    """The plain rule: dudo needs lo >= bid or hi < bid; calza also an exact count; the rest lo = hi.

    House rules that take as many dice as the bid was off need a rule of their own.
    """
    if claim.kind is Kind.DUDO:
        return lambda lo, hi: lo >= claim.quantity or hi < claim.quantity
    if claim.kind is Kind.CALZA:
        return lambda lo, hi: lo > claim.quantity or hi < claim.quantity or lo == hi
    return lambda lo, hi: lo == hi


class Seen(Struct, frozen=True):
    """A die, or something like one, as the tally sees it.

    One a person spoke for is never the one too many. What is not `certain` never matches.
    """

    matches: bool = False
    certain: bool = True
    by_hand: bool = False
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Doubles:
    """How many certain dice may be others seen once more, at worst: among the matching, and the rest."""

    matching: int = 0
    other: int = 0


class Tally(Struct, frozen=True):
    """lo <= the true count <= hi. `unknown` dice are not known, `excess` certain ones are too many, `swaps`
    certain ones may be none of the game because that many uncertain ones are too many.

    `stranger`: one certain die may be none of the game, though not one too many is seen, for others are
    unseen: whether that may be one that matches, and one that does not. `surplus` names players
    with the number of dice they show too many.
    """

    lo: int
    hi: int
    unknown: int
    excess: int
    swaps: int = 0
    stranger: tuple[bool, bool] = (False, False)
    surplus: tuple[tuple[str, int], ...] = ()


def tally(
    dice: Iterable[Seen],
    expected: int,
    by_player: Mapping[str, int] | None = None,
    doubles: Doubles = Doubles(),
) -> Tally:
    """The interval for `expected` dice in all, of `by_player` each where owners are known.

    Each player's dice are counted against that player's number; dice without an owner fill what the
    players leave open; dice of anybody else are set aside. That way a die too many here and one missing
    there are never taken for a full count.
    """
    numbers = by_player or {}
    ours = [d for d in dice if not numbers or d.owner is None or d.owner in numbers]
    of = {player: [d for d in ours if d.owner == player] for player in numbers}
    nobodys = [d for d in ours if d.owner is None or not numbers]
    full = {player: min(_certain(of[player]), number) for player, number in numbers.items()}
    parts = {player: _part(of[player], full[player], number) for player, number in numbers.items()}
    left = expected - sum(full.values())
    rest = _part(nobodys, left, left)
    every = _together((*parts.values(), rest), ours, expected)
    loose = nobodys + [
        d for player, number in numbers.items() if len(of[player]) < number for d in of[player]
    ]
    return Tally(
        lo=max(0, every.lo - max(0, doubles.matching - every.excess)),
        hi=min(every.hi + doubles.other, expected),
        unknown=rest.unknown,
        excess=every.excess,
        swaps=every.swaps,
        stranger=(False, False) if len(ours) >= expected else _stranger(loose),
        surplus=tuple((p, part.excess) for p, part in parts.items() if part.excess),
    )


def _together(parts: Collection[Tally], ours: Collection[Seen], expected: int) -> Tally:
    """All parts as one. Uncertain ones may be too many over all where no single part has one too many."""
    swaps, excess = sum(part.swaps for part in parts), sum(part.excess for part in parts)
    more = max(0, _over(ours, expected + excess) - swaps)
    lo, hi = sum(part.lo for part in parts) - more, sum(part.hi for part in parts) + more
    return Tally(lo, hi, sum(part.unknown for part in parts), excess, swaps + more)


def _stranger(loose: Iterable[Seen]) -> tuple[bool, bool]:
    """Whether a matching die, and one that does not match, may lie there in the room of an unseen one."""
    matches = {d.matches for d in loose if d.certain and not d.by_hand}
    return True in matches, False in matches


def _over(dice: Collection[Seen], room: int) -> int:
    """How many uncertain ones are more than there is room for, as far as certain ones could give way."""
    giving = sum(d.certain and not d.by_hand for d in dice)
    return max(0, min(len(dice) - room, giving))


def _certain(dice: Iterable[Seen]) -> int:
    return sum(d.certain for d in dice)


def _part(seen: list[Seen], number: int, room: int) -> Tally:
    """Certain dice against the `number` they are to fill: any of those nobody vouched for may be the one too
    many. `room` is how many dice there may be at all, the uncertain ones included."""
    dice = [d for d in seen if d.certain]
    vouched = sum(d.by_hand for d in dice)
    excess = max(0, len(dice) - number)
    swaps = max(0, min(_over(seen, excess + room), len(dice) - vouched - excess))
    from_vouched = max(0, excess - (len(dice) - vouched))
    lo_read = sum(d.matches for d in dice if not d.by_hand) - excess - swaps
    lo_vouched = sum(d.matches for d in dice if d.by_hand) - from_vouched
    unknown = max(0, number - len(dice))
    hi = min(sum(d.matches for d in dice) + unknown + swaps, number)
    return Tally(max(0, lo_read) + max(0, lo_vouched), hi, unknown, excess, swaps)
