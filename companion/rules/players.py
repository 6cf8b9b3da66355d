"""Who sits where: players clockwise, their dice, and the kinds of round that fall to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct


class RoundKind(StrEnum):
    """Normal, or a player's one special round: palifico, or the count of aces in a game with lives."""

    NORMAL = "normal"
    PALIFICO = "palifico"
    ACES_COUNT = "aces_count"


#: The members used at every step, for Python 3.11 takes longer to find one than to compare a bid.
NORMAL, PALIFICO, ACES_COUNT = RoundKind.NORMAL, RoundKind.PALIFICO, RoundKind.ACES_COUNT


class Player(Struct, frozen=True):
    """One seat. `lives` counts in a game with lives only.

    `palifico_used`: his special round (palifico or aces count-up) has begun, which happens once a game.
    `left`: he has gone home, which is more than being `out`. `handicap`: with how many dice fewer than the
    others he began. `team`: the number of his team, 0 for none. `marks`: his on
    the tally, where one is kept. `calza_used`: he has called calza in this game, where that counts.
    """

    name: str
    colour: str = ""
    dice: int = 5
    lives: int = 0
    palifico_used: bool = False
    out: bool = False
    left: bool = False
    handicap: int = 0
    team: int = 0
    marks: int = 0
    calza_used: bool = False


def playing(players: Iterable[Player]) -> tuple[Player, ...]:
    """Those who are still in the game."""
    return tuple(p for p in players if not p.out)


def dice_in_play(players: Iterable[Player]) -> int:
    """All dice of those still in the game."""
    return sum([p.dice for p in players if not p.out])


def after(players: Sequence[Player], name: str, clockwise: bool) -> str:
    """The next player who is still in the game, the way round that bids go."""
    met, seats = False, players if clockwise else players[::-1]
    for player in seats:
        if met and not player.out:
            return player.name
        if player.name == name:
            met = True
    for player in seats:
        if not player.out:
            return player.name
    raise ValueError("nobody is left in the game")
