"""The whole state of the table as everybody may see it, in JSON."""

from typing import Annotated, Literal, TypeAlias, TypedDict

from msgspec import Meta

from companion.reveal.claims import Kind as Claimed
from companion.rules.fields import Amount
from companion.table.wire.game import AnnouncementJson, GameJson, NoteJson, StepJson, VerdictJson
from companion.table.wire.reveal import RevealJson

StateWord: TypeAlias = Literal["idle", "bidding", "looking", "question", "stands", "fails", "over", "fault"]
SeatWord: TypeAlias = Literal["off", "in", "starts", "loses", "gains", "out"]


class FaultJson(TypedDict):
    """Something that does not work: a key under `faults` and the values of its sentence."""

    reason: str
    values: dict[str, str]


class BoxJson(TypedDict):
    """The state of the box, beside the table."""

    simulated: bool
    state: StateWord
    rgb: Annotated[list[int], Meta(description="The status light, 0 to 255.", min_length=3, max_length=3)]
    colour: str
    rhythm: Annotated[str, Meta(description="The pattern of the status light, in words.")]
    seats: Annotated[list[SeatWord], Meta(description="The lamp of each seat.")]
    camera: str
    buttons: list[str]
    extras: Annotated[list[str], Meta(description="Always empty; an older version's button for a demo.")]
    all_simulated: Annotated[bool, Meta(description="Nothing is real, the camera neither.")]
    demo: Annotated[bool, Meta(description="A demonstration: simulated players, for watching alone.")]
    pictures: Annotated[bool, Meta(description="Phones may take pictures of the dice.")]
    real_dice: Annotated[bool | None, Meta(description="Instead of simulated ones; null: no choice.")]


class TableJson(TypedDict):
    """The table at one moment, without the box."""

    version: Amount
    state: Annotated[StateWord, Meta(description="The word the lamps show as well.")]
    asked: Annotated[Claimed | None, Meta(description="A press for which the page asks who, or which bid.")]
    faults: Annotated[dict[str, FaultJson], Meta(description="By part of the box.")]
    notice: FaultJson | None
    can_undo: bool
    undoes: Annotated[StepJson | None, Meta(description="What undo would take back.")]
    announcement: Annotated[AnnouncementJson | None, Meta(description="The last announcement to all phones.")]
    undo_hides: Annotated[bool, Meta(description="Undo would roll the dice in phones anew.")]
    notes: Annotated[list[NoteJson], Meta(description="Notes to all phones.")]
    resumed: Annotated[bool, Meta(description="Taken up after a restart, untouched since.")]
    paused: Annotated[bool, Meta(description="The turn clock stands still.")]
    game: GameJson | None
    reveal: RevealJson | None
    verdict: VerdictJson | None


class StateJson(TableJson):
    """The state of the table: one numbered snapshot."""

    box: BoxJson
