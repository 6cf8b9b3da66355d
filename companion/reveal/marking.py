"""Several dice in one question: marked with what they are taken for, and confirmed all with one tap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.reveal.claims import Claim
from companion.reveal.revealed import RevealedDie

MAX_MARKED = 6
"""So many dice are seen side by side on a phone."""

EVEN = 0.5
"""Minimum probability that all marks are right: else the dice are asked about one by one."""

Settles = Callable[[Sequence[RevealedDie]], bool]
"""Whether the verdict is settled with these dice."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A die and the face it is taken for, 0 for no die; `chance` is the probability that this is right."""

    die: str
    face: int
    chance: float


def mark_of(die: RevealedDie) -> Mark | None:
    """What an uncertain die most likely is; None where nothing tells."""
    there = sum(die.chances)
    if die.chances and there < EVEN:
        return Mark(die.id, 0, 1 - there)
    if not die.face:
        return None
    return Mark(die.id, die.face, die.chances[die.face - 1] if die.chances else die.confidence)


def confirmed(claim: Claim, dice: Iterable[RevealedDie], marks: Iterable[Mark]) -> tuple[RevealedDie, ...]:
    """The dice as they are once a person confirms these marks."""
    faces = {mark.die: mark.face for mark in marks}
    return tuple(_confirmed(claim, die, faces[die.id]) if die.id in faces else die for die in dice)


def _confirmed(claim: Claim, die: RevealedDie, face: int) -> RevealedDie:
    chances = tuple(float(face == one) for one in range(1, 7))
    shown = replace(die, certain=True, by_hand=True, confidence=1.0, why=())
    if not face:
        return replace(shown, struck=True, matches=False)
    return replace(shown, face=face, matches=claim.matches(face), chances=chances)


def together(
    claim: Claim, dice: Sequence[RevealedDie], order: Sequence[RevealedDie], settles: Settles
) -> tuple[Mark, ...]:
    """The first dice in the order of asking that settle the verdict if all are what they seem.

    One that settles it alone is taken first, the surest of these. No more than are all right more often than
    not; () where the first is none of these.
    """
    marks = []
    for mark in map(mark_of, order[:MAX_MARKED]):
        if mark is None:
            break
        marks.append(mark)
    alone = [mark for mark in marks if settles(confirmed(claim, dice, [mark]))]
    if alone:
        return (max(alone, key=lambda mark: mark.chance),)
    right, taken = 1.0, list[Mark]()
    for mark in marks:
        right *= mark.chance
        if right < EVEN:
            break
        taken.append(mark)
        if len(taken) > 1 and settles(confirmed(claim, dice, taken)):
            break
    return tuple(taken)
