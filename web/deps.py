"""The parts that the page needs of the rest of the house, given by the composition root.

The page has no state of its own beyond these: everything it shows comes from the table's snapshot, and
everything it changes goes through `Table.do`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from companion.bots.coach import Coaching
from companion.club_json import ClubNow
from companion.errors import BadCommand
from companion.health_json import HealthJson
from companion.reveal.viewfinder import Viewed
from companion.statistics.archive import Overview
from companion.statistics.exporting import whole
from companion.statistics.record import GameRecord
from companion.table.access_record import AccessRecord
from companion.table.authors import Author
from companion.table.commands import Command
from companion.table.cups import KnownDice
from companion.table.groups import Group, Groups
from companion.table.ledger import Note
from companion.table.wire.state import StateJson
from companion.texts import DEFAULT
from companion.wifi import Wifi, WifiPort
from web.workshop_port import WorkshopPort


class SnapshotPort(Protocol):
    """The state of the table at one numbered moment."""

    @property
    def version(self) -> int: ...

    @property
    def data(self) -> StateJson: ...


class GroupsPort(Protocol):
    """The groups of people who have played here, as in `companion.table.groups`."""

    def all(self) -> tuple[Group, ...]: ...

    def rename(self, group_id: str, name: str) -> None: ...

    def forget(self, group_id: str) -> None: ...


class TablePort(Protocol):
    """The one owner of changing state, as the page sees it."""

    def snapshot(self) -> SnapshotPort: ...

    def wait(self, after: int, timeout_s: float, ended: Callable[[], bool]) -> SnapshotPort:
        """The first snapshot newer than `after`, or the present one after `timeout_s` or once `ended`."""

    def wake(self) -> None:
        """Have everybody who waits ask whether the wait has ended."""

    def do(self, command: Command, based_on: int | None, author: Author) -> SnapshotPort:
        """Carry out the `command` of `author`. Raises a CompanionError with its reason; StaleCommand when too
        old."""

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Note which phone sits in a seat, "" for none, and who `freed` it. Raises a CompanionError."""

    def refresh(self) -> None:
        """A new version for a change beside the table, so that every phone updates."""


class AccessPort(Protocol):
    """The access token and the phone that leads, kept over restarts (`companion.table.access_record`)."""

    @property
    def token(self) -> str: ...

    @property
    def leader(self) -> str: ...

    def lead(self, phone: str) -> None:
        """Remember which phone leads, "" for none; raises a CompanionError."""

    def renew(self) -> None:
        """Replace the token: every phone must join anew.

        Raises a CompanionError, and then nothing has changed.
        """


class ArchivePort(Protocol):
    """All kept games, as `companion.statistics.archive.Archive` has them."""

    def overview(self) -> Overview:
        """The sums of every game."""

    def record(self, game_id: str) -> GameRecord:
        """A whole game; raises a CompanionError when it is not there or cannot be read."""

    def exported(self, form: str) -> Iterator[str]:
        """All games that can be read as one file in pieces, csv or json."""

    def raw(self, game_id: str) -> Iterator[str]:
        """A game as JSON lines, readable or not; raises a CompanionError when it is not there."""


class NoArchive:
    """Nothing was ever played."""

    def overview(self) -> Overview:
        return Overview(())

    def record(self, game_id: str) -> GameRecord:
        raise BadCommand("unknown_game", game=game_id)

    def exported(self, form: str) -> Iterator[str]:
        return whole(form, ())

    def raw(self, game_id: str) -> Iterator[str]:
        raise BadCommand("unknown_game", game=game_id)


class PicturesPort(Protocol):
    """Pictures of the dice, kept and new."""

    def kept(self, picture_id: str) -> bytes | None:
        """An annotated JPEG."""

    def preview(self) -> bytes | None:
        """The newest live picture as JPEG."""

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        """Read what the phone of the player `name` sent of a reveal and a place; returns the place it
        became. Raises a CompanionError."""

    def lay(self, data: bytes) -> None:
        """Take a picture for the workshop's pages."""

    def view(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        """What the viewfinder of player `name` sees; None where the reader has other work."""


class NoPictures:
    """Nothing is seen."""

    def kept(self, picture_id: str) -> bytes | None:
        return None

    def preview(self) -> bytes | None:
        return None

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        raise BadCommand("dice_simulated")

    def lay(self, data: bytes) -> None:
        raise BadCommand("no_phone_picture")

    def view(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        raise BadCommand("dice_simulated")


class BoxPort(Protocol):
    """The buttons of the box, and its eye for the dice of bots."""

    @property
    def gestures(self) -> int:
        """How often two buttons were held, by which a person proves to be at the table."""

    def press(self, button: str, held: bool) -> None:
        """Press the simulated box's button."""

    def read_cup(self, player: str) -> None:
        """Look at the real dice of a bot; raises a CompanionError."""


class NoBox:
    """Phones alone."""

    gestures = 0

    def press(self, button: str, held: bool) -> None:
        """There is no button."""

    def read_cup(self, player: str) -> None:
        raise BadCommand("bot_by_phones", player=player)


class CupsPort(Protocol):
    """What the phone in a seat, by its id, may know of the dice rolled in phones."""

    def known(self, seat: str, phone: str) -> KnownDice: ...

    def odds(self, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
        """What each call wins with those dice, or with the faces `typed`."""


class NoCups:
    """Everybody shakes a real cup."""

    def known(self, seat: str, phone: str) -> KnownDice:
        return KnownDice()

    def odds(self, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
        return None


def _no_game(game: str) -> None:
    raise BadCommand("unknown_game", game=game)


def _no_health() -> HealthJson:
    return {"ok": True}


def _no_clock() -> float | None:
    return None


def _no_addresses() -> tuple[str, ...]:
    return ()


def _not_visited() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Demonstrated:
    """A page that only shows simulated players: the port of the table it belongs to, if any, and who hears
    of each request."""

    home: int | None = None
    visited: Callable[[], None] = _not_visited


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the settings say of the page.

    - `port`, `https`: where it is served, and whether encrypted, too.
    - `addresses`: the box's numeric addresses for the join page, found by the page itself when empty.
    - `secret` signs the cookies; `poll_s` is how long a listening phone waits; `listeners` is how many phones
      may wait at once, further ones ask every second.
    - `language` is spoken where a browser asks for none that we speak, `preset` names the rules offered
      first.
    - `hosts` are names of the box beside its own; `local_leads`: a browser on the box itself leads;
      `open_scoreboard`: phones that were not let in see the game.
    - `wifi` is the network whose code stands beside the invitation.
    """

    port: int = 8000
    https: bool = False
    addresses: Callable[[], tuple[str, ...]] = _no_addresses
    secret: str = ""
    poll_s: float = 20.0
    listeners: int = 60
    language: str = DEFAULT
    preset: str = "modern"
    hosts: tuple[str, ...] = ()
    local_leads: bool = True
    open_scoreboard: bool = True
    wifi: Wifi | None = None


@dataclass(frozen=True, slots=True)
class WebDeps:
    """Everything handed to `web.create_app`, which gives each part of the page its few of them.

    `groups` are those who have played here, remembered by whoever hands in the table; `access` knows the
    phones again that were let in. `archive` has all kept games, for statistics and export, `forget_game`
    deletes one of them with all that is kept of it. `health` says how the box is, `metrics` says it to
    Prometheus where that is wanted. `club` has all tables of the club, None where no broker is named.
    `now_s` is a clock that never jumps; `turn_left_s` is how many seconds the player on turn has left, None
    where no clock runs. `workshop` is there where a box can be calibrated and tried out, `wifi_joining` where
    it can join another Wi-Fi. `demonstrate` opens a demonstration and gives its port; `demonstration` is
    there where this page belongs to one.
    """

    table: TablePort
    settings: WebSettings = WebSettings()
    groups: GroupsPort = field(default_factory=Groups)
    access: AccessPort = field(default_factory=AccessRecord)
    pictures: PicturesPort = field(default_factory=NoPictures)
    box: BoxPort = field(default_factory=NoBox)
    cups: CupsPort = field(default_factory=NoCups)
    archive: ArchivePort = field(default_factory=NoArchive)
    forget_game: Callable[[str], None] = _no_game
    health: Callable[[], HealthJson] = _no_health
    metrics: Callable[[], str] | None = None
    club: Callable[[], ClubNow] | None = None
    now_s: Callable[[], float] = time.monotonic
    turn_left_s: Callable[[], float | None] = _no_clock
    workshop: WorkshopPort | None = None
    wifi_joining: WifiPort | None = None
    demonstrate: Callable[[], int] | None = None
    demonstration: Demonstrated | None = None
