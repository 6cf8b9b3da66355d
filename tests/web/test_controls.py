"""A page shows no control that its phone may not use: each is held against the table of authority."""

import json
import re
from dataclasses import replace
from html import unescape
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.errors import BadCommand, NotAllowed
from companion.rules.position import Phase
from companion.table.authority import refuse
from companion.table.commands import Author, By
from companion.table.parsing import parse
from tests.web.party import phone_of, sit, way_in
from tests.web.tables import WAYS, BoxedTable, deps_for
from web.app import create_app

pytestmark = pytest.mark.usefixtures("over_sockets")

CONTROLS = re.compile(r"<[^>]*data-command='([^']*)'[^>]*>")


def commands(page: str) -> list[dict[str, Any]]:
    """What the taps on a page would send; a control that is disabled only shows."""
    found = (control for control in CONTROLS.finditer(page) if " disabled" not in control[0])
    return [json.loads(unescape(control[1])) for control in found]


def guest(client: FlaskClient, seat: str | None) -> FlaskClient:
    """A phone of the network that was let in, in that seat."""
    phone = phone_of(client.application)
    assert phone.get(way_in(client)).status_code == 303
    if seat:
        assert sit(phone, seat) == 200
    return phone


def refused(table: BoxedTable, command: dict[str, Any], author: Author) -> str:
    """Why the table refuses it to this author, "" where it does not."""
    now = table.table.snapshot()
    try:
        wish = parse(command)
        refuse(wish, author, now, table.table._concerned(wish))
    except NotAllowed as error:
        return error.reason
    except BadCommand:
        return ""  # the moment has passed: no question of who asks
    return ""


@pytest.mark.parametrize("scene", WAYS)
def test_no_page_offers_what_the_table_refuses(table, scene):
    client = create_app(deps_for(table)).test_client()
    WAYS[scene](table)
    game = table.table.snapshot().state.game
    if game is None:
        return
    seats = [player.name for player in game.players if not player.out][:3]
    phones = {seat: guest(client, seat) for seat in (None, *seats)}
    for undo, (seat, phone) in product(("everybody", "host", "caller"), phones.items()):
        object.__setattr__(game.ruleset, "undo", undo)
        table.refresh()
        author = Author(By.PLAYER, seat or "", phone.get("/api/v1/phone").json.get("id", ""))
        found = commands(phone.get("/").text)
        if game.phase is Phase.OVER:  # nobody leads: whoever comes first may begin another game
            author = replace(author, by=By.HOST)
        elif not seat:
            assert not found, "who watches gives no command"
        reasons = {(one["type"], refused(table, one, author)) for one in found}
        assert {pair for pair in reasons if pair[1]} == set(), (undo, seat)


@pytest.mark.parametrize(
    ("scene", "seat", "where", "why"),
    [
        ("opening", "Bea", "", "nobody has done anything yet"),
        ("round", "Ana", "bar", "her own bid"),
        ("round", "Carlos", "below", "the bid of another: in words, away from the thumb"),
        ("reveal", "Bea", "bar", "her own dudo"),
        ("reveal", "Ana", "below", "the dudo of another"),
        ("verdict", "Carlos", "bar", "the verdict is nobody's"),
    ],
)
def test_undo_lies_at_hand_for_who_acted(table, scene, seat, where, why):
    client = create_app(deps_for(table)).test_client()
    WAYS[scene](table)
    page = guest(client, seat).get("/").text
    bar, _, rest = page.partition('<div class="bar">')[2].partition("</div>")
    assert ("bar" if 'id="undo"' in bar else "below" if 'id="undo"' in rest else "") == where, why


def test_a_waiting_phone_is_not_left_bare(table):
    client = create_app(deps_for(table)).test_client()
    WAYS["round"](table)
    phone = guest(client, "Carlos")
    bars = [phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0]]
    table.say("dudo", by="Bea")
    table.say("type_count", count=4)
    table.say("next_round")
    bars.append(phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0])
    phone.set_cookie("coach", "on")
    bars.append(phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0])
    offered = [[part for part in ("waiting", "/history", "coach") if part in bar] for bar in bars]
    assert offered == [["waiting"], ["/history"], ["/history", "coach"]]
    assert "Bea was right: Ana bid 5 threes" in phone.get("/").text, "what came of the last round"


def test_the_host_corrects_a_round_of_the_history_and_of_the_game_before(table):
    client = create_app(deps_for(table)).test_client()
    WAYS["evening"](table)
    earlier = table.snapshot().data["game"]["id"]
    table.say("play_again")
    turn = table.snapshot().data["game"]["round"]["turn"]
    table.say("bid", by=turn, quantity=3, face=3)
    table.say("dudo", by=table.snapshot().data["game"]["round"]["turn"])
    table.say("type_count", count=2)
    assert 'data-sheet="count">Correct<' in client.get("/history").text, "judged anew, whatever then follows"
    table.say("next_round")
    links = re.findall(r'data-sheet="(amend\?[^"]*)"', client.get("/history").text)
    assert [earlier in link for link in links] == [False] + [True] * (len(links) - 1)
    asked = [commands(client.get(f"/sheet/{unescape(link)}").text) for link in (*links[:2], links[-1])]
    assert [{one.get("keep_dice", False) for one in offered} for offered in asked] == [{False, True}] * 3
    assert [max(one["count"] for one in offered) for offered in asked] == [12, 4, 12], (
        "the dice of that round"
    )
    assert client.get("/sheet/amend?round=x&most=3").status_code == 400
    assert "amend?" not in guest(client, turn).get("/history").text
