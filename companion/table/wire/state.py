"""The whole state as everybody may see it, in JSON: the table, how the box is, and the tables of a club."""

from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from companion.reveal.claims import Kind as Claimed
from companion.rules.fields import Amount
from companion.table.wire.game import AnnouncementJson, BidJson, GameJson, NoteJson, StepJson, VerdictJson
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


class JournalHealthJson(TypedDict):
    """Whether the next command can be kept."""

    writable: bool


class DiskHealthJson(TypedDict):
    """Whether there is room on the disk."""

    free_mb: float
    room: bool


class CameraHealthJson(TypedDict):
    """State of the capture loop: alive, capturing, and the age of the newest frame."""

    name: str
    thread: bool
    looking: bool
    frame_age_s: float | None
    fault: str | None


class OutletHealthJson(TypedDict):
    """How a way out of the box is: a broker or a webhook."""

    connected: Annotated[bool, Meta(description="The broker lets us in; the webhook took the last event.")]
    waiting: Annotated[int, Meta(ge=0, description="Messages that wait to be sent.")]
    dropped: Annotated[int, Meta(ge=0, description="Events that were too many to wait.")]
    fault: Annotated[str | None, Meta(description="A key under `errors` in the catalogues.")]


class HealthJson(TypedDict):
    """How every part is."""

    ok: Annotated[bool, Meta(description="The journal can be written, and every thread does its work.")]
    running_s: NotRequired[float]
    journal: NotRequired[JournalHealthJson]
    disk: NotRequired[DiskHealthJson]
    camera: NotRequired[CameraHealthJson]
    threads: NotRequired[Annotated[dict[str, float], Meta(description="Seconds since each gave a sign.")]]
    silent: NotRequired[list[str]]
    faults: NotRequired[list[str]]
    temperature_c: NotRequired[float | None]
    under_voltage: NotRequired[bool]
    outside: NotRequired[
        Annotated[dict[str, OutletHealthJson], Meta(description="`mqtt` and `webhook`, where on.")]
    ]


Presence: TypeAlias = Literal["online", "offline", "unknown"]


class ClubTableJson(TypedDict):
    """A table; `state` None: it has sent none yet."""

    key: str
    name: str
    presence: Presence
    state: StateWord | None
    round: int
    turn: str
    bid: BidJson | None
    dice: int
    verdict: str
    winners: list[str]


class PlaceJson(TypedDict):
    """A place in the standings of the evening; `even`: games won with equal chances for everybody."""

    rank: int
    name: str
    won: int
    games: int
    even: float


class ClubJson(TypedDict):
    """All tables in the order of their names, and the standings over their `games`."""

    tables: list[ClubTableJson]
    online: int
    games: int
    standings: list[PlaceJson]


@dataclass(frozen=True, slots=True)
class ClubNow:
    """The club at a moment. `mark` changes with it; `fault` is a reason key, "" for none."""

    mark: str
    connected: bool
    fault: str
    club: ClubJson
