"""The whole state as everybody may see it, in JSON: the table, how the box is, and the tables of a club."""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta, Struct

from companion.reveal.claims import Kind as Claimed
from companion.reveal.questions import Ask
from companion.rules.fields import Amount
from companion.table.wire.game import (
    AnnouncementJson,
    BareBidJson,
    BidJson,
    GameJson,
    NoteJson,
    StepJson,
    VerdictJson,
)

ClaimWord: TypeAlias = Literal["dudo", "calza", "dudo_pass", "roll"]


class PlaceJson(TypedDict):
    """Somewhere the box was, or is to be, set. `height` is that of its picture if it were 1000 wide."""

    place: str
    player: str | None
    phone: Annotated[str | None, Meta(description='Whose phone took it, "" unseated; null: the box did.')]
    picture: str
    frames: Amount
    width: int
    height: int


class DieJson(TypedDict):
    """A die, all its frames merged. `x`, `y`: fractions of the picture; `size`: fraction of its width.

    `face` is 0 if nobody could read it; `x` and `y` are null if no picture shows it.
    """

    id: str
    place: str | None
    face: Annotated[int, Meta(ge=0, le=6)]
    x: float | None
    y: float | None
    size: float
    colour: str
    owner: str | None
    certain: bool
    corrected: Annotated[bool, Meta(description="A person said what it is.")]
    struck: bool
    counted: bool
    matches: Annotated[bool, Meta(description="It counts for the bid.")]
    others: Annotated[list[int], Meta(description="What else it may show.")]
    why: Annotated[list[str], Meta(description="What makes it uncertain.")]


class MarkJson(TypedDict):
    """A die of a question with the face it is taken for, 0 for no die."""

    die: str
    face: Annotated[int, Meta(ge=0, le=6)]


class QuestionJson(TypedDict):
    """One question about dice that matter; `faces` come likeliest first.

    `marked` and `pairs` are all dice that one tap may answer for; `die` and `other` are the first.
    """

    ask: Ask
    die: str | None
    other: str | None
    place: str | None
    player: str | None
    faces: list[int]
    marked: list[MarkJson]
    pairs: list[tuple[str, str]]


class ProblemValuesJson(TypedDict):
    """The values of the sentence of an oddity."""

    number: int
    player: str | None
    place: str | None
    why: str


class OddityJson(TypedDict):
    """Something odd about the reveal; `key` is under `web.oddities` in the catalogues."""

    key: str
    values: ProblemValuesJson


class CameraJson(TypedDict):
    """Whether the camera works, and its view: still, moving, hand, dark, bright, empty, reading, or ""."""

    ok: bool
    reason: str | None
    preview: str


class RevealJson(TypedDict):
    """The dice shown so far. [lo, hi]: the counts of matching dice that the certain dice leave open."""

    number: Annotated[int, Meta(description="A picture is sent for it; 0 once it is judged.")]
    call: ClaimWord
    by: str | None
    bid: Annotated[BareBidJson | None, Meta(description="The bid that is decided.")]
    bidder: str | None
    wild: bool
    wild_face: Amount
    lo: int
    hi: int
    settled: bool
    early: Annotated[str, Meta(description='Why no more dice are needed: "enough", "short" or "".')]
    held: Annotated[bool, Meta(description="The verdict waits for a person.")]
    expected: Amount
    seen: Amount
    missing: Amount
    unseen: int
    open: Annotated[str, Meta(description='How unseen dice hold up the verdict: "change", "stranger", "".')]
    places: list[PlaceJson]
    cups: Annotated[list[tuple[str, int]], Meta(description="(player, dice), in the order of lifting.")]
    next_place: str | None
    dice: list[DieJson]
    hands: Annotated[list[tuple[str, list[int]]], Meta(description="(player, certain faces).")]
    questions: list[QuestionJson]
    problems: list[OddityJson]
    camera: CameraJson


StateWord: TypeAlias = Literal["idle", "bidding", "looking", "question", "stands", "fails", "over", "fault"]
SeatWord: TypeAlias = Literal["off", "in", "starts", "loses", "gains", "out"]


class FaultJson(TypedDict):
    """Something that does not work: a key under `web.faults` and the values of its sentence."""

    reason: str
    values: dict[str, str]


class BoxJson(TypedDict):
    """The state of the box, beside the table."""

    simulated: bool
    state: StateWord
    rgb: Annotated[list[int], Meta(description="The status light, 0 to 255.", min_length=3, max_length=3)]
    colour: str
    pattern: Annotated[str, Meta(description="The pattern of the status light, in words.")]
    seats: Annotated[list[SeatWord], Meta(description="The lamp of each seat.")]
    camera: str
    buttons: list[str]
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
    notes: Annotated[list[NoteJson], Meta(description="Notes that stay on the screen, each once.")]
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
    dropped: Annotated[int, Meta(ge=0, description="Events too many to wait, or refused too often.")]
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


class StandingJson(TypedDict):
    """A place in the standings of the evening: `won` of `games`; `even`: with equal chances for everybody."""

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
    standings: list[StandingJson]


class ClubNow(Struct, frozen=True):
    """The club at a moment. `mark` changes with it; `fault` is a reason key, "" for none."""

    mark: str
    connected: bool
    fault: str
    club: ClubJson
