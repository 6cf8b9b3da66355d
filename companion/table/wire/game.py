"""The game as everybody may see it, in JSON."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from companion.rules.calls import Visibility
from companion.rules.fields import Amount, Face, Ordinal
from companion.rules.players import RoundKind
from companion.rules.position import Phase
from companion.rules.ruleset import RulesetJson
from companion.table.wire.bid import BareBidJson
from companion.table.wire.seats import SeatRollJson, WaitingJson
from companion.table.wire.verdict import CalledJson, OutcomeJson


class PlayerJson(TypedDict):
    """A player in its seat. `lives` is null where the rules have none, `marks` where no tally is kept."""

    seat: Ordinal
    name: str
    colour: Annotated[str, Meta(description="The colour of the dice.")]
    dice: Amount
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
    total: Amount
    legal: LegalJson


class PlayedJson(CalledJson):
    """A round that came to its verdict. `picture` is the first of `pictures`."""

    round: Ordinal
    kind: RoundKind
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
    history: list[PlayedJson]
