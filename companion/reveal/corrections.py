"""Corrections that a person makes to the dice of a reveal. They are certain, and stay through further
pictures.

Dice are named by the ids of `companion.reveal.revealed.RevealedDie`; positions are fractions of the picture.
Each is the value, and its form in commands and journals.
"""

from __future__ import annotations

from itertools import chain
from typing import Annotated, TypeAlias

from msgspec import Meta

from companion.errors import BadCommand
from companion.rules.fields import LARGEST_NUMBER, MAX_PLAYERS, Share, Text
from companion.rules.records import Sent

EnteredFace: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 6})]
EnteredCount: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": LARGEST_NUMBER})]

MAX_ANSWERS = 30
"""The most dice that one tap may confirm."""


class OfDie(Sent, frozen=True):
    """A person's correction of a die."""

    die: Text


class OfTwo(Sent, frozen=True):
    """A person's correction of two dice that two places show."""

    first: Text
    second: Text


class SetFace(OfDie, tag="set_face", frozen=True):
    """The die `die` shows `face`, whatever was read."""

    face: EnteredFace


class Strike(OfDie, tag="strike", frozen=True):
    """`die` is not a die, or not one to be counted."""


class CutOff(OfDie, tag="cut_off", frozen=True):
    """The border of the picture cuts `die`: it counts as not seen, until an observation shows it whole."""


class SetOwner(OfDie, tag="set_owner", frozen=True):
    """`die` belongs to `player`, whatever its colour or place."""

    player: Text


class AsRead(Sent, tag="as_read", frozen=True):
    """Everything that was read in `place` is right."""

    place: Text


class Add(Sent, tag="add_die", frozen=True):
    """A die nobody read: with its place and position, or without (rolled off the table)."""

    face: EnteredFace
    place: Text | None = None
    x: Share | None = None
    y: Share | None = None
    player: Text | None = None


class Hand(Sent, tag="hand", frozen=True):
    """All dice of a player at once, rolled in the phone or entered by hand. A later hand replaces it."""

    player: Text
    faces: Annotated[tuple[EnteredFace, ...], Meta(max_length=MAX_PLAYERS)]


class SameDie(OfTwo, tag="same_die", frozen=True):
    """`second` is the die `first` seen once more from another place; it counts once."""


class TwoDice(OfTwo, tag="two_dice", frozen=True):
    """`first` and `second` are two dice, however alike they look."""


class AllApart(Sent, tag="all_apart", frozen=True):
    """No die was seen twice: none of the places looked at so far overlap."""


class TakenFor(Sent, tag="taken_for", frozen=True):
    """The newest picture of `place` shows the cup of `player`, or the dice of everybody."""

    place: Text
    player: Text | None = None


class ByHand(Sent, tag="type_count", frozen=True):
    """The person counted: `count` matching dice (or 1 for a justified pass, 0 for a bluffed one)."""

    count: EnteredCount


class Several(Sent, tag="several", frozen=True):
    """What one tap says of several dice: of each its face, or that it is none, or of each pair that it is two
    dice."""

    answers: Annotated[tuple[SetFace | Strike | TwoDice, ...], Meta(min_length=1, max_length=MAX_ANSWERS)]


AboutDie = SetFace | Strike | CutOff | SetOwner
"""A correction of one die alone."""

Correction = AboutDie | AsRead | Add | Hand | SameDie | TwoDice | AllApart | TakenFor | ByHand | Several


def dice_of(correction: Correction) -> tuple[str, ...]:
    """The ids of the dice that a correction names."""
    if isinstance(correction, Several):
        return tuple(chain.from_iterable(map(dice_of, correction.answers)))
    named = (getattr(correction, name, "") for name in ("die", "first", "second"))
    return tuple(die for die in named if die)


def check(correction: Correction) -> None:
    """Raises BadCommand for faces outside 1 to 6, a negative count, or no position within 0 to 1."""
    if isinstance(correction, Several):
        for answer in correction.answers:
            check(answer)
    if isinstance(correction, Hand):
        faces: tuple[object, ...] = correction.faces
    else:
        faces = (correction.face,) if isinstance(correction, SetFace | Add) else ()
    if not all(type(face) is int and 1 <= face <= 6 for face in faces):
        raise BadCommand("bad_face")
    if isinstance(correction, ByHand) and correction.count < 0:
        raise BadCommand("bad_quantity")
    if isinstance(correction, Add) and not _within(correction):
        raise BadCommand("correction_unreadable")


def _within(added: Add) -> bool:
    """Whether a die has no position, or one in its picture; a NaN is none."""
    if added.x is None or added.y is None:
        return added.x is added.y
    return 0 <= added.x <= 1 and 0 <= added.y <= 1
