"""The events of a game, which its journal keeps, in the form of `companion.rules.records`.

A game is the fold of its events.
"""

from __future__ import annotations

from companion.rules.calls import Call
from companion.rules.counting import Reveal
from companion.rules.players import Player
from companion.rules.records import Kept
from companion.rules.ruleset import Ruleset


class Started(Kept, tag="started", frozen=True):
    """A game begins; `players` are (name, colour) clockwise. Without a `starter` the table rolls for it.

    `handicaps`: (name, number) of those who begin with so many dice fewer.
    """

    ruleset: Ruleset
    players: tuple[tuple[str, str], ...]
    starter: str | None = None
    handicaps: tuple[tuple[str, int], ...] = ()


class RolledOff(Kept, tag="rolled_off", frozen=True):
    """The roll for seats or for the starter: (name, face) of the first roll, then of each re-roll."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


class Called(Kept, tag="called", frozen=True):
    """Somebody said something; `by_clock`: the table did for who was on turn, whose time was up."""

    call: Call
    by_clock: bool = False


class Revealed(Kept, tag="revealed", frozen=True):
    """The dice were shown; the verdict follows from them."""

    reveal: Reveal


class NextRound(Kept, tag="next_round", frozen=True):
    """The verdict has been taken in and the next round begins."""


class Finished(Kept, tag="finished", frozen=True):
    """The table stops before somebody has won."""


class Joined(Kept, tag="joined", frozen=True):
    """Somebody comes late, or comes back: he sits down as the next round begins, to the left of `after`.

    `phone_cup`: he rolls in the phone, which the rules do not ask. `strict`: he has no more than whoever is
    worst off, and than he left with. `handicap`: the one with which he began this game, before he left it.
    """

    player: str
    colour: str = ""
    after: str = ""
    phone_cup: bool = False
    strict: bool = False
    handicap: int = 0


class Left(Kept, tag="left", frozen=True):
    """Somebody goes home in the middle of the game; `strict`: with the loss of a round that waits for him."""

    player: str
    strict: bool = False


class HandedBack(Kept, tag="handed_back", frozen=True):
    """A mistake is made good: `player` has `count` dice, or lives or marks, from now on. `strict`: not so few
    dice that he would be out. `ordinary`: the special round that he has begun is none with as many."""

    player: str
    count: int
    strict: bool = False
    ordinary: bool = False


Event = Started | RolledOff | Called | Revealed | NextRound | Finished | Joined | Left | HandedBack


def seated(event: Started) -> tuple[Player, ...]:
    """The players of a new game, with all their dice and lives."""
    dice, lives, fewer = event.ruleset.first_dice, event.ruleset.lives or 0, dict(event.handicaps)
    return tuple(
        Player(name, colour, dice - fewer.get(name, 0), lives, handicap=fewer.get(name, 0))
        for name, colour in event.players
    )
