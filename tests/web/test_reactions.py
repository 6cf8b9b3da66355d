"""Reactions to the dice: one tap, seen on all screens, as often as one phone may, and in no journal."""

import re

import pytest
from flask.testing import FlaskClient

from companion.budgets import REACTIONS, REACTIONS_PER_S
from tests.web.hands import expect
from tests.web.tables import bidding, deps_for, looking, verdict
from tests.web.test_controls import guest
from web.app import create_app

SHOWN = re.compile(
    r'id="reaction-\d+"><span role="img" aria-label="(\w+)">(?:.|<svg.+?</svg>)</span> <bdi>(.*?)</bdi>'
)


def react(phone: FlaskClient, feeling: str) -> int:
    return phone.post("/api/v1/phone", json={"react": feeling}).status_code


def shown(phone: FlaskClient, path: str = "/") -> list[tuple[str, ...]]:
    return SHOWN.findall(phone.get(path).text)


def test_a_reaction_is_seen_on_all_screens_until_the_next_round(table):
    clock = [1000.0]
    host = create_app(deps_for(table, now_s=lambda: clock[0])).test_client()
    verdict(table)
    bea, carlos = guest(host, "Bea"), guest(host, "Carlos")
    records = len(table.journal.records(table.snapshot().data["game"]["id"]))
    assert [react(bea, "laugh"), react(carlos, "gasp"), react(host, "clap")] == [200] * 3
    all_three = [("laughs", "Bea"), ("gasps", "Carlos"), ("claps", "")]
    assert [shown(bea), shown(host), shown(host, "/board")] == [all_three] * 3
    assert len(table.journal.records(table.snapshot().data["game"]["id"])) == records
    for _ in range(9):
        react(bea, "laugh")
    assert len(shown(bea)) == 3 + REACTIONS - 1, "so many at once"
    clock[0] += 1 / REACTIONS_PER_S
    react(bea, "clap")
    assert shown(bea)[-1] == ("claps", "Bea")
    table.say("next_round")
    assert shown(bea) == []


@pytest.mark.parametrize(
    ("bring", "seat", "status", "count", "why"),
    [
        (verdict, "Bea", 200, 1, "at a verdict"),
        (looking, "Bea", 200, 1, "while dice are looked for"),
        (bidding, "Bea", 200, 0, "nobody shows dice: it is not seen"),
        (verdict, None, 403, 0, "who only watches"),
    ],
)
def test_who_reacts_and_when(table, bring, seat, status, count, why):
    client = create_app(deps_for(table)).test_client()
    bring(table)  # type: ignore[operator]
    phone = guest(client, seat)
    assert react(phone, "laugh") == status, why
    assert len(shown(client)) == count, why
    assert ('"react"' in phone.get("/").text.replace("&#34;", '"')) == (bring is not bidding and bool(seat))


def test_what_is_no_reaction_is_refused(client, table):
    looking(table)
    assert react(client, "shout") == 400


@pytest.mark.browser
def test_one_tap_reacts_and_the_page_stays(phone, table):
    verdict(table)
    page, board = phone(), phone("/board", viewport={"width": 1280, "height": 720}, is_mobile=False)
    page.evaluate("window.stayed = true")
    page.click(".reactions button >> nth=0")
    page.wait_for_selector(".reactions li")
    board.wait_for_selector(".reactions li")
    expect(
        page, "button[aria-label=claps] .palm", "two hands, drawn: not every system has them"
    ).to_have_count(2)
    assert page.evaluate("window.stayed")
