"""A table, a client of its page, and a real server."""

from functools import partial
from typing import Any

import pytest

from tests.web.party import Party, let_in, phone_of
from tests.web.seating import Box
from tests.web.serving import served
from tests.web.shots import Shots
from tests.web.sockets import asked_over_sockets
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app


@pytest.fixture
def table(tmp_path):
    boxed = BoxedTable(tmp_path)
    yield boxed
    boxed.journal.close()


@pytest.fixture
def party(tmp_path):
    """Three players whose dice are rolled in their phones, and a phone that leads."""
    made = Party(tmp_path)
    yield made
    made.close()


@pytest.fixture
def over_sockets(monkeypatch):
    """The clients of this test ask the real server, in place of the application."""
    with asked_over_sockets(monkeypatch):
        yield


@pytest.fixture
def clock():
    """What the clock of `home` shows, in seconds; a test moves it."""
    return [5000.0]


@pytest.fixture
def home(table, clock):
    """A page of its own for a test of roles, which outlast a game."""
    return create_app(deps_for(table, now_s=lambda: clock[0], secret="of the box"))


@pytest.fixture
def host(home, table):
    """A phone that comes to a free table first, and is let in."""
    first = phone_of(home)
    let_in(first, table)
    return first


@pytest.fixture
def box():
    """Seats without a page: one leads and plays for Ana, two plays for Bea, three was let in."""
    made = Box()
    made.lead("one", joined=True)
    made.join("two", "three")
    made.sit("one", "Ana")
    made.sit("two", "Bea")
    return made


class Seat:
    """Stands for the table in one page of the session; each test puts its own table in."""

    boxed: BoxedTable

    def __getattr__(self, name: str) -> Any:
        return getattr(self.boxed, name)


@pytest.fixture(scope="session")
def seat():
    return Seat()


@pytest.fixture(scope="session")
def page(seat):
    """For all of them time stands still: the phone of an earlier test never falls silent in a later one."""
    return create_app(deps_for(seat, now_s=lambda: 0.0))  # type: ignore[arg-type]


@pytest.fixture
def client(page, seat, table):
    seat.boxed = table
    return page.test_client()


@pytest.fixture
def address(table):
    """Address of a real server with the page of `table`; long polls end after half a second."""
    more: dict[str, Any] = {"pictures": Shots(lambda _: PICTURE, PICTURE)}
    more["turn_left_s"] = lambda: table.turn_left_s()  # a test may begin to measure later
    app = create_app(deps_for(table, poll_s=0.5, forget_game=table.forget, **more))
    with served(app) as address:
        yield address


@pytest.fixture
def phone(phone_at, address):
    """Opens a page of the companion on one more phone."""
    return partial(phone_at, address)


def _picture() -> bytes:
    """A small grey JPEG for every picture of these tests."""
    import cv2
    import numpy as np

    return bytes(cv2.imencode(".jpg", np.full((96, 128, 3), 90, np.uint8))[1].tobytes())


PICTURE = _picture()
