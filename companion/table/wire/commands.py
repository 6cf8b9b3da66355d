"""The commands that people may send, in JSON: distinguished by `type`, read strictly, members beyond ignored.

`companion.table.commands` makes commands of them. Where a bound has a sentence of its own the reader lets the
value pass and the rules refuse it: such a bound is in the document alone.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from companion.bots.seat import Level
from companion.rules.calls import Visibility
from companion.rules.fields import (
    LONGEST_TEXT,
    MAX_PLAYERS,
    Number,
    Text,
)
from companion.rules.records import Sent
from companion.table.wire.corrections import CorrectionSent

MAX_ROLLS = 100
MAX_PUSHED = 10
"""Of those who tie again and again."""

ToldVisibility: TypeAlias = Annotated[
    str, Meta(max_length=LONGEST_TEXT, extra_json_schema={"enum": list(get_args(Visibility))})
]
House: TypeAlias = Annotated[dict[Text, Text | Number | bool | None], Meta(max_length=MAX_PLAYERS)]
"""Switches of the rules that differ from the preset."""


class ByPlayer(Sent, frozen=True):
    """A call of a player."""

    by: Text


BotLevel: TypeAlias = Annotated[Level, Meta(description="How well the box plays for this seat.")] | None


class SeatSent(Struct, frozen=True):
    """A player who sits down; `handicap`: with so many dice fewer. The box rolls for a bot without
    `real_dice`."""

    name: str
    colour: Text = ""
    phone_cup: bool | None = None
    bot: BotLevel = None
    real_dice: Annotated[bool, Meta(description="Of a bot: its dice lie on the table.")] | None = None
    handicap: Number | None = None


class NewGameSent(Sent, tag="new_game", frozen=True):
    """Begin a game."""

    players: Annotated[list[SeatSent], Meta(max_length=MAX_PLAYERS)]
    preset: Text = "modern"
    house: House | None = None
    starter: str | None = None
    roll_off: bool | None = None


class RollOffSent(Sent, tag="roll_off", frozen=True):
    """The roll for seats or starter, entered by hand."""

    rolls: Annotated[
        list[Annotated[dict[Text, Number], Meta(max_length=MAX_PLAYERS)]], Meta(max_length=MAX_ROLLS)
    ]


class BidSent(ByPlayer, tag="bid", frozen=True):
    """Bid; `zhai`: without wild dice; `pushed`: the faces of dice set out in the open with it."""

    quantity: Number
    face: Number
    zhai: bool | None = None
    pushed: Annotated[tuple[Number, ...], Meta(max_length=MAX_PUSHED)] = ()


class DudoSent(ByPlayer, tag="dudo", frozen=True):
    """Doubt the standing bid."""


class CalzaSent(ByPlayer, tag="calza", frozen=True):
    """Say that the standing bid is exact."""


class PassSent(ByPlayer, tag="pass", frozen=True):
    """Pass."""


class DudoPassSent(ByPlayer, tag="dudo_pass", frozen=True):
    """Doubt a pass."""


class ChooseVisibilitySent(ByPlayer, tag="choose_visibility", frozen=True):
    """Choose how a palifico round is played."""

    visibility: ToldVisibility


class ChooseDirectionSent(ByPlayer, tag="choose_direction", frozen=True):
    """Choose which way round bids go in this round."""

    direction: Literal["clockwise", "counter_clockwise"]


class DeclarePalificoSent(ByPlayer, tag="declare_palifico", frozen=True):
    """Declare palifico."""


class BidOfChallenge(Struct, frozen=True):
    """The bid that a challenge is about."""

    quantity: Number
    face: Number
    zhai: bool | None = None


class ChallengeSent(ByPlayer, tag="challenge", frozen=True):
    """A challenge with the bid it is about, from a table that does not enter its bids."""

    call: Literal["dudo", "calza"]
    bid: BidOfChallenge
    bidder: Text | None = None


class CorrectCallSent(ChallengeSent, tag="correct_call", frozen=True):
    """What the challenge really was."""


class PressSent(Sent, tag="press", frozen=True):
    """Press a button."""

    button: Text
    by: Text | None = None


class ObservationSent(Sent, tag="look", frozen=True):
    """Take a picture now."""

    place: Text | None = None


class JoinSent(Sent, tag="join", frozen=True):
    """Somebody comes late and sits down to the left of `after`."""

    player: str
    colour: Text = ""
    after: Text = ""
    phone_cup: bool | None = None
    bot: BotLevel = None


class LeaveSent(Sent, tag="leave", frozen=True):
    """A player goes home."""

    player: Text


class HandBackSent(Sent, tag="hand_back", frozen=True):
    """After a mistake a player has `count` dice, or lives or marks, from now on."""

    player: Text
    count: Number


class RenameSent(Sent, tag="rename", frozen=True):
    """A player is called `to` from now on."""

    player: Text
    to: str


class ForgetColoursSent(Sent, tag="forget_colours", frozen=True):
    """The dice do not tell by their colour whose they are."""


class ConfirmSent(Sent, tag="confirm", frozen=True):
    """Give the verdict on the dice as they stand."""


class NextRoundSent(Sent, tag="next_round", frozen=True):
    """The verdict has been taken in."""


class UndoSent(Sent, tag="undo", frozen=True):
    """Take the last step back."""


class AbandonSent(Sent, tag="abandon", frozen=True):
    """Stop this game before somebody has won."""


class PlayAgainSent(Sent, tag="play_again", frozen=True):
    """A new game with the same people and rules."""


class PutAwaySent(Sent, tag="put_away", frozen=True):
    """Clear the table."""


class TakeNoticeSent(Sent, tag="take_notice", frozen=True):
    """Whoever leads has read what the journal has lost."""


CallSent = (
    BidSent
    | DudoSent
    | CalzaSent
    | PassSent
    | DudoPassSent
    | ChooseVisibilitySent
    | ChooseDirectionSent
    | DeclarePalificoSent
    | ChallengeSent
)
SeatingSent = JoinSent | LeaveSent | HandBackSent | RenameSent
PlainSent = (
    ForgetColoursSent
    | ConfirmSent
    | NextRoundSent
    | UndoSent
    | AbandonSent
    | PlayAgainSent
    | PutAwaySent
    | TakeNoticeSent
)
AnyCommand = (
    NewGameSent
    | RollOffSent
    | CallSent
    | CorrectCallSent
    | PressSent
    | ObservationSent
    | CorrectionSent
    | SeatingSent
    | PlainSent
)
