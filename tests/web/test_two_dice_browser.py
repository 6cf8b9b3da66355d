"""A roll for the start with two dice each, tapped in a real browser."""

from __future__ import annotations

import pytest

from tests.web.conftest import Phone
from tests.web.tables import BoxedTable

pytestmark = pytest.mark.browser


def test_two_dice_each_are_tapped(phone: Phone, table: BoxedTable) -> None:
    people = [{"name": name} for name in ("Ana", "Bea")]
    table.say(
        "new_game", players=people, preset="perudo", house={"roll_off_dice": 2}, starter=None, roll_off=True
    )
    page = phone()
    for number, faces in enumerate(((2, 3), (6, 6))):
        row = page.locator(".rolls").nth(number).locator(".row")
        row.nth(0).locator("button").nth(faces[0] - 1).click()
        row.nth(1).locator("button").nth(faces[1] - 1).click()
    page.get_by_text("12", exact=True).first.wait_for()
    assert table.snapshot().data["game"]["round"]["starter"] == "Bea"
