"""House switches in a real browser: bids without wilds, two dice to begin, handicaps, pushed dice, teams."""

from typing import Any

import pytest

from companion.table.table import Table
from tests.web.hands import expect, open_rules, seat, sit
from tests.web.tables import BoxedTable, start

pytestmark = pytest.mark.browser


def test_a_bid_without_wilds_is_made_on_the_pad(phone, table):
    start(table, house={"zhai": True})
    page = phone()
    page.click('[data-quantity="3"]')
    page.click("[data-without]")
    page.click('[data-face="4"]:not([disabled])')
    page.get_by_text("3 fours without wilds").first.wait_for()
    bid = table.snapshot().data["game"]["round"]["bid"]
    assert bid == {"quantity": 3, "face": 4, "zhai": True, "by": "Ana"}


def test_two_dice_each_are_tapped(phone, table):
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


def test_a_player_begins_with_fewer_dice(phone, table):
    page = phone("/setup")
    seat(page, ("Ana", "Bea", "Carlos"))
    expect(page, "#people .handicap:visible").to_have_count(0)
    open_rules(page)
    page.select_option('[data-switch="handicap"]', "true")
    page.locator("#people .handicap").nth(1).select_option("2")
    page.click('button[form="setup"]')
    page.wait_for_selector("#pad")
    players = table.snapshot().data["game"]["players"]
    assert [p["dice"] for p in players] == [5, 3, 5]


def test_lives_are_spoken_of_where_there_are_some(phone, table):
    page = phone("/setup")
    open_rules(page)
    penalty = page.locator('.switch:has([data-switch="penalty"]) small').first
    for lives, said in (("2", "about one die (or a life)."), ("null", "about one die.")):
        page.select_option('[data-switch="lives"]', lives)
        expect(penalty).to_contain_text(said)


def test_dice_are_pushed_out_on_the_pad(phone, table):
    start(table, preset="bluff")
    page, board = phone(), phone("/board")
    page.click("details.push summary")
    page.click('[data-push="face"][data-number="4"]')
    page.click('[data-push="wild"][data-number="3"]')  # of five dice four may go
    page.wait_for_selector('[data-push="face"][aria-pressed="true"][data-number="1"]')
    page.wait_for_selector('[data-push="wild"][aria-pressed="true"][data-number="3"]')
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


def test_a_phone_that_knows_the_hand_offers_only_dice_under_the_cup(phone, table):
    """Ana has two fives and one six, which is wild: no third die of a face, no second six."""
    page = phone()
    table.table = Table(table.journal, frames=1, roll=lambda n: (5, 2, 5, 6, 1)[:n])
    people = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=people, preset="bluff", starter="Ana")
    sit(page, "Ana")
    page.click("details.push summary")
    expect(page, '[data-push="face"]').to_have_text(["0", "1", "2"])
    expect(page, '[data-push="wild"]').to_have_text(["0", "1"])
    page.click('[data-push="face"][data-number="2"]')
    assert open_faces(page) == ["5"]
    page.click('[data-push="face"][data-number="1"]')
    assert open_faces(page) == ["1", "2", "5", "6"]
    page.click('[data-push="wild"][data-number="1"]')
    assert open_faces(page) == ["1", "2", "5"], "the six itself is pushed as the wild one"
    page.click('[data-face="5"]')
    page.wait_for_selector('.pushed[aria-label="in the open: 5, 6"]')


def open_faces(page: Any) -> Any:
    """Those of the faces on the pad that may be tapped."""
    return page.locator(".face:not([disabled])").evaluate_all("all => all.map(one => one.dataset.face)")


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


def lose(table: BoxedTable, team: int) -> None:
    """A round that somebody of that team loses: by a bid that fails, or by doubting one that holds."""
    now = table.snapshot().data["game"]
    teams, bidder = {player["name"]: player["team"] for player in now["players"]}, now["round"]["turn"]
    table.say("bid", by=bidder, quantity=1, face=4)
    table.say("dudo", by=table.snapshot().data["game"]["round"]["turn"])
    table.say("type_count", count=0 if teams[bidder] == team else 1)


def test_a_game_of_two_teams_from_the_set_up_to_the_winners(phone, table):
    page, board = phone("/setup"), phone("/board")
    set_up(page)
    for screen in (page, board):
        screen.locator(".tag.team").nth(3).wait_for()
        expect(screen, ".tag.team").to_have_text(["team A", "team B"] * 2)
    for _ in range(2):
        lose(table, team=2)
        if table.snapshot().data["game"]["winner"] is None:
            page.click(".big.go")
            page.wait_for_selector("#pad")
    for screen in (page, board):
        screen.get_by_text("Ana, Carlos win").first.wait_for()
    game = table.snapshot().data["game"]
    assert sorted(game["winners"]) == ["Ana", "Carlos"]
    expect(board, ".seats li:not(.out) .mark svg", "a crown for each of them").to_have_count(2)
    assert table.snapshot().data["box"]["seats"][::2] == ["gains", "gains"]
    assert [player["out"] for player in game["players"]] == [False, True, False, True]
    page.evaluate(f"location.assign('/statistics/games/{game['id']}')")
    page.get_by_text("Ana, Carlos win").first.wait_for()
