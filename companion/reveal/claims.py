"""What a reveal has to decide, and when it is decided.

The rules give a `Claim`; the reveal needs nothing else of them. The interval [lo, hi] of a claim counts:

- dudo and calza: matching dice;
- a called pass: 1 for justified, 0 for not;
- a roll-off: players whose die is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

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
