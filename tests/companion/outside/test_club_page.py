"""The club as the page has it: listened to while a page asks, and left afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.page import page_deps
from companion.app.page.page_deps import ClubPage
from companion.outside.connection import Broker
from tests.companion.outside.brokers import broker, free_port, wait_until
from tests.companion.outside.simulated_tables import simulated_tables

AT = "2026-11-25T20:00:00+00:00"


def known(page: ClubPage) -> tuple[list[str], int, int]:
    """The tables by name, how many of them are online, and how many games they have played."""
    club = page.now().club
    return [table["name"] for table in club["tables"]], club["online"], club["games"]


def test_it_listens_while_a_page_asks(tmp_path: Path) -> None:
    with (
        broker(tmp_path / "broker") as running,
        simulated_tables(tmp_path / "table", running.port, ["Table 2", "Table 10"]) as tables,
    ):
        page = ClubPage(Broker("127.0.0.1", running.port), "dudo")
        assert not page.listens
        page.now()
        assert page.listens
        tables[1].win("Ana", AT, "Beto")
        wait_until(lambda: known(page) == (["Table 2", "Table 10"], 2, 1), "all is known")
        now = page.now()
        assert [(place["rank"], place["name"]) for place in now.club["standings"]] == [
            (1, "Ana"),
            (2, "Beto"),
        ]
        assert page.now().mark == now.mark, "nothing has changed"
        page._lease.close()  # as after a minute in which no page has asked
        assert not page.listens
        running.stop()
        again = page.now()
        assert again.mark != now.mark
        assert again.club["tables"] == [], "what the broker says now counts, not what it once said"
        page.close()
        page.close()
        assert not page.listens


def test_it_leaves_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_deps, "AWAY_S", 0.01)
    page = ClubPage(Broker("127.0.0.1", free_port()), "dudo")
    page.now()
    wait_until(lambda: not page.listens, "no page asks any more")


def test_a_broker_that_is_away_is_a_sentence() -> None:
    page = ClubPage(Broker("127.0.0.1", free_port()), "dudo")
    try:
        wait_until(lambda: page.now().fault != "", "it is known soon")
        assert page.now().fault == "mqtt_away"
        assert not page.now().connected
    finally:
        page.close()
