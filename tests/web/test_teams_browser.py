"""A whole game of two teams in a real browser: set up, bid, doubted, counted by hand, won together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Phone
from tests.web.hands import open_rules, seat
from tests.web.tables import BoxedTable

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bea", "Carlos", "Dora")
"""By seats: Ana and Carlos against Bea and Dora."""


def set_up(page: Any) -> None:
    """One die each, so that who loses is out; who is drawn to start is not known."""
    seat(page, NAMES)
    open_rules(page)
    page.select_option('[data-switch="teams"]', '"share_win"')
    page.select_option('[data-switch="starting_dice"]', "1")
    page.click('button[form="setup"]')
    page.wait_for_selector("#pad")


def lose(page: Any, table: BoxedTable, team: int) -> str:
    """A round that somebody of that team loses: by a bid that fails, or by doubting one that holds."""
    now = table.snapshot().data["game"]
    teams = {player["name"]: player["team"] for player in now["players"]}
    bidder = now["round"]["turn"]
    page.click('[data-quantity="1"]')
    page.click('[data-face="4"]:not([disabled])')
    page.click(".big.dudo")
    page.locator('[data-sheet="count"]').first.click()
    page.click(f'#sheet [data-command*="type_count"] >> nth={0 if teams[bidder] == team else 1}')
    page.wait_for_selector(".verdict, .winner")
    return str(bidder)


def test_a_game_of_two_teams_from_the_set_up_to_the_winners(phone: Phone, table: BoxedTable) -> None:
    page, board = phone("/setup"), phone("/board")
    set_up(page)
    for screen in (page, board):
        screen.locator(".tag.team").nth(3).wait_for()
        assert screen.locator(".tag.team").all_inner_texts() == ["team A", "team B"] * 2
    for _ in range(2):
        lose(page, table, team=2)
        if table.snapshot().data["game"]["winner"] is None:
            page.click(".big.go")
            page.wait_for_selector("#pad")
    for screen in (page, board):
        screen.get_by_text("Ana, Carlos win").first.wait_for()
    game = table.snapshot().data["game"]
    assert sorted(game["winners"]) == ["Ana", "Carlos"]
    assert board.locator(".seats li:not(.out) .mark svg").count() == 2, "a crown for each of them"
    assert table.snapshot().data["box"]["seats"][::2] == ["gains", "gains"]
    assert [player["out"] for player in game["players"]] == [False, True, False, True]
    page.evaluate(f"location.assign('/statistics/games/{game['id']}')")
    page.get_by_text("Ana, Carlos win").first.wait_for()
