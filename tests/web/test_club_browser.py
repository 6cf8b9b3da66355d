"""The page of a club on a real broker: twenty tables, one of which dies while a game goes on."""

from datetime import UTC, datetime
from typing import Any

import pytest

from companion.outside.club import ClubPage
from companion.settings import Mqtt
from companion.texts import translate
from tests.companion.outside.brokers import broker, wait_until
from tests.companion.outside.tables import die, simulated_tables
from tests.web.axe import complaints_of_both_themes
from tests.web.hands import FITS, until
from tests.web.serving import served
from tests.web.tables import deps_for
from web.app import create_app

pytestmark = pytest.mark.browser

TABLES = 20
SIZES = ((390, 844), (360, 640), (1280, 720), (1920, 1080))


@pytest.fixture
def running(tmp_path):
    with broker(tmp_path / "broker") as found:
        yield found


@pytest.fixture
def shown(table, running, phone_at):
    """The page of the club on a phone."""
    club = ClubPage(Mqtt("127.0.0.1", running.port))
    with served(create_app(deps_for(table, club=club.now))) as address:
        yield phone_at(address, "/club", new=True, locale="de-DE")
        club.close()


def ask_often(page: Any) -> None:
    """The page asks twenty times as often as everybody's, for whom two seconds are soon enough."""
    page.add_init_script("{ const every = setInterval; self.setInterval = (f, ms) => every(f, ms / 20); }")
    page.reload()


def test_an_evening_of_twenty_tables_one_of_which_dies(tmp_path, running, shown):
    """It has played one game, and nobody's games are lost with it."""
    ask_often(shown)
    names = [f"Table {number}" for number in range(1, TABLES + 1)]
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with simulated_tables(tmp_path / "table", running.port, names) as tables:
        tables[-1].win("Beto", at, "Ana")
        shown.locator(".club-tables .online").nth(TABLES - 1).wait_for()
        shown.wait_for_selector("text=1 Spiel")  # its game is published: only then may it go
        die(tables[-1].link)
        shown.wait_for_selector(".club-tables .offline")
        gone = shown.locator(".club-tables .offline h2").inner_text()
        assert gone.split("\n")[0].startswith(names[-1])
        assert f"✕ {translate('de', 'web.club.offline')}" in gone
        for table in tables[:-1]:
            table.go_on()
            table.win("Zoë", at, "Ana")
        shown.wait_for_selector(f"text={TABLES} Spiele")
        standings = shown.locator(".club-standings tbody tr").all_inner_texts()
        assert standings[0].split()[:4] == ["1.", "Zoë", "19", "19"]
        assert any("Beto" in row for row in standings[1:])
        for size in SIZES:
            shown.set_viewport_size({"width": size[0], "height": size[1]})
            until(shown, FITS, str(size))
            until(shown, WHOLE, f"the standings are cut off at {size}")
        assert complaints_of_both_themes(shown) == []


def test_a_television_turns_over_what_does_not_fit(tmp_path, running, shown):
    """By a clock of the page's own that the test moves; whoever touches it is left alone for a minute."""
    shown.clock.install()
    shown.set_viewport_size({"width": 1280, "height": 360})
    shown.reload()
    names = [f"Table {number}" for number in range(1, TABLES + 1)]
    with simulated_tables(tmp_path / "table", running.port, names) as tables:
        tables[0].win("Ana", datetime.now(UTC).isoformat(timespec="seconds"), *(f"P{n}" for n in range(20)))
        wait_until(lambda: _looked(shown) == TABLES, "all tables are shown")
        places = [_turned(shown) for _ in range(12)]
        assert max(places) > 0
        assert places.count(0) >= 1, "it comes back to the first page"
        shown.keyboard.press("Shift")
        before = shown.evaluate("scrollY")
        shown.clock.run_for(13_000)
        assert shown.evaluate("scrollY") == before


WHOLE = """(table => table.scrollWidth - table.clientWidth <= 1)(document.querySelector(".club-standings"))"""


def _looked(page: Any) -> int:
    """How many tables are shown, once the page's clock has moved on."""
    page.clock.run_for(2_100)
    return int(page.locator(".club-tables .online").count())


def _turned(page: Any) -> float:
    """Where the page is once it had time to turn over."""
    page.clock.run_for(12_000)
    return float(page.evaluate("scrollY"))


def test_the_page_waits_for_its_broker(running, shown, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.outside.connection.FIRST_S", 0.1)
    ask_often(shown)
    shown.wait_for_selector("text=Der Broker kennt noch keinen Tisch.")
    running.stop()
    shown.wait_for_selector(".note.bad")
    running.start()
    with simulated_tables(tmp_path / "table", running.port, ["Tisch 1"]):
        shown.wait_for_selector(".club-tables .online")
    shown.wait_for_selector(".club-tables .offline")
