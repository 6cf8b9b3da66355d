"""A player gets another name in the middle of a game, in everything that was kept.

Names identify players in the whole house. So a renamed player has had the new name from the start, in the
history as in the ledger; nothing else changes. Renaming back undoes it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import BadCommand
from companion.names import check_name
from companion.reveal.corrections import Correction, Several
from companion.rules.events import Called, HandedBack, Joined, Left, Revealed, RolledOff, Started
from companion.rules.position import Game
from companion.table.table_events import (
    BotSeated,
    ColoursLearnt,
    Corrected,
    Cups,
    Observed,
    Rolled,
    RollTied,
    TableEvent,
)

T = TypeVar("T", bound=Struct)
V = TypeVar("V")

Swap = Callable[[str], str]


ABOUT = ("die", "first", "second")
"""Members of corrections that name a die."""


def swap(old: str, new: str) -> Swap:
    """A name as it is after the renaming."""
    return lambda name: new if name == old else name


def check_rename(game: Game | None, old: str, new: str) -> None:
    """Raises BadCommand where `old` cannot be called `new` from now on."""
    if game is None:
        raise BadCommand("no_game")
    names = {player.name for player in game.players} | {one.name for one in game.waiting}
    if old not in names:
        raise BadCommand("unknown_player", player=old)
    check_name(old, ())
    check_name(new, names - {old})


def renamed(event: TableEvent, old: str, new: str) -> TableEvent:
    """The event after `old` is renamed to `new`."""
    to = swap(old, new)
    match event:
        case Started(_, players, starter, handicaps):
            return Started(
                event.ruleset, _firsts(players, to), starter and to(starter), _firsts(handicaps, to)
            )
        case RolledOff(rolls) | RollTied(rolls):
            return replace(event, rolls=tuple(_firsts(roll, to) for roll in rolls))
        case Called(call):
            return replace(event, call=_members(call, ("by", "bidder", "passer"), to))
        case Revealed(reveal):
            return Revealed(replace(reveal, hands=_firsts(reveal.hands, to)))
        case Joined() | Left() | HandedBack() | Rolled() | BotSeated():
            return _members(event, ("player", "after"), to)
        case Observed():
            return _members(event, ("place",), to)
        case Corrected(correction):
            return Corrected(_correction(correction, old, new))
        case Cups(players, bots):
            return Cups(tuple(map(to, players)), _firsts(bots, to))
        case ColoursLearnt(colours):
            return ColoursLearnt(tuple(dataclasses.replace(one, player=to(one.player)) for one in colours))
    return event


def _firsts(pairs: tuple[tuple[str, V], ...], to: Swap) -> tuple[tuple[str, V], ...]:
    return tuple((to(name), value) for name, value in pairs)


def _members(value: T, names: tuple[str, ...], to: Swap) -> T:
    """A record with some of its members that hold names renamed; those it lacks are passed over."""
    texts = {name: getattr(value, name, None) for name in names}
    change = {name: to(text) for name, text in texts.items() if isinstance(text, str)}
    return replace(value, **change)


def _correction(correction: Correction, old: str, new: str) -> Correction:
    if isinstance(correction, Several):
        answers = (_members(one, ABOUT, lambda die: _die(die, old, new)) for one in correction.answers)
        return Several(tuple(answers))
    named = _members(correction, ("player", "place"), swap(old, new))
    return _members(named, ABOUT, lambda die: _die(die, old, new))


def _die(die: str, old: str, new: str) -> str:
    """The id of a die, which begins with the place it lies in or the hand it belongs to."""
    place, dot, number = die.rpartition(".")
    return {old: new, f"hand.{old}": f"hand.{new}"}.get(place, place) + dot + number
