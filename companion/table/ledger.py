"""The ledger, which no undo takes back: dice rolled in phones, who held which seat, notes to all phones.

It grows beside the history and is kept by the same journal. Only its notes are ever sent to phones.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar, cast

from msgspec import Struct, structs

from companion.errors import BadCommand
from companion.names import check_name
from companion.reveal.observations import Observation
from companion.rules.bids import Bid
from companion.rules.position import Game
from companion.rules.records import Kept
from companion.table.commands import By

T = TypeVar("T")
Swap = Callable[[str], str]
"""A name as it is after a renaming."""


class Kind(StrEnum):
    """The kind of a note to all phones."""

    UNDONE = "undone"
    TAKEN_BACK = "taken_back"
    CORRECTED = "corrected"
    RECALLED = "recalled"
    AMENDED = "amended"
    JOINED = "joined"
    LEFT = "left"
    HANDED_BACK = "handed_back"
    RENAMED = "renamed"
    COLOURS_FORGOTTEN = "colours_forgotten"
    STOPPED = "stopped"
    TIME_UP = "time_up"
    CALLED_FOR = "called_for"
    SEAT_FREED = "seat_freed"
    SEAT_TAKEN = "seat_taken"


LASTING = (Kind.TAKEN_BACK, Kind.SEAT_FREED, Kind.SEAT_TAKEN)
"""What these notes say holds until the next round is over."""


class Step(Struct, frozen=True, omit_defaults=True):
    """A step of a person: its kind, whose it was or about whom, and the bid that was made."""

    kind: str
    player: str = ""
    bid: Bid | None = None


class Note(Kept, tag="noted", frozen=True):
    """A note of `round` that is sent to all phones and kept in the history: who did what.

    `name` is whose phone did it, where it has a seat; `player` whom it is about, `step` what was undone or
    done by the clock, `to` the new name, `count` the new number.
    """

    kind: Kind
    round: int
    by: By
    name: str = ""
    player: str = ""
    step: Step | None = None
    to: str = ""
    count: int = 0


class Sealed(Kept, tag="sealed", frozen=True):
    """The secret under which the game writes phones down."""

    seal: str


class Thrown(Kept, tag="thrown", frozen=True):
    """How the dice of a player fell in a throw."""

    throw: str
    player: str
    faces: tuple[int, ...]


class Sat(Kept, tag="sat", frozen=True):
    """The phone with that mark sits in the seat of `player` from now on; "" when nobody does."""

    player: str
    phone: str


class Held(Kept, tag="held", frozen=True):
    """These phones hold these seats in `round`: (player, mark). What is held once stays so in that round."""

    round: int
    seats: tuple[tuple[str, str], ...]


class Renamed(Kept, tag="renamed", frozen=True):
    """A player is called `to` from now on; all entries before, and the history before, say so."""

    player: str
    to: str


Entry = Sealed | Thrown | Sat | Held | Note | Renamed


@dataclass(frozen=True, slots=True)
class Ledger:
    """The fold of all entries: every throw, who sits where, who held which seats, and the notes."""

    seal: str = ""
    thrown: tuple[Thrown, ...] = ()
    seats: tuple[Sat, ...] = ()
    held: tuple[Held, ...] = ()
    notes: tuple[Note, ...] = ()

    def row(self, throw: str, player: str) -> tuple[int, ...]:
        """How the dice of a player fell in a throw, all that ever were; none where it was never made."""
        return max(self._rows(throw, player), key=len, default=())

    def newest(self, throw: str, player: str) -> tuple[int, ...]:
        """How the dice of a player lay when they were noted last for a throw; none where they never were."""
        return next(self._rows(throw, player), ())

    def _rows(self, throw: str, player: str) -> Iterator[tuple[int, ...]]:
        return (one.faces for one in reversed(self.thrown) if (one.throw, one.player) == (throw, player))

    def sits(self, player: str) -> str:
        """The mark of the phone that sits there, "" for nobody."""
        return next((seat.phone for seat in self.seats if seat.player == player), "")

    def holder(self, number: int, player: str) -> str:
        """The mark of the phone that may know what belongs to a seat in a round."""
        return next((phone for name, phone in self._held(number) if name == player), "")

    def seat_held(self, number: int, phone: str) -> str:
        """The seat which that phone holds in a round."""
        return next((name for name, mark in self._held(number) if mark == phone), "")

    def ever_held(self, player: str) -> bool:
        """Whether any phone has held that seat in this game."""
        return any(player in dict(one.seats) for one in self.held)

    def _held(self, number: int) -> Iterator[tuple[str, str]]:
        return (seat for one in self.held if one.round == number for seat in one.seats)

    def throws(self, number: int) -> int:
        """How often the dice of a round have been thrown anew."""
        return sum(note.kind is Kind.TAKEN_BACK and note.round == number for note in self.notes)

    def lasting(self, number: int) -> tuple[Note, ...]:
        """The notes of a round and the one before that stay on every screen, each once."""
        recent = (one for one in self.notes if one.kind in LASTING and one.round >= number - 1)
        return tuple({(one.kind, one.name, one.player): one for one in recent}.values())

    def mark(self, phone: str) -> str:
        """How a phone is written down: as no other game and nobody without the seal can know it again."""
        return hmac.digest(self.seal.encode(), phone.encode(), "sha256").hex()[:24] if phone else ""


EMPTY = Ledger()
"""Of a game in which nothing of the kind has happened."""


def note(ledger: Ledger, entry: Entry) -> Ledger:
    """The ledger with one more entry."""
    match entry:
        case Sealed(seal):  # under another one no mark is known again
            return replace(ledger, seal=seal, seats=(), held=())
        case Thrown():
            return replace(ledger, thrown=(*ledger.thrown, entry))
        case Sat(player):
            others = tuple(seat for seat in ledger.seats if seat.player != player)
            return replace(ledger, seats=(*others, entry))
        case Held():
            return replace(ledger, held=(*ledger.held, entry))
        case Note():
            return replace(ledger, notes=(*ledger.notes, entry))
        case Renamed(old, new):
            thrown, seats = renamed(ledger.thrown, old, new), renamed(ledger.seats, old, new)
            held, notes = renamed(ledger.held, old, new), renamed(ledger.notes, old, new)
            return Ledger(ledger.seal, thrown, seats, held, notes)


def seats_held(ledger: Ledger, game: Game) -> tuple[Held, ...]:
    """The phones that sit where they do when the round's dice are thrown, one seat for each, as an entry;
    none where all is known already. Who is out may be handed dice back before the first bid."""
    number = game.round.number
    found = {
        player.name: phone
        for player in game.players
        if (phone := ledger.sits(player.name))
        and not ledger.holder(number, player.name)
        and not ledger.seat_held(number, phone)
    }
    return (Held(number, tuple(found.items())),) if found else ()


def seat_moved(ledger: Ledger, game: Game, sat: Sat, cups: Collection[str]) -> tuple[Entry, ...]:
    """The entries when a phone has `sat` down, or has got up, in the middle of a game.

    In the first round phones are still being seated: there the first at a seat gets its dice at once.
    """
    number, player, phone = game.round.number, sat.player, sat.phone
    if not phone or number == 0 or phone == ledger.holder(number, player):
        return (sat,)
    if number == 1 and not ledger.ever_held(player) and not ledger.seat_held(number, phone):
        return (sat, Held(number, ((player, phone),)))
    taken = Note(Kind.SEAT_TAKEN, number, By.PLAYER, player=player)
    return (sat, taken) if player in cups else (sat,)


_NAMES = frozenset(("by", "bidder", "passer", "player", "after", "starter", "place"))
"""Members of records that hold a player's name."""
_FIRSTS = frozenset(("players", "handicaps", "bots", "rolls", "hands", "seats"))
"""Members with names, or with pairs that begin with one."""
_DICE = frozenset(("die", "first", "second"))
"""Members with the id of a die, which begins with the place it lies in or the hand it belongs to."""


def check_rename(game: Game | None, old: str, new: str) -> None:
    """Raises BadCommand where `old` cannot be called `new` from now on."""
    if game is None:
        raise BadCommand("no_game")
    names = {player.name for player in game.players} | {one.name for one in game.waiting}
    if old not in names:
        raise BadCommand("unknown_player", player=old)
    check_name(old, ())
    check_name(new, names - {old})


def renamed(value: T, old: str, new: str) -> T:
    """A record, or some of them, after `old` is renamed to `new`, as if he had had that name from the start.

    Names identify players in the whole house. Nothing else changes, and renaming back undoes it.
    """
    return cast(T, _renamed("", value, lambda name: new if name == old else name))


def _renamed(member: str, value: object, to: Swap) -> object:
    """The value of a record's member. The names of rules and of colours are no players'."""
    if isinstance(value, tuple):
        return _firsts(value, to) if member in _FIRSTS else tuple(_renamed(member, one, to) for one in value)
    if isinstance(value, Observation):
        return value if value.phone is None else replace(value, phone=to(value.phone))
    if isinstance(value, Struct):
        change = {one: _renamed(one, getattr(value, one), to) for one in value.__struct_fields__}
        if isinstance(value, Note):  # what was renamed then stays as it was said
            change["name"] = to(value.name)
            change["player"] = value.player if value.kind is Kind.RENAMED else change["player"]
        return structs.replace(value, **change)
    if type(value) is str and member in _DICE:
        place, dot, number = value.rpartition(".")
        hand = "hand." * place.startswith("hand.")
        return f"{hand}{to(place.removeprefix(hand))}{dot}{number}"
    return to(value) if type(value) is str and member in _NAMES else value


def _firsts(value: Iterable[object], to: Swap) -> tuple[object, ...]:
    """Names, pairs that begin with one, or such pairs round by round."""

    def first(one: object) -> object:
        match one:
            case str():
                return to(one)
            case (str(name), *rest):
                return (to(name), *rest)
            case tuple():
                return tuple(map(first, one))
        return one

    return tuple(map(first, value))
