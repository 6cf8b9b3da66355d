"""The ledger, which no undo takes back: dice rolled in phones, who held which seat, notes to all phones.

It grows beside the history and is kept by the same journal. Only its notes are ever sent to phones.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import get_args

from msgspec import Struct, structs

from companion.json_types import Body
from companion.rules.bids import Bid
from companion.rules.players import playing
from companion.rules.position import Game
from companion.rules.records import Kept, read
from companion.table.authors import By


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
    """The fold of all entries: `thrown` are (throw, player, faces), `seats` (player, mark), `held` (round,
    player, mark)."""

    seal: str = ""
    thrown: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    seats: tuple[tuple[str, str], ...] = ()
    held: tuple[tuple[int, str, str], ...] = ()
    notes: tuple[Note, ...] = ()

    def row(self, throw: str, player: str) -> tuple[int, ...]:
        """How the dice of a player fell in a throw, all that ever were; none where it was never made."""
        return max((faces for *key, faces in self.thrown if key == [throw, player]), key=len, default=())

    def newest(self, throw: str, player: str) -> tuple[int, ...]:
        """How the dice of a player lay when they were noted last for a throw; none where they never were."""
        rows = (faces for *key, faces in reversed(self.thrown) if key == [throw, player])
        return next(rows, ())

    def sits(self, player: str) -> str:
        """The mark of the phone that sits there, "" for nobody."""
        return dict(self.seats).get(player, "")

    def holder(self, number: int, player: str) -> str:
        """The mark of the phone that may know what belongs to a seat in a round."""
        return next((phone for held, name, phone in self.held if (held, name) == (number, player)), "")

    def seat_held(self, number: int, phone: str) -> str:
        """The seat which that phone holds in a round."""
        return next((name for held, name, mark in self.held if (held, mark) == (number, phone)), "")

    def ever_held(self, player: str) -> bool:
        """Whether any phone has held that seat in this game."""
        return any(name == player for _, name, _ in self.held)

    def throws(self, number: int) -> int:
        """How often the dice of a round have been thrown anew."""
        return sum(note.kind is Kind.TAKEN_BACK and note.round == number for note in self.notes)

    def mark(self, phone: str) -> str:
        """How a phone is written down: as no other game and nobody without the seal can know it again."""
        return hmac.digest(self.seal.encode(), phone.encode(), "sha256").hex()[:24] if phone else ""


EMPTY = Ledger()
"""Of a game in which nothing of the kind has happened."""


def note(ledger: Ledger, entry: Entry) -> Ledger:
    """The ledger with one more entry."""
    match entry:
        case Sealed(seal):
            return replace(ledger, seal=seal)
        case Thrown(throw, player, faces):
            return replace(ledger, thrown=(*ledger.thrown, (throw, player, faces)))
        case Sat(player, phone):
            others = tuple(seat for seat in ledger.seats if seat[0] != player)
            return replace(ledger, seats=(*others, (player, phone)))
        case Held(number, seats):
            return replace(ledger, held=(*ledger.held, *((number, *seat) for seat in seats)))
        case Note():
            return replace(ledger, notes=(*ledger.notes, entry))
        case Renamed(old, new):
            return _renamed(ledger, old, new)


def _renamed(ledger: Ledger, old: str, new: str) -> Ledger:
    def to(name: str) -> str:
        return new if name == old else name

    return replace(
        ledger,
        thrown=tuple((throw, to(name), faces) for throw, name, faces in ledger.thrown),
        seats=tuple((to(name), phone) for name, phone in ledger.seats),
        held=tuple((number, to(name), phone) for number, name, phone in ledger.held),
        notes=tuple(_with_names(note, to) for note in ledger.notes),
    )


def _with_names(note: Note, to: Callable[[str], str]) -> Note:
    """The note with the names of today; what was renamed then stays as it was said."""
    step = structs.replace(note.step, player=to(note.step.player)) if note.step else None
    player = note.player if note.kind is Kind.RENAMED else to(note.player)
    return structs.replace(note, name=to(note.name), player=player, step=step)


def noted(ledger: Ledger, entries: Iterable[Entry]) -> Ledger:
    """The ledger with more entries."""
    for entry in entries:
        ledger = note(ledger, entry)
    return ledger


def seats_held(ledger: Ledger, game: Game) -> tuple[Held, ...]:
    """The phones that sit where they do when the round's dice are thrown, one seat for each, as an entry;
    none where all is known already."""
    number = game.round.number
    found = {
        player.name: phone
        for player in playing(game.players)
        if (phone := ledger.sits(player.name))
        and not ledger.holder(number, player.name)
        and not ledger.seat_held(number, phone)
    }
    return (Held(number, tuple(found.items())),) if found else ()


def seat_moved(
    ledger: Ledger, game: Game, player: str, phone: str, cups: Collection[str]
) -> tuple[Entry, ...]:
    """The entries when a phone with that mark, "" for none, sits down in the middle of a game.

    In the first round phones are still being seated: there the first at a seat gets its dice at once.
    """
    number, sat = game.round.number, Sat(player, phone)
    if phone == ledger.sits(player):
        return ()
    if not phone or number == 0 or phone == ledger.holder(number, player):
        return (sat,)
    if number == 1 and not ledger.ever_held(player) and not ledger.seat_held(number, phone):
        return (sat, Held(number, ((player, phone),)))
    taken = Note(Kind.SEAT_TAKEN, number, By.PLAYER, player=player)
    return (sat, taken) if player in cups else (sat,)


def from_json(data: Body) -> Entry | None:
    """The entry that any version wrote, None for what belongs to the history; raises BadCommand."""
    if data.get("event") not in _TAGS:
        return None
    found: Entry = read(data, Entry)
    return found


_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(Entry))
