"""Dice pushed out with a bid in a real browser: chosen on the pad, seen beside the player on every page."""

from __future__ import annotations

import pytest

from tests.web.conftest import Phone
from tests.web.tables import BoxedTable, start

pytestmark = pytest.mark.browser


def test_dice_are_pushed_out_on_the_pad(phone: Phone, table: BoxedTable) -> None:
    start(table, preset="bluff")
    page, board = phone(), phone("/board")
    page.click("details.push summary")
    page.click('[data-push="face"][data-number="2"]')
    page.click('[data-push="wild"][data-number="1"]')
    page.click('[data-quantity="4"]')
    page.click('[data-face="3"]:not([disabled])')
    for screen in (page, board):
        screen.wait_for_selector('.pushed[aria-label="in the open: 3, 3, 6"]')
    said = table.snapshot().data["game"]["round"]["bids"]
    assert said == [{"quantity": 4, "face": 3, "by": "Ana", "pushed": [3, 3, 6]}]
    page.wait_for_selector('[data-push="face"][aria-pressed="true"][data-number="0"]', state="attached")
    table.say("dudo", by="Bea")
    page.locator(".called ~ .pushed", has_text="Ana").wait_for()


def test_the_pad_offers_it_where_it_is_played_alone(phone: Phone, table: BoxedTable) -> None:
    start(table)
    page = phone()
    page.wait_for_selector("#pad")
    assert page.locator("[data-push]").count() == 0
