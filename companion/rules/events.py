"""The events of a game, which its journal keeps, and their JSON form.

A game is the fold of its events (`companion.rules.game.fold`). The form of every event is `{"v": SCHEMA,
"event": KIND, ...}`. An event with a newer `v` than ours is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields

from msgspec import convert

from companion.errors import BadCommand, CompanionError
from companion.json_types import Body, body, whole, wholes
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.judge import Reveal
from companion.rules.players import Player
from companion.rules.ruleset import Ruleset

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Started:
    """A game begins; `players` are (name, colour) clockwise. Without a `starter` the table rolls for it.

    `handicaps`: (name, number) of those who begin with so many dice fewer.
    """

    ruleset: Ruleset
    players: tuple[tuple[str, str], ...]
    starter: str | None = None
    handicaps: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RolledOff:
    """The roll for seats or for the starter: (name, face) of the first roll, then of each re-roll."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody said something; `by_clock`: the table did for who was on turn, whose time was up."""

    call: Call
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Revealed:
    """The dice were shown; the verdict follows from them."""

    reveal: Reveal


@dataclass(frozen=True, slots=True)
class NextRound:
    """The verdict has been taken in and the next round begins."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The table stops before somebody has won."""


@dataclass(frozen=True, slots=True)
class Joined:
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


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody goes home in the middle of the game; `strict`: with the loss of a round that waits for him."""

    player: str
    strict: bool = False


@dataclass(frozen=True, slots=True)
class HandedBack:
    """A mistake is made good: `player` has `count` dice, or lives or marks, from now on."""

    player: str
    count: int


Event = Started | RolledOff | Called | Revealed | NextRound | Finished | Joined | Left | HandedBack


def to_json(event: Event) -> dict[str, object]:
    """The event as plain data."""
    return {"v": SCHEMA, "event": _NAMES[type(event)], **_members(event)}


def from_json(data: Body) -> Event:
    """The event that `to_json` wrote; raises BadCommand, BadRuleset."""
    try:
        version = data["v"]
        if type(version) is not int or version > SCHEMA:
            raise BadCommand("event_newer", version=version, known=SCHEMA)
        return _READERS[str(data["event"])](data)
    except CompanionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadCommand("event_unreadable", cause=repr(error)) from error


def call_to_json(call: Call) -> dict[str, object]:
    """A call as plain data: `{"call": "bid", "by": "Ana", "bid": "5x3"}`."""
    data: dict[str, object] = {"call": _CALL_NAMES[type(call)], "by": call.by}
    for name in ("bid", "bidder", "passer", "visibility", "direction"):
        value = getattr(call, name, None)
        if value is not None:
            data[name] = str(value)
    pushed = getattr(call, "pushed", ())
    return {**data, "pushed": list(pushed)} if pushed else data


def call_from_json(data: Body) -> Call:
    """The call that `call_to_json` wrote; raises BadCommand."""
    try:
        kind_name, by = str(data["call"]), data["by"]
        kind = _CALLS[kind_name]
        rest = {k: v for k, v in data.items() if k in _MEMBERS[kind_name] - {"by", "pushed"}}
        pushed = {"pushed": wholes(data["pushed"])} if kind is BidCall and "pushed" in data else {}
        if not all(isinstance(value, str) for value in (by, *rest.values())):
            raise TypeError("every part of a call is text")
        if "bid" in rest:
            rest["bid"] = Bid.parse(str(rest["bid"]))
        call: Call = kind(by, **rest, **pushed)
    except CompanionError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCommand("call_unreadable", cause=repr(error)) from error
    return call


_CALL_NAMES: dict[type[Call], str] = {
    BidCall: "bid",
    Dudo: "dudo",
    Calza: "calza",
    Pass: "pass",
    DudoPass: "dudo_pass",
    ChooseVisibility: "choose_visibility",
    ChooseDirection: "choose_direction",
    DeclarePalifico: "declare_palifico",
}
_CALLS: dict[str, Callable[..., Call]] = {name: kind for kind, name in _CALL_NAMES.items()}
_MEMBERS = {name: {field.name for field in fields(kind)} for kind, name in _CALL_NAMES.items()}


def reveal_to_json(reveal: Reveal) -> dict[str, object]:
    """A reveal as plain data; parts that say nothing are left out."""
    data: dict[str, object] = {
        "hands": [[name, list(hand)] for name, hand in reveal.hands],
        "heap": list(reveal.heap),
        "unsure": [list(may) for may in reveal.unsure],
        "unknown": reveal.unknown,
    }
    said = {key: value for key, value in data.items() if value}
    return said if reveal.count is None else {**said, "count": reveal.count}


def reveal_from_json(data: Body) -> Reveal:
    """The reveal that `reveal_to_json` wrote; raises BadCommand."""
    try:
        count = data.get("count")
        return Reveal(
            hands=convert(data.get("hands", ()), tuple[tuple[str, tuple[int, ...]], ...]),
            heap=wholes(data.get("heap", ())),
            unsure=convert(data.get("unsure", ()), tuple[tuple[int, ...], ...]),
            unknown=whole(data.get("unknown", 0)),
            count=None if count is None else whole(count),
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise BadCommand("reveal_unreadable", cause=repr(error)) from error


def _write_started(event: Started) -> dict[str, object]:
    players = [list(player) for player in event.players]
    data = {"ruleset": event.ruleset.to_json(), "players": players, "starter": event.starter}
    return data | ({"handicaps": [list(one) for one in event.handicaps]} if event.handicaps else {})


def _read_started(data: Body) -> Started:
    players = convert(data["players"], tuple[tuple[str, str], ...])
    starter = convert(data["starter"], str | None)
    handicaps = convert(data.get("handicaps", ()), tuple[tuple[str, int], ...])
    return Started(Ruleset.from_json(body(data["ruleset"])), players, starter, handicaps)


def _write_rolls(event: RolledOff) -> dict[str, object]:
    return {"rolls": [[list(roll) for roll in rolls] for rolls in event.rolls]}


def _read_rolls(data: Body) -> RolledOff:
    return RolledOff(convert(data["rolls"], tuple[tuple[tuple[str, int], ...], ...]))


_NAMES: dict[type, str] = {
    Started: "started",
    RolledOff: "rolled_off",
    Called: "called",
    Revealed: "revealed",
    NextRound: "next_round",
    Finished: "finished",
    Joined: "joined",
    Left: "left",
    HandedBack: "handed_back",
}


def _members(event: Event) -> dict[str, object]:
    match event:
        case Started():
            return _write_started(event)
        case RolledOff():
            return _write_rolls(event)
        case Called(call, by_clock):
            return call_to_json(call) | ({"by_clock": True} if by_clock else {})
        case Revealed(reveal):
            return reveal_to_json(reveal)
        case _:
            members = asdict(event)
            return {name: value for name, value in members.items() if value or name not in _ADDED}


_ADDED = ("strict", "handicap")
"""Members that earlier versions did not write, nor need to read where they say nothing."""


_READERS: dict[str, Callable[[Body], Event]] = {
    "started": _read_started,
    "rolled_off": _read_rolls,
    "called": lambda data: Called(call_from_json(data), data.get("by_clock") is True),
    "revealed": lambda data: Revealed(reveal_from_json(data)),
    "next_round": lambda data: NextRound(),
    "finished": lambda data: Finished(),
    "joined": lambda data: Joined(
        str(data["player"]),
        str(data["colour"]),
        str(data["after"]),
        data["phone_cup"] is True,
        data.get("strict") is True,
        whole(data.get("handicap", 0)),
    ),
    "left": lambda data: Left(str(data["player"]), data.get("strict") is True),
    "handed_back": lambda data: HandedBack(str(data["player"]), whole(data["count"])),
}


def seated(event: Started) -> tuple[Player, ...]:
    """The players of a new game, with all their dice and lives."""
    dice, lives, fewer = event.ruleset.starting_dice, event.ruleset.lives or 0, dict(event.handicaps)
    return tuple(
        Player(name, colour, dice - fewer.get(name, 0), lives, handicap=fewer.get(name, 0))
        for name, colour in event.players
    )
