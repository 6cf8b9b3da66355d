"""Dice pushed out with a bid in a real browser: chosen on the pad, seen beside the player on every page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.table import Table
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


def test_a_phone_that_knows_the_hand_offers_only_dice_under_the_cup(phone: Phone, table: BoxedTable) -> None:
    """Ana has two fives and one six, which is wild: no third die of a face, no second six."""
    page = phone()
    table.table = Table(table.journal, frames=1, roll=lambda n: (5, 2, 5, 6, 1)[:n])
    people = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=people, preset="bluff", starter="Ana")
    take_seat(page, "Ana")
    page.click("details.push summary")
    assert numbers(page, "face") == ["0", "1", "2"]
    assert numbers(page, "wild") == ["0", "1"]
    page.click('[data-push="face"][data-number="2"]')
    assert open_faces(page) == ["5"]
    page.click('[data-push="face"][data-number="1"]')
    assert open_faces(page) == ["1", "2", "5", "6"]
    page.click('[data-push="wild"][data-number="1"]')
    assert open_faces(page) == ["1", "2", "5"], "the six itself is pushed as the wild one"
    page.click('[data-face="5"]')
    page.wait_for_selector('.pushed[aria-label="in the open: 5, 6"]')


def test_no_more_than_may_be_pushed_out_is_chosen_in_all(phone: Phone, table: BoxedTable) -> None:
    """Of five dice four may go; choosing three wild ones leaves one of the face."""
    start(table, preset="bluff")
    page = phone()
    page.click("details.push summary")
    page.click('[data-push="face"][data-number="4"]')
    page.click('[data-push="wild"][data-number="3"]')
    page.wait_for_selector('[data-push="face"][aria-pressed="true"][data-number="1"]')
    page.wait_for_selector('[data-push="wild"][aria-pressed="true"][data-number="3"]')


def take_seat(page: Any, name: str) -> None:
    page.evaluate(
        """seat => fetch("/api/v1/phone", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({seat})})""",
        name,
    )
    page.reload()
    page.wait_for_selector("#pad")


def numbers(page: Any, which: str) -> list[str]:
    return [one.inner_text() for one in page.locator(f'[data-push="{which}"]').all()]


def open_faces(page: Any) -> list[str]:
    return [one.get_attribute("data-face") for one in page.locator(".face:not([disabled])").all()]
