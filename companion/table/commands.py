"""The commands that people and ports give the table.

A command is a wish: the table decides whether it may be. `companion.table.parsing` reads commands.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.bots.seat import Level
from companion.reveal.corrections import (
    Correction,
)
from companion.reveal.observations import Observation
from companion.reveal.owners import Colour
from companion.rules.calls import Call
from companion.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game; `players` are (name, colour) clockwise, `cups` those who roll in their phone.

    Without a `starter` the box draws lots, or waits for a `roll_off` with the table's dice. `bots` are (name,
    level) of those for whom the box plays; it rolls for those among the `cups`, the others have real dice.
    `handicaps` are (name, number) of those who begin with so many dice fewer.
    """

    ruleset: Ruleset
    players: tuple[tuple[str, str], ...]
    starter: str | None = None
    cups: tuple[str, ...] = ()
    roll_off: bool = False
    bots: tuple[tuple[str, Level], ...] = ()
    handicaps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RollOff:
    """The roll for seats or starter, entered by hand: all its rounds so far. Those who tie roll again."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Say:
    """A player calls."""

    call: Call


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time of the player on turn is over. Only the box itself gives this command."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the box: `kind` is dudo, calza or ok; `by` is known with a button per seat."""

    kind: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class TakePicture:
    """Take a picture now, of `place`."""

    place: str | None = None


@dataclass(frozen=True, slots=True)
class AddObservation:
    """An observation at `place`, for the reveal of that number. Only the box itself gives this command."""

    observation: Observation
    place: str
    reveal: int | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """A person's correction of a die."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class LearnColours:
    """The colours of everybody's dice, once all were shown. Only the box itself gives this command."""

    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class ForgetColours:
    """The dice have no owner by colour."""


@dataclass(frozen=True, slots=True)
class CorrectCall:
    """The challenge whose dice are shown, or were, was really `call`."""

    call: Call


@dataclass(frozen=True, slots=True)
class Confirm:
    """Give the verdict on the dice as they stand, or take the roll for seats or starter as it stands."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """The verdict has been taken in."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last step back. Where dice would be hidden again that somebody may have seen, only the phone
    that leads or the box may."""


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody comes late and sits down as the next round begins, to the left of `after`; `phone_cup`: he
    rolls in the phone; `bot`: the box plays and rolls for him."""

    player: str
    colour: str = ""
    after: str = ""
    phone_cup: bool = False
    bot: Level | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A player goes home: out at once, dice and bids go along."""

    player: str


@dataclass(frozen=True, slots=True)
class HandBack:
    """After a mistake a player has `count` dice, or lives or marks, from now on."""

    player: str
    count: int


@dataclass(frozen=True, slots=True)
class Rename:
    """A player is called `to` from now on, in everything that was kept too."""

    player: str
    to: str


@dataclass(frozen=True, slots=True)
class Abandon:
    """Stop this game before somebody has won."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """A new game with the same people and rules; the winner of the last one starts."""


@dataclass(frozen=True, slots=True)
class PutAway:
    """Clear the table: back to setting up."""


@dataclass(frozen=True, slots=True)
class TakeNotice:
    """Whoever leads has read what the journal has lost."""


Command = (
    NewGame
    | RollOff
    | Say
    | TimeUp
    | Press
    | TakePicture
    | AddObservation
    | Correct
    | CorrectCall
    | LearnColours
    | ForgetColours
    | Confirm
    | NextRound
    | Undo
    | Join
    | Leave
    | HandBack
    | Rename
    | Abandon
    | PlayAgain
    | PutAway
    | TakeNotice
)
