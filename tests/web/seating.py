"""Seats without a page: a clock, a counter of gestures and a table, moved by hand."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from companion.rules.events import Finished
from companion.rules.presets import MODERN
from companion.table.folder import AccessRecord
from companion.table.sitting import NOBODY, Sitting
from companion.table.snapshot import Snapshot
from companion.table.state import TableState
from tests.companion.at_table import after
from tests.new_games import new_game
from tests.unkept import Unkept
from web.sessions.access import Phone
from web.sessions.cookie import SessionCookie
from web.sessions.seats import Seats, Visit

NAMES = ("Ana", "Bea", "Carlos")


class Box:
    """A clock, a counter of gestures and a table, moved by hand."""

    def __init__(self) -> None:
        self.now_s, self.gestures, self.playing = 1000.0, 0, True
        self.meanwhile: Callable[[], object] = lambda: None
        self.access = AccessRecord(Unkept())
        self.views, self.turn = 0, "Ana"
        self.restart()

    def restart(self) -> None:
        self.sitting = NOBODY
        page: Any = SimpleNamespace(table=self, refresh=self.refresh)
        self.seats = Seats(lambda: self.gestures, lambda: self.now_s, self.access, page)

    def snapshot(self) -> Snapshot:
        """The table, as far as the seats ask it."""
        game = new_game(MODERN, NAMES, self.turn)
        state = TableState(game if self.playing else after(game, Finished()))
        return Snapshot(1, None, state, sitting=self.sitting)

    def refresh(self) -> None:
        self.views += 1

    def seat(self, seats: Mapping[str, str], freed: object, known: Sitting) -> None:
        self.meanwhile()
        self.sitting = self.sitting.moved(seats, known)
        self.views += 1

    def phone(self, name: str, joined: bool = False, **carried: Any) -> Phone:
        """The phone of that name; `joined`: its cookie says that it was let in."""
        worn = SessionCookie(name, admitted=self.access.token if joined else "", **carried)
        return self.seats.phone(Visit(worn))

    def carrying(self, name: str, cookie: SessionCookie) -> Phone:
        """The phone with the cookie that it carries."""
        return self.seats.phone(Visit(cookie))

    def cookie(self, name: str) -> SessionCookie:
        """The new cookie of that phone."""
        return self.seats.cookie(self.phone(name), SessionCookie(name))

    def lead(self, name: str, **carried: Any) -> str | None:
        asked = self.seats.lead(self.phone(name, **carried), f"10.0.0.{name}")
        return asked and asked.reason

    def ask(self, name: str) -> str:
        return self.seats.ask(self.phone(name), f"10.0.0.{name}").reason

    def hold_two(self) -> None:
        """Somebody holds two buttons of the box together."""
        self.gestures += 1

    @property
    def number(self) -> int:
        """The number of the open claim."""
        claim = self.seats.claim
        assert claim is not None
        return claim.number

    def sit(self, name: str, seat: str | None) -> str | None:
        return self.seats.sit(self.phone(name), seat)

    def join(self, *names: str) -> None:
        for name in names:
            self.seats.join(name)
