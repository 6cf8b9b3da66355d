"""Corrections of a reveal by people, in JSON: commands about one die, two dice, a place or the count."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from companion.rules.fields import (
    LARGEST_NUMBER,
    MAX_PLAYERS,
    Share,
    Text,
)
from companion.rules.records import Sent

EnteredFace: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 6})]
MAX_ANSWERS = 30
"""The most dice that one tap may confirm."""

EnteredCount: TypeAlias = Annotated[int, Meta(le=LARGEST_NUMBER, extra_json_schema={"minimum": 0})]


class AboutDie(Sent, frozen=True):
    """A person's correction of a die."""

    die: Text


class AboutTwo(Sent, frozen=True):
    """A person's correction of two dice that two places show."""

    first: Text
    second: Text


class SetFaceSent(AboutDie, tag="set_face", frozen=True):
    """What a die shows."""

    face: EnteredFace


class SetOwnerSent(AboutDie, tag="set_owner", frozen=True):
    """Whose die it is."""

    player: Text


class StrikeSent(AboutDie, tag="strike", frozen=True):
    """It is no die of the game."""


class CutOffSent(AboutDie, tag="cut_off", frozen=True):
    """The border of the picture cuts the die."""


class AsReadSent(Sent, tag="as_read", frozen=True):
    """The dice of a place are as they were read."""

    place: Text


class SameDieSent(AboutTwo, tag="same_die", frozen=True):
    """Both are one die."""


class TwoDiceSent(AboutTwo, tag="two_dice", frozen=True):
    """They are two dice."""


class AllApartSent(Sent, tag="all_apart", frozen=True):
    """No die was seen at two places."""


class AddDieSent(Sent, tag="add_die", frozen=True):
    """A die that was not seen; x and y are fractions of the picture."""

    face: EnteredFace
    place: Text | None = None
    x: Share | None = None
    y: Share | None = None
    player: Text | None = None


class HandSent(Sent, tag="hand", frozen=True):
    """All dice of a player."""

    player: Text
    faces: Annotated[list[EnteredFace], Meta(max_length=MAX_PLAYERS)]


class TypeCountSent(Sent, tag="type_count", frozen=True):
    """The number of matching dice, counted by hand."""

    count: EnteredCount


class SeveralSent(Sent, tag="several", frozen=True):
    """What one tap says of several dice, or pairs of dice."""

    answers: Annotated[
        list[SetFaceSent | StrikeSent | TwoDiceSent], Meta(min_length=1, max_length=MAX_ANSWERS)
    ]


CorrectionSent = (
    SetFaceSent
    | SetOwnerSent
    | StrikeSent
    | CutOffSent
    | AsReadSent
    | SameDieSent
    | TwoDiceSent
    | AllApartSent
    | AddDieSent
    | HandSent
    | TypeCountSent
    | SeveralSent
)
