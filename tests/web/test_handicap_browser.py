"""Handicaps at the set-up in a real browser."""

from __future__ import annotations

import pytest

from tests.web.conftest import Phone
from tests.web.hands import open_rules, seat
from tests.web.tables import BoxedTable

pytestmark = pytest.mark.browser


def test_a_player_begins_with_fewer_dice(phone: Phone, table: BoxedTable) -> None:
    page = phone("/setup")
    seat(page, ("Ana", "Bea", "Carlos"))
    assert page.locator("#people .handicap:visible").count() == 0
    open_rules(page)
    page.select_option('[data-switch="handicap"]', "true")
    page.locator("#people .handicap").nth(1).select_option("2")
    page.click('button[form="setup"]')
    page.wait_for_selector("#pad")
    players = table.snapshot().data["game"]["players"]
    assert [p["dice"] for p in players] == [5, 3, 5]
