"""Corrections that a person makes to the dice of a reveal. They are certain, and stay through further
pictures.

Dice are named by the ids of `companion.reveal.state.RevealedDie`; positions are fractions of the picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from companion.errors import BadCommand
from companion.json_types import Body, body


@dataclass(frozen=True, slots=True)
class SetFace:
    """The die `die` shows `face`, whatever was read."""

    die: str
    face: int


@dataclass(frozen=True, slots=True)
class Strike:
    """`die` is not a die, or not one to be counted."""

    die: str


@dataclass(frozen=True, slots=True)
class CutOff:
    """The border of the picture cuts `die`: it counts as not seen, until an observation shows it whole."""

    die: str


@dataclass(frozen=True, slots=True)
class SetOwner:
    """`die` belongs to `player`, whatever its colour or place."""

    die: str
    player: str


@dataclass(frozen=True, slots=True)
class AsRead:
    """Everything that was read in `place` is right."""

    place: str


@dataclass(frozen=True, slots=True)
class Add:
    """A die nobody read: with its place and position, or without (rolled off the table)."""

    face: int
    place: str | None = None
    x: float | None = None
    y: float | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """All dice of a player at once, rolled in the phone or entered by hand. A later hand replaces it."""

    player: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SameDie:
    """`second` is the die `first` seen once more from another place; it counts once."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class TwoDice:
    """`first` and `second` are two dice, however alike they look."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class AllApart:
    """No die was seen twice: none of the places looked at so far overlap."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """The person counted: `value` matching dice (or 1 for a justified pass, 0 for a bluffed one)."""

    value: int


@dataclass(frozen=True, slots=True)
class Several:
    """What one tap says of several dice: of each its face, or that it is none, or of each pair that it is two
    dice."""

    answers: tuple[SetFace | Strike | TwoDice, ...]


AboutDie = SetFace | Strike | CutOff | SetOwner
"""A correction of one die alone."""

Correction = AboutDie | AsRead | Add | Hand | SameDie | TwoDice | AllApart | ByHand | Several

_KINDS: dict[str, Callable[..., Correction]] = {
    "set_face": SetFace,
    "strike": Strike,
    "cut_off": CutOff,
    "set_owner": SetOwner,
    "as_read": AsRead,
    "add": Add,
    "hand": Hand,
    "same_die": SameDie,
    "two_dice": TwoDice,
    "all_apart": AllApart,
    "by_hand": ByHand,
    "several": Several,
}
_NAMES: dict[object, str] = {kind: name for name, kind in _KINDS.items()}


def to_json(correction: Correction) -> dict[str, object]:
    """The correction as a JSON object with its kind under "kind"."""
    if isinstance(correction, Several):
        return {"kind": "several", "answers": [to_json(answer) for answer in correction.answers]}
    return {"kind": _NAMES[type(correction)], **asdict(correction)}


def from_json(data: Body) -> Correction:
    """The correction in a JSON object; raises BadCommand where it makes no sense."""
    try:
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        kind = _KINDS[str(values.pop("kind"))]
        correction = Several(_answers(values["answers"])) if kind is Several else kind(**values)
        if isinstance(correction, Add) and not _within(correction):
            correction = replace(correction, x=None, y=None)  # earlier versions kept any number
    except (KeyError, TypeError) as error:
        raise BadCommand("correction_unreadable") from error
    check(correction)
    return correction


def _answers(found: object) -> tuple[SetFace | Strike | TwoDice, ...]:
    """The answers in a JSON array; raises TypeError where one is of another kind."""
    answers = tuple(from_json(body(one)) for one in found) if isinstance(found, tuple) else ()
    kept = tuple(one for one in answers if isinstance(one, SetFace | Strike | TwoDice))
    if not answers or len(kept) < len(answers):
        raise TypeError("no answers of dice")
    return kept


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
    if isinstance(correction, ByHand) and (type(correction.value) is not int or correction.value < 0):
        raise BadCommand("bad_quantity")
    if isinstance(correction, Add) and not _within(correction):
        raise BadCommand("correction_unreadable")


def _within(added: Add) -> bool:
    """Whether a die has no position, or one in its picture; a NaN is none."""
    if added.x is None or added.y is None:
        return added.x is added.y
    return 0 <= added.x <= 1 and 0 <= added.y <= 1
