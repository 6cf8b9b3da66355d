"""The commands that people and ports give the table, and their JSON form.

`parse` reads `{"type": "bid", "by": "Ana", "quantity": 5, "face": 3}` and its like. A command is a wish: the
table decides whether it may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from companion.errors import BadCommand, CompanionError
from companion.reveal.corrections import (
    Add,
    AllApart,
    AsRead,
    ByHand,
    Correction,
    CutOff,
    Hand,
    SameDie,
    SetFace,
    SetOwner,
    Strike,
    TwoDice,
    check,
)
from companion.reveal.observations import Observation
from companion.reveal.owners import Colour
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, ChooseVisibility, Dudo, DudoPass, Pass, Visibility
from companion.rules.ruleset import Ruleset, preset
from companion.table.fields import flag, listed, mapped, maybe, scalar, share, text, whole
from companion.table.ledger import By

NAME_LENGTH = 24
MOST_ROLLS = 100
"""Of those who tie again and again."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game; `players` are (name, colour) clockwise, `cups` those who roll in their phone.

    Without a `starter` the box draws lots, or waits for a `roll_off` with the table's dice.
    """

    ruleset: Ruleset
    players: tuple[tuple[str, str], ...]
    starter: str | None = None
    cups: tuple[str, ...] = ()
    roll_off: bool = False


@dataclass(frozen=True, slots=True)
class RollOff:
    """The roll for seats or starter, entered by hand: all its rounds so far. Those who tie roll again."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Say:
    """A player calls."""

    call: Call


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
    """A person says what a die is."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class LearnColours:
    """Everybody's dice were shown and have these colours; only the box itself says this."""

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
    that leads or the box may: `by`, and the `name` of a player whose phone it is."""

    by: By = By.PLAYER
    name: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody comes late and sits down as the next round begins, to the left of `after`; `phone_cup`: he
    rolls in the phone. `by` and `name` as in `Undo`, here and below."""

    player: str
    colour: str = ""
    after: str = ""
    phone_cup: bool = False
    by: By = By.PLAYER
    name: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """A player goes home: out at once, dice and bids go along."""

    player: str
    by: By = By.PLAYER
    name: str = ""


@dataclass(frozen=True, slots=True)
class HandBack:
    """After a mistake a player has `count` dice from now on, or lives where lives are played."""

    player: str
    count: int
    by: By = By.PLAYER
    name: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """A player is called `to` from now on, and all that was kept says so."""

    player: str
    to: str
    by: By = By.PLAYER
    name: str = ""


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


Signed = Undo | Join | Leave | HandBack | Rename
"""Commands that say which phone they come from: the page signs them, no phone says so of itself."""


def parse(data: object) -> Command:
    """The command in a JSON object; raises BadCommand, BadRuleset with what is wrong about it."""
    if not isinstance(data, Mapping):
        raise BadCommand("command_unreadable")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise BadCommand("command_unknown", type=ascii(kind)[:40].strip("'"))
    try:
        return _READERS[kind](data)
    except CompanionError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise BadCommand("command_unreadable") from error


_JOINERS = "\u200c\u200d"
_LOOSE_JOINER = re.compile(
    r"(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f\u200c\u200d])"
)
"""Joiners hold families of emoji and Persian letters together; between Latin letters they only hide."""


def _said(name: object) -> str:
    """A name of any length. The length is checked later, by an error with a sentence."""
    if not isinstance(name, str):
        raise TypeError(f"{name!r} is no text")
    return name


def clean_name(name: object) -> str:
    """A name as the table keeps it: one line, at most NAME_LENGTH characters; raises BadCommand."""
    words = "".join(c for c in _said(name) if c.isprintable() or c.isspace() or c in _JOINERS).split()
    cleaned = _LOOSE_JOINER.sub("", " ".join(words))
    if not cleaned:
        raise BadCommand("name_empty")
    if len(cleaned) > NAME_LENGTH:
        raise BadCommand("name_too_long", most=NAME_LENGTH)
    return cleaned


def _new_game(data: Mapping[str, Any]) -> NewGame:
    given = data.get("house")
    house = {text(key): scalar(value) for key, value in mapped({} if given is None else given).items()}
    ruleset = preset(text(data.get("preset", "modern"))).with_house(house)
    people = [mapped(one) for one in listed(data["players"])]
    players = tuple((clean_name(one["name"]), text(one.get("colour", ""))[:20]) for one in people)
    cups = tuple(clean_name(one["name"]) for one in people if flag(one.get("phone_cup")))
    starter = data.get("starter")
    first = clean_name(starter) if starter else None
    return NewGame(ruleset, players, first, cups, flag(data.get("roll_off")))


def _roll_off(data: Mapping[str, Any]) -> RollOff:
    rolls = [mapped(one) for one in listed(data["rolls"], MOST_ROLLS)]
    return RollOff(tuple(tuple((text(name), whole(face)) for name, face in one.items()) for one in rolls))


def _bid(data: Mapping[str, Any]) -> Say:
    return Say(BidCall(text(data["by"]), _bid_of(data)))


def _challenge(data: Mapping[str, Any]) -> Say:
    """A call with the bid it is about, from a table that does not enter its bids."""
    kinds: Mapping[str, type[Dudo] | type[Calza]] = {"dudo": Dudo, "calza": Calza}
    kind = kinds[text(data["call"])]
    return Say(kind(text(data["by"]), _bid_of(mapped(data["bid"])), maybe(text, data.get("bidder"))))


def _choose_visibility(data: Mapping[str, Any]) -> Say:
    visibility = data["visibility"]
    if visibility not in get_args(Visibility):
        raise BadCommand("visibility_not_allowed")
    return Say(ChooseVisibility(text(data["by"]), cast(Visibility, visibility)))


def _add_die(data: Mapping[str, Any]) -> Correct:
    x, y = (maybe(share, data.get(axis)) for axis in ("x", "y"))
    place, player = (maybe(text, data.get(key)) for key in ("place", "player"))
    return _correct(Add(whole(data["face"]), place, x, y, player))


def _correct(correction: Correction) -> Correct:
    check(correction)
    return Correct(correction)


def _bid_of(data: Mapping[str, Any]) -> Bid:
    return Bid(whole(data["quantity"]), whole(data["face"]))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Command]] = {
    "new_game": _new_game,
    "roll_off": _roll_off,
    "bid": _bid,
    "dudo": lambda d: Say(Dudo(text(d["by"]))),
    "calza": lambda d: Say(Calza(text(d["by"]))),
    "pass": lambda d: Say(Pass(text(d["by"]))),
    "dudo_pass": lambda d: Say(DudoPass(text(d["by"]))),
    "choose_visibility": _choose_visibility,
    "challenge": _challenge,
    "correct_call": lambda d: CorrectCall(_challenge(d).call),
    "press": lambda d: Press(text(d["button"]), maybe(text, d.get("by"))),
    "look": lambda d: TakePicture(maybe(text, d.get("place"))),
    "set_face": lambda d: _correct(SetFace(text(d["die"]), whole(d["face"]))),
    "set_owner": lambda d: _correct(SetOwner(text(d["die"]), text(d["player"]))),
    "strike": lambda d: _correct(Strike(text(d["die"]))),
    "cut_off": lambda d: _correct(CutOff(text(d["die"]))),
    "as_read": lambda d: _correct(AsRead(text(d["place"]))),
    "same_die": lambda d: _correct(SameDie(text(d["first"]), text(d["second"]))),
    "two_dice": lambda d: _correct(TwoDice(text(d["first"]), text(d["second"]))),
    "all_apart": lambda d: _correct(AllApart()),
    "add_die": _add_die,
    "hand": lambda d: _correct(Hand(text(d["player"]), tuple(map(whole, listed(d["faces"]))))),
    "type_count": lambda d: _correct(ByHand(whole(d["count"]))),
    "forget_colours": lambda d: ForgetColours(),
    "confirm": lambda d: Confirm(),
    "next_round": lambda d: NextRound(),
    "undo": lambda d: Undo(),
    "join": lambda d: Join(
        clean_name(d["player"]),
        text(d.get("colour", ""))[:20],
        text(d.get("after", "")),
        flag(d.get("phone_cup")),
    ),
    "leave": lambda d: Leave(text(d["player"])),
    "hand_back": lambda d: HandBack(text(d["player"]), whole(d["count"])),
    "rename": lambda d: Rename(text(d["player"]), clean_name(d["to"])),
    "abandon": lambda d: Abandon(),
    "play_again": lambda d: PlayAgain(),
    "put_away": lambda d: PutAway(),
    "take_notice": lambda d: TakeNotice(),
}

COMMAND_TYPES = tuple(_READERS)
