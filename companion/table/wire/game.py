"""The game as everybody may see it, in JSON: seats, bids, the round, the verdict, what was announced."""

from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec import Meta, to_builtins

from companion.rules.bids import Bid
from companion.rules.calls import Visibility, word
from companion.rules.fields import Amount, CallWord, Face, Ordinal
from companion.rules.players import RoundKind
from companion.rules.position import Phase
from companion.rules.ruleset import RulesetJson
from companion.rules.verdict import Verdict
from companion.table.commands import By
from companion.table.ledger import Kind


class BareBidJson(TypedDict):
    """A bid by itself."""

    quantity: Ordinal
    face: Face
    zhai: NotRequired[Annotated[Literal[True], Meta(description="Without wild dice.")]]


def bid_json(bid: Bid) -> BareBidJson:
    """The bid as plain data."""
    return cast(BareBidJson, to_builtins(bid))


def call_word(verdict: Verdict) -> CallWord:
    """What was called."""
    return cast(CallWord, word(verdict.call))


class WaitingJson(TypedDict):
    """Who came late and sits down with the next round, to the left of `after`, or last where it is ""."""

    name: str
    colour: str
    after: str
    phone_cup: bool
    bot: Annotated[str | None, Meta(description="How well the box plays for this seat; null for a person.")]


class SeatRollJson(TypedDict):
    """What came of the roll for seats or starter, until somebody bids."""

    rolls: Annotated[list[dict[str, int]], Meta(description="Face by player, for every roll.")]
    before: Annotated[list[str], Meta(description="How all sat before the roll, clockwise.")]
    seats: list[str]
    starter: str


class StepJson(TypedDict):
    """A step of a person: its kind, and whose it was or about whom, "" for nobody's."""

    kind: str
    player: str
    bid: BareBidJson | None


class NoteJson(TypedDict):
    """A note of `round` to all phones: who changed what all had shown. `name` is whose phone did it, `player`
    whom it is about, `step` what was undone or done by the clock, `to` the new name; each may be ""."""

    kind: Kind
    round: int
    by: By
    name: str
    step: StepJson | None
    player: str
    to: str
    count: Amount


class AnnouncementJson(NoteJson):
    """The last note, with the version of the table at that moment."""

    number: Amount


class CalledBidJson(BareBidJson):
    """The bid that a challenge is about."""

    by: str | None


class CalledJson(TypedDict):
    """A challenge: who called what, on whose bid (or pass, then without a bid)."""

    call: CallWord
    by: str
    bid: CalledBidJson | None
    bidder: str | None


class OutcomeJson(TypedDict):
    """The result, the consequence, and the sentence for both in every language."""

    sentences: Annotated[dict[str, str], Meta(description="The verdict in words, by language.")]
    by_clock: Annotated[bool, Meta(description="The clock called: the caller's time was up.")]
    stands: Annotated[bool, Meta(description="What was doubted or claimed turned out true.")]
    exact: bool
    count_lo: Amount
    count_hi: Amount
    quantity: Ordinal | None
    face: Face | None
    naturals: Amount | None
    aces: Amount | None
    loser: str | None
    losers: list[str]
    gainer: str | None
    dice_change: dict[str, int]
    lives_change: dict[str, int]
    marks_change: dict[str, int]
    eliminated: list[str]
    pass_justified: bool | None
    next_starter: str | None
    next_round_kind: RoundKind | None
    winner: str | None


class VerdictJson(OutcomeJson, CalledJson):
    """The verdict that lies on the table; `pictures` are the ids of the evidence."""

    pictures: list[str]


class PlayerJson(TypedDict):
    """A player in its seat. `lives` is null where the rules have none, `marks` where no tally is kept."""

    seat: Ordinal
    name: str
    colour: Annotated[str, Meta(description="The colour of the dice.")]
    dice: Annotated[int, Meta(ge=0, description="While lost dice are hidden, as many as at the start.")]
    began: Annotated[int, Meta(ge=0, description="With how many dice.")]
    team: Annotated[int, Meta(ge=0, description="The number of the team, 0 for none.")]
    lives: Amount | None
    marks: Amount | None
    pushed: Annotated[list[Face], Meta(description="Own dice in the open, where they may be pushed out.")]
    out: bool
    left: Annotated[bool, Meta(description="Has gone home.")]
    turn: bool
    starts: bool
    palifico: bool
    phone_cup: Annotated[bool, Meta(description="Rolls in the phone.")]
    bot: Annotated[str | None, Meta(description="How well the box plays for this seat; null for a person.")]
    to_look_at: Annotated[bool, Meta(description="A bot whose real dice the box has still to look at.")]


class BidJson(BareBidJson):
    """A bid and who made it."""

    by: str


SaidJson = TypedDict(
    "SaidJson",
    {
        "by": str,
        "quantity": NotRequired[Ordinal],
        "face": NotRequired[Face],
        "zhai": NotRequired[Literal[True]],
        "pushed": NotRequired[list[Face]],
        "pass": NotRequired[Literal[True]],
    },
)
SaidJson.__doc__ = "A bid of the round with its quantity and face, or a pass."

LegalJson = TypedDict(
    "LegalJson",
    {
        "bids": Annotated[list[tuple[int, int]], Meta(description="(quantity, face) of each legal bid.")],
        "zhai": Annotated[list[tuple[int, int]], Meta(description="The same for bids without wild dice.")],
        "dudo": bool,
        "doubters": Annotated[list[str], Meta(description="Who may call dudo now.")],
        "calza": Annotated[list[str], Meta(description="Who may call it now.")],
        "pass": bool,
        "dudo_pass": bool,
        "visibility": bool,
        "direction": bool,
        "palifico": bool,
        "push": Annotated[int, Meta(ge=0, description="How many dice may be pushed out with the bid.")],
    },
)
LegalJson.__doc__ = "What may be said now; by whoever is on turn, where nothing else is said."


class RoundJson(TypedDict):
    """The round that is played. `bid` is the standing one, `total` the dice of the round."""

    number: Annotated[int, Meta(ge=0, description="0 while seats or starter are rolled for.")]
    kind: RoundKind
    starter: str
    turn: str
    visibility: Visibility | None
    clockwise: bool
    bid: BidJson | None
    bids: list[SaidJson]
    throws: Annotated[int, Meta(ge=0, description="How often its dice in phones were thrown anew.")]
    total: Amount
    legal: LegalJson


class PlayedJson(CalledJson):
    """A round of `total` dice that came to its verdict. `picture` is the first of `pictures`."""

    round: Ordinal
    kind: RoundKind
    total: Amount
    count: Amount | None
    verdict: OutcomeJson
    pictures: list[str]
    picture: str | None


class SeedJson(TypedDict):
    """The seed of the dice that the box rolled for this round."""

    hash: Annotated[str, Meta(description="The SHA-256 of the seed, in hexadecimal.")]
    seed: Annotated[str | None, Meta(description="The seed; null until all its dice are shown.")]


class GameJson(TypedDict):
    """The game on the table."""

    id: str | None
    phase: Phase
    preset: str
    house: Annotated[RulesetJson, Meta(description="Every switch of the rules: docs/reference/rules.md.")]
    players: list[PlayerJson]
    waiting: list[WaitingJson]
    seat_roll: SeatRollJson | None
    round: RoundJson
    dice_seed: Annotated[SeedJson | None, Meta(description="Null where the box rolled for nobody.")]
    winner: str | None
    winners: Annotated[list[str], Meta(description="The winner, with partners where there are teams.")]
    pot: Amount
    rolls: Annotated[list[dict[str, int]], Meta(description="The roll for seats or starter: face by player.")]
    colours: Annotated[list[tuple[str, str]], Meta(description="(player, colour) as the camera learnt them.")]
    colours_due: Annotated[bool, Meta(description="Dice came with this round that the camera may not know.")]
    alike: Annotated[list[str], Meta(description="Players whose dice have the same colour as others.")]
    last_round: Annotated[PlayedJson | None, Meta(description="The last that came to its verdict.")]


class RoundsJson(TypedDict):
    """The game on the table so far; all there is of it before the rounds that its state speaks of."""

    game: Annotated[str | None, Meta(description="Its id; null where none is on the table.")]
    rounds: Annotated[list[PlayedJson], Meta(description="All that came to their verdict.")]
    notes: Annotated[list[NoteJson], Meta(description="All notes to all phones.")]
