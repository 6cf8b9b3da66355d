"""A reveal as everybody may see it, in JSON: the dice shown so far, and what is still to be said of them."""

from typing import Annotated, Literal, TypeAlias, TypedDict

from msgspec import Meta

from companion.reveal.questions import Ask
from companion.rules.fields import Amount
from companion.table.wire.game import BareBidJson

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
    """Something odd about the reveal; `key` is under `reveal.problem` in the catalogues."""

    key: str
    values: ProblemValuesJson


class CameraJson(TypedDict):
    """Whether the camera works, and its view: still, moving, hand, dark, empty, reading, or ""."""

    ok: bool
    reason: str | None
    sight: str


class RevealJson(TypedDict):
    """The dice shown so far. [lo, hi]: the counts of matching dice that the certain dice leave open."""

    number: Annotated[int, Meta(description="A picture is sent for it; 0 if it was taken back.")]
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
