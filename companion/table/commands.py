"""The commands that people and ports give the table.

A command is a wish: the table decides whether it may be. One with a tag may be sent: it is the value and its
form in JSON, as calls and corrections are. `companion.table.parsing` reads commands.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.bots.seat import Level
from companion.names import clean_name
from companion.reveal.corrections import Correction
from companion.reveal.observations import Observation
from companion.reveal.owners import Colour
from companion.rules.calls import Call
from companion.rules.fields import MAX_PLAYERS, Number, Text
from companion.rules.records import Sent
from companion.rules.ruleset import Ruleset

MAX_ROLLS = 100
"""Of those who tie again and again."""

COLOUR_LENGTH = 20

BotLevel: TypeAlias = Annotated[Level, Meta(description="How well the box plays for this seat.")] | None
SeatRoll: TypeAlias = Annotated[dict[Text, Number], Meta(max_length=MAX_PLAYERS)]
"""Face by player."""


class NewGame(Struct, frozen=True):
    """Begin a game; `players` are (name, colour) clockwise, `cups` those who roll in their phone.

    Without a `starter` the box draws lots, or waits for a `roll_off` with the table's dice. `bots` are (name,
    level) of those for whom the box plays; it rolls for those among the `cups`, the others have real dice.
    `handicaps` are (name, number) of those who begin with so many dice fewer. `colours` are known of the game
    before.
    """

    ruleset: Ruleset
    players: tuple[tuple[str, str], ...]
    starter: str | None = None
    cups: tuple[str, ...] = ()
    roll_off: bool = False
    bots: tuple[tuple[str, Level], ...] = ()
    handicaps: tuple[tuple[str, int], ...] = ()
    colours: tuple[Colour, ...] = ()


class RollOff(Sent, tag="roll_off", frozen=True):
    """The roll for seats or starter, entered by hand: all its rounds so far. Those who tie roll again."""

    rolls: Annotated[tuple[SeatRoll, ...], Meta(max_length=MAX_ROLLS)]


class Say(Struct, frozen=True):
    """A player calls."""

    call: Call


class TimeUp(Struct, frozen=True):
    """The time of the player on turn is over. Only the box itself gives this command."""


class Press(Sent, tag="press", frozen=True):
    """A button of the box: `button` is dudo, calza or ok; `by` is known with a button per seat."""

    button: Text
    by: Text | None = None


class TakePicture(Sent, tag="look", frozen=True):
    """Take a picture now, of `place`."""

    place: Text | None = None


class AddObservation(Struct, frozen=True):
    """An observation at `place`, for the reveal of that number. Only the box itself gives this command."""

    observation: Observation
    place: str
    reveal: int | None = None


class Correct(Struct, frozen=True):
    """A person's correction of a die."""

    correction: Correction


class LearnColours(Struct, frozen=True):
    """The colours of everybody's dice, once all were shown. Only the box itself gives this command."""

    colours: tuple[Colour, ...]


class CorrectRound(Sent, tag="correct_round", frozen=True):
    """In an earlier round of this game, or of the kept one with the id `game`, `count` dice matched.

    The rounds since are judged anew. With `keep_dice` they stay as they were played, and all have the dice
    that they have now.
    """

    round: Number
    count: Number
    game: Text = ""
    keep_dice: bool = False


class ForgetColours(Sent, tag="forget_colours", frozen=True):
    """The dice have no owner by colour."""


class CorrectCall(Struct, frozen=True):
    """The challenge whose dice are shown, or were, was really `call`."""

    call: Call


class Confirm(Sent, tag="confirm", frozen=True):
    """Give the verdict on the dice as they stand, or take the roll for seats or starter as it stands."""


class NextRound(Sent, tag="next_round", frozen=True):
    """The verdict has been taken in."""


class Undo(Sent, tag="undo", frozen=True):
    """Take the last step back. Where dice would be hidden again that somebody may have seen, only the phone
    that leads or the box may."""


class Join(Sent, tag="join", frozen=True):
    """Somebody comes late and sits down as the next round begins, to the left of `after`; `phone_cup`: he
    rolls in the phone; `bot`: the box plays and rolls for him."""

    player: str
    colour: Text = ""
    after: Text = ""
    phone_cup: bool | None = None
    bot: BotLevel = None

    def __post_init__(self) -> None:
        force_setattr(self, "player", clean_name(self.player))
        force_setattr(self, "colour", self.colour[:COLOUR_LENGTH])


class Leave(Sent, tag="leave", frozen=True):
    """A player goes home: out at once, dice and bids go along."""

    player: Text


class HandBack(Sent, tag="hand_back", frozen=True):
    """After a mistake a player has `count` dice, or lives or marks, from now on."""

    player: Text
    count: Number


class Rename(Sent, tag="rename", frozen=True):
    """A player is called `to` from now on, in everything that was kept too."""

    player: Text
    to: str

    def __post_init__(self) -> None:
        force_setattr(self, "to", clean_name(self.to))


class Abandon(Sent, tag="abandon", frozen=True):
    """Stop this game before somebody has won."""


class PlayAgain(Sent, tag="play_again", frozen=True):
    """A new game with the same people and rules; the winner of the last one starts."""


class PutAway(Sent, tag="put_away", frozen=True):
    """Clear the table: back to setting up."""


class Pause(Sent, tag="pause", frozen=True):
    """The turn clock stands still, or runs again; it runs again, too, as soon as anybody plays on."""

    on: bool


class TakeNotice(Sent, tag="take_notice", frozen=True):
    """Whoever leads has read what the journal has lost."""


class RealDice(Sent, tag="real_dice", frozen=True):
    """Games at a simulated table are played with people's own dice from now on, or with simulated ones."""

    on: bool


_OfGame = NewGame | RollOff | Abandon | PlayAgain | PutAway | Pause | Undo | TakeNotice | RealDice
_OfRound = Say | CorrectCall | CorrectRound | TimeUp | Press | Confirm | NextRound
_OfDice = TakePicture | AddObservation | Correct | LearnColours | ForgetColours
Command = _OfGame | _OfRound | _OfDice | Join | Leave | HandBack | Rename


class By(StrEnum):
    """The kinds of authors: a player's phone, the one that leads, and the box with its clock and its bots."""

    PLAYER = "player"
    HOST = "host"
    BOX = "box"
    CLOCK = "clock"
    BOT = "bot"


class Author(Struct, frozen=True):
    """The author of a command; "" for what there is none of.

    `seat` is the player for whom it speaks, `phone` the id of its phone. `silent` is a player on turn whose
    own phone is silent, so that it may call for him.
    """

    by: By
    seat: str = ""
    phone: str = ""
    silent: str = ""

    def to_json(self) -> dict[str, object]:
        """The author as the journal keeps it: without the phone, which nobody is to know again."""
        return {"by": self.by.value, **({"name": self.seat} if self.seat else {})}


BOX = Author(By.BOX)
"""Whoever stands at the box and presses its buttons; what its camera saw."""

CLOCK = Author(By.CLOCK)
