"""Reads commands: `{"type": "bid", "by": "Ana", "quantity": 5, "face": 3}` and its like.

They are distinguished by `type` and read strictly; members beyond are ignored. Most are sent as they are: the
commands with a tag, the calls, the corrections. The few that people send in another form stand here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, convert
from msgspec.structs import force_setattr

from companion.errors import BadCommand, CompanionError
from companion.names import clean_name
from companion.reveal.corrections import Correction, check
from companion.rules.bids import Bid
from companion.rules.calls import MAX_PUSHED, BidCall, ByPlayer, Call, Calza, Dudo
from companion.rules.fields import LARGEST_NUMBER, MAX_PLAYERS, Number, Text
from companion.rules.presets import preset
from companion.rules.records import Sent
from companion.table import commands as cmd
from companion.table.commands import COLOUR_LENGTH, BotLevel, Command

House: TypeAlias = Annotated[dict[Text, Text | Number | bool | None], Meta(max_length=MAX_PLAYERS)]
"""Switches of the rules that differ from the preset."""


class SeatSent(Struct, frozen=True):
    """A player who sits down; `handicap`: with so many dice fewer. The box rolls for a bot without
    `real_dice`."""

    name: str
    colour: Text = ""
    phone_cup: bool | None = None
    bot: BotLevel = None
    real_dice: Annotated[bool, Meta(description="Of a bot: its dice lie on the table.")] | None = None
    handicap: Number | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "name", clean_name(self.name))
        force_setattr(self, "colour", self.colour[:COLOUR_LENGTH])

    @property
    def rolled_for(self) -> bool:
        """Whether the box rolls the dice."""
        return bool(not self.real_dice if self.bot else self.phone_cup)


class NewGameSent(Sent, tag="new_game", frozen=True):
    """Begin a game."""

    players: Annotated[list[SeatSent], Meta(max_length=MAX_PLAYERS)]
    preset: Text = "modern"
    house: House | None = None
    starter: str | None = None
    roll_off: bool | None = None


class BidSent(ByPlayer, tag="bid", frozen=True):
    """Bid; `zhai`: without wild dice; `pushed`: the faces of dice set out in the open with it."""

    quantity: Number
    face: Number
    zhai: bool | None = None
    pushed: Annotated[tuple[Number, ...], Meta(max_length=MAX_PUSHED)] = ()


class ChallengeSent(ByPlayer, tag="challenge", frozen=True):
    """A challenge with the bid it is about, from a table that does not enter its bids."""

    call: Literal["dudo", "calza"]
    bid: Bid
    bidder: Text | None = None


class CorrectCallSent(ChallengeSent, tag="correct_call", frozen=True):
    """What the challenge really was."""


SENT: tuple[type[Sent], ...] = (
    NewGameSent,
    BidSent,
    *(call for call in get_args(Call) if call is not BidCall),
    ChallengeSent,
    CorrectCallSent,
    *get_args(Correction),
    *(command for command in get_args(Command) if issubclass(command, Sent)),
)
"""Every command that may be sent."""

COMMAND_TYPES = tuple(str(sent.__struct_config__.tag) for sent in SENT)
"""The `type` of every command."""

_ANY: Any = reduce(or_, SENT)


def parse(data: object) -> Command:
    """The command in a strict JSON object; raises BadCommand, BadRuleset with what is wrong about it."""
    if not isinstance(data, Mapping):
        raise BadCommand("command_unreadable")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in COMMAND_TYPES:
        raise BadCommand("command_unknown", type=ascii(kind)[:40].strip("'"))
    try:
        _check_numbers(data)
        return _command(convert(data, _ANY))
    except CompanionError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error.__cause__, CompanionError):  # by a record that refuses its own values
            raise error.__cause__ from error
        raise BadCommand("command_unreadable") from error


def _check_numbers(value: object) -> None:
    """Raises ValueError for a whole number that no command needs."""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise ValueError("the number is too large")
    for one in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        _check_numbers(one)


def _command(sent: Sent) -> Command:
    match sent:
        case NewGameSent():
            return _new_game(sent)
        case BidSent(by=by, pushed=pushed):
            return cmd.Say(BidCall(by, Bid(sent.quantity, sent.face, bool(sent.zhai)), pushed))
        case CorrectCallSent():
            return cmd.CorrectCall(_challenge(sent))
        case ChallengeSent():
            return cmd.Say(_challenge(sent))
    if isinstance(sent, Call):
        return cmd.Say(sent)
    if isinstance(sent, Correction):
        check(sent)
        return cmd.Correct(sent)
    assert isinstance(sent, Command)
    return sent


def _new_game(sent: NewGameSent) -> cmd.NewGame:
    seats = sent.players
    return cmd.NewGame(
        preset(sent.preset).with_house(sent.house or {}),
        tuple((seat.name, seat.colour) for seat in seats),
        clean_name(sent.starter) if sent.starter else None,
        tuple(seat.name for seat in seats if seat.rolled_for),
        bool(sent.roll_off),
        tuple((seat.name, seat.bot) for seat in seats if seat.bot),
        tuple((seat.name, seat.handicap) for seat in seats if seat.handicap),
    )


def _challenge(sent: ChallengeSent) -> Dudo | Calza:
    kind = Dudo if sent.call == "dudo" else Calza
    return kind(sent.by, sent.bid, sent.bidder)
