"""The parts that the page needs of the rest of the house, given by the composition root.

The page has no state of its own beyond these: everything it shows comes from the table's snapshot, and
everything it changes goes through `Table.do`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.reveal.viewfinder import Viewed
from companion.settings import Settings
from companion.statistics.archive import Archive
from companion.table.folder import AccessRecord
from companion.table.groups import Groups
from companion.table.wire.state import ClubNow, HealthJson
from companion.upkeep import PageSettings, Room, WifiJoining
from web.game_copies import Copies
from web.page_table import PageTable


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of the dice, kept and new.

    - `kept`: an annotated JPEG by its id; `preview`: the newest live picture.
    - `take` reads what the phone of a player sent of a reveal, by its number, and a place. It returns the
      place it became and raises a CompanionError.
    - `lay` takes a picture for the workshop's pages.
    - `view`: what the viewfinder of a player sees; None where the reader has other work.
    """

    kept: Callable[[str], bytes | None]
    preview: Callable[[], bytes | None]
    take: Callable[[bytes, str, int, str | None], str]
    lay: Callable[[bytes], None]
    view: Callable[[bytes, str, int, str | None], Viewed | None]


WORK: Mapping[str, tuple[str, ...]] = {
    "calibrate": ("focus", "dice", "empty", "keep", "switch-off"),
    "teach": ("show", "recognise", "forget"),
    "colours": ("colour", "mixed"),
    "hardware-test": ("light", "beep", "picture", "again", "key", "key-stop", "key-forget", "key-undo"),
}
"""The pages of the workshop, each with its steps."""


class WorkshopPort(Protocol):
    """The camera to be calibrated and the parts to be tried out; all its answers are plain data."""

    def now(self, page: str) -> Mapping[str, object]:
        """What a page of WORK shows at this moment."""

    def do(self, page: str, step: str, part: str | None = None) -> None:
        """Do a step of that page, with the face, player, lamp or button that it is about.

        Raises CompanionError."""


@dataclass(frozen=True, slots=True)
class Demonstrated:
    """A page that only shows simulated players: the port of the table it belongs to, if any, and who hears
    of each request."""

    home: int | None
    visited: Callable[[], None]


@dataclass(frozen=True, slots=True)
class WebDeps:
    """Everything handed to `web.create_app`, which gives each part of the page its few of them.

    `settings` are those in force, `secret` signs the cookies, `addresses` are those at which phones reach the
    page: none where this machine alone does. A listening phone waits for `poll_s`.
    `groups` are those who have played here, remembered by whoever hands in the table; `access` knows the
    phones again that were let in. `gestures` is how often two buttons of the box were held, by which a
    person proves to be at the table. `press` presses a button of a simulated box, `read_cup` looks at the
    real dice of a bot. `archive` has all kept games, for statistics and export, `forget_game`
    deletes one of them with all that is kept of it. `health` says how the box is, `metrics` says it to
    Prometheus where that is wanted. `club` has all tables of the club, None where no broker is named.
    `now_s` is a clock that never jumps; `turn_left_s` is how many seconds the player on turn has left, None
    where no clock runs. `workshop` is there where a box can be calibrated and tried out. The settings of a
    box are `page_settings`, the room on its card is `room`, its games leave and return by `copies`.
    `wifi_joining` is there where it can join another Wi-Fi. `demonstrate` opens a demonstration and gives its
    port; `demonstration` is there where this page belongs to one.
    """

    table: PageTable
    settings: Settings
    secret: str
    addresses: Callable[[], tuple[str, ...]]
    groups: Groups
    access: AccessRecord
    pictures: Pictures
    gestures: Callable[[], int]
    press: Callable[[str, bool], None]
    read_cup: Callable[[str], None]
    archive: Archive
    forget_game: Callable[[str], None]
    health: Callable[[], HealthJson]
    metrics: Callable[[], str] | None
    club: Callable[[], ClubNow] | None
    now_s: Callable[[], float]
    turn_left_s: Callable[[], float | None]
    workshop: WorkshopPort | None
    page_settings: PageSettings | None
    room: Room | None
    copies: Copies | None
    wifi_joining: WifiJoining | None
    demonstrate: Callable[[], int] | None
    demonstration: Demonstrated | None
    poll_s: float = 20.0
