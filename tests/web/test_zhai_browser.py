"""Bids without wilds in a real browser: entered on the pad, shown in words, counted plain."""

from __future__ import annotations

import pytest

from tests.web.conftest import Phone
from tests.web.tables import BoxedTable, start

pytestmark = pytest.mark.browser


def test_a_bid_without_wilds_is_made_on_the_pad(phone: Phone, table: BoxedTable) -> None:
    start(table, house={"zhai": True})
    page = phone()
    page.click('[data-quantity="3"]')
    page.click("[data-without]")
    page.click('[data-face="4"]:not([disabled])')
    page.get_by_text("3 fours without wilds").first.wait_for()
    bid = table.snapshot().data["game"]["round"]["bid"]
    assert bid == {"quantity": 3, "face": 4, "zhai": True, "by": "Ana"}


def test_the_pad_offers_no_such_bid_at_the_usual_table(phone: Phone, table: BoxedTable) -> None:
    start(table)
    page = phone()
    page.wait_for_selector("#pad")
    assert page.locator("[data-without]").count() == 0
