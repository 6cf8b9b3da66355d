"""A kept game is deleted from its page, by who manages the box, after a question."""

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from companion.texts import languages, translate
from tests.web.hands import expect, until
from tests.web.tables import bidding, over


@pytest.fixture
def kept(table):
    """The id of a game that was played and put away."""
    game = str(over(table).data["game"]["id"])
    table.table = Table(table.journal, frames=1)
    table.say("put_away")
    return game


def test_who_manages_the_box_deletes_a_game(client, table, kept):
    answer = client.delete(f"/api/v1/games/{kept}")
    assert (answer.status_code, answer.json) == (200, {"deleted": kept})
    assert kept not in table.archive.ids()
    assert client.get(f"/statistics/games/{kept}").status_code == 404


def test_the_game_on_the_table_is_refused_until_it_is_over(client, table):
    game = bidding(table).data["game"]["id"]
    answer = client.delete(f"/api/v1/games/{game}")
    assert (answer.status_code, answer.json["reason"]) == (422, "game_on_table")
    assert answer.json["title"] == "This game is on the table. Finish or stop it first."
    table.say("abandon")
    assert client.delete(f"/api/v1/games/{game}").status_code == 200
    assert 'class="screen on-setup' in client.get("/").text


def test_nobody_else_deletes_a_game_nor_is_offered_to(party):
    game = party.table.snapshot().data["game"]["id"]
    people = {
        "host": party.host,
        "player": party.phones["Ana"],
        "guest": party.guest(),
        "stranger": party.phone(),
    }
    answers = {name: phone.delete(f"/api/v1/games/{game}").json["reason"] for name, phone in people.items()}
    offered = {name for name, phone in people.items() if 'id="delete-open"' in page_of(phone, game)}
    nobody = dict.fromkeys(("player", "guest", "stranger"), "leader_only")
    assert answers == {"host": "game_on_table", **nobody}, "the host is let through"
    assert offered == {"host"}


def page_of(phone: FlaskClient, game: str) -> str:
    return phone.get(f"/statistics/games/{game}").text


def test_a_page_of_another_site_deletes_nothing(client, table, kept):
    answer = client.delete(f"/api/v1/games/{kept}", headers={"Origin": "http://elsewhere.example"})
    assert (answer.status_code, answer.json["reason"]) == (403, "foreign_page")
    assert kept in table.archive.ids()


@pytest.mark.parametrize("language", languages())
def test_the_question_says_what_goes(client, kept, language):
    page = client.get(f"/statistics/games/{kept}", headers={"Accept-Language": language}).text
    for key in ("delete", "delete_title", "delete_lead", "delete_go"):
        assert translate(language, f"web.statistics.{key}") in page, key


@pytest.mark.browser
def test_a_finger_opens_the_question_thinks_better_of_it_and_then_deletes(phone, table, kept):
    page = phone(f"/statistics/games/{kept}")
    page.click("#delete-open")
    expect(page, "text=Delete for good").to_be_visible()
    page.click("#delete [data-close]")
    expect(page, "text=Delete for good").to_be_hidden()
    assert kept in table.archive.ids()
    page.evaluate("game => remembered('copies', JSON.stringify({ [game]: 'head', other: 'head' }))", kept)
    page.click("#delete-open")
    page.click("text=Delete for good")
    page.wait_for_url("**/statistics")
    assert kept not in table.archive.ids()
    until(page, "remembered('copies') === JSON.stringify({ other: 'head' })", "nor is its copy offered again")
