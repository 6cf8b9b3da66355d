"""A table, a client of its page, and a real server."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.phones import Lent
from tests.web.serving import served
from tests.web.shots import Shots
from tests.web.sockets import asked_over_sockets
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app

Phone = Callable[..., Any]
"""Opens a page of the companion on one more phone."""


@pytest.fixture
def table(tmp_path):
    boxed = BoxedTable(tmp_path)
    yield boxed
    boxed.journal.close()


@pytest.fixture
def over_sockets(monkeypatch):
    """The clients of this test ask the real server, in place of the application."""
    with asked_over_sockets(monkeypatch):
        yield


class Seat:
    """Stands for the table in one page of the session; each test puts its own table in."""

    table: BoxedTable

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)


@pytest.fixture(scope="session")
def seat():
    return Seat()


@pytest.fixture(scope="session")
def page(seat):
    return create_app(deps_for(seat))  # type: ignore[arg-type]


@pytest.fixture
def client(page, seat, table):
    seat.table = table
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
def phone(playwright, phones, address):
    """Opens a page of the companion on one more phone."""
    opened: list[Lent] = []
    strange: list[str] = []

    def open_(path: str = "/", *, new: bool = False, **more: Any) -> Any:
        settings = {**playwright.devices["Pixel 7"], "locale": "en-GB", "reduced_motion": "reduce", **more}
        lent = phones.lend(address, settings, new=new)
        opened.append(lent)
        lent.page.set_default_timeout(5000)
        lent.listen("pageerror", lambda error: strange.append(str(error)))
        lent.listen(
            "console", lambda said: strange.append(said.text) if "Content Security" in said.text else None
        )
        lent.page.goto(address + path)
        return lent.page

    yield open_
    for lent in opened:
        phones.give_back(lent)
    assert strange == []


def _picture() -> bytes:
    """A small grey JPEG for every picture of these tests."""
    import cv2
    import numpy as np

    return bytes(cv2.imencode(".jpg", np.full((96, 128, 3), 90, np.uint8))[1].tobytes())


PICTURE = _picture()
