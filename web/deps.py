"""The parts that the page needs of the rest of the house, given by the composition root.

The page has no state of its own beyond these: everything it shows comes from the table's snapshot, and
everything it changes goes through `Table.do`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from flask import Blueprint
from msgspec import Struct

from companion.reveal.viewfinder import Viewed
from companion.settings import Settings
from web.sessions.phones import Phones


class Pictures(Struct, frozen=True):
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


class WorkshopPort(Protocol):
    """The camera to be calibrated and the parts to be tried out; all its answers are plain data."""

    def now(self, page: str) -> Mapping[str, object]:
        """What a page of `web.payloads.WORK` shows at this moment."""

    def do(self, page: str, step: str, part: str | None = None) -> None:
        """Do a step of that page, with the face, player, lamp or button that it is about.

        Raises CompanionError."""


class Demonstrated(Struct, frozen=True):
    """A page that only shows simulated players: the port of the table it belongs to, if any, and who hears
    of each request."""

    home: int | None
    visited: Callable[[], None]


Routes: TypeAlias = Blueprint
"""Those of one part of the page."""


class WebDeps(Struct, frozen=True):
    """Everything handed to `web.app.create_app`.

    `settings` are those in force, `phones` know the phone that asks. `addresses` are those at which phones
    reach the page: none where this machine alone does. A listening phone waits for `poll_s`, `now_s` is a
    clock that never jumps. `demonstration` is there where this page belongs to one; `parts` are the routes
    of what this box has.
    """

    settings: Settings
    phones: Phones
    addresses: Callable[[], tuple[str, ...]]
    now_s: Callable[[], float]
    demonstration: Demonstrated | None
    parts: Sequence[Routes]
    poll_s: float = 20.0
