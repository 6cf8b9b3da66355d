"""Roles over HTTP: how phones come in, sit, lead and take over, and what becomes of their cookies."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.folder import AccessRecord
from tests.unkept import Unkept
from tests.web.party import NAMES, phone_of, phone_state, send, way_in
from tests.web.tables import BoxedTable, bidding, deps_for, over
from web.app import create_app
from web.sessions.join_codes import PERIOD_S

pytestmark = pytest.mark.usefixtures("over_sockets")


@pytest.fixture
def page(seat, clock, access):
    """A page of its own for every test, for roles outlast a game."""
    return create_app(deps_for(seat, now_s=lambda: clock[0], access=access, secret="of the box"))


@pytest.fixture
def access():
    return AccessRecord(Unkept())


@pytest.fixture
def clock():
    return [5000.0]


@pytest.fixture
def host(page, client, table):
    """A phone that comes to a free table first, and is let in; `client` runs on the box itself."""
    first = phone_of(page)
    let_in(first, table)
    return first


@pytest.fixture
def other(page):
    return phone_of(page)


def ask(phone: FlaskClient, **wish: Any) -> Any:
    return phone.post("/api/v1/phone", json=wish).json


def role(phone: FlaskClient) -> str:
    return str(phone_state(phone)["role"])


def let_in(phone: FlaskClient, table: BoxedTable) -> None:
    """That phone asks, and somebody holds two buttons of the box."""
    assert ask(phone, join=True)["reason"] == "claim_open"
    table.hold_two()


def set_up(phone: FlaskClient) -> Any:
    players = [{"name": name, "colour": "red"} for name in NAMES]
    return send(phone, type="new_game", players=players, preset="modern", starter="Ana")


def test_who_sets_up_at_a_free_table_leads_it_and_the_next_one_watches(host, other):
    assert role(host) == "watcher"
    assert set_up(host).status_code == 200
    assert (role(host), role(other)) == ("host", "watcher")
    assert send(other, type="bid", by="Ana", quantity=5, face=3).json["reason"] == "watching"
    assert 'id="pad"' in host.get("/").text
    page = other.get("/").text
    assert 'id="pad"' not in page
    assert "/me" in page


def test_a_setting_up_that_fails_makes_nobody_lead(host, other):
    assert send(host, type="new_game", players=[]).status_code == 422
    assert set_up(other).status_code == 200
    assert role(other) == "host"


def test_a_phone_comes_in_by_the_code_and_takes_a_seat(host, other):
    set_up(host)
    assert way_in(other) == ""  # who watches cannot let others in
    entered = other.get(way_in(host))
    assert (entered.status_code, entered.location) == (303, "/me")
    assert ask(other, seat="Ana")["role"] == "player"
    assert 'id="pad"' in other.get("/").text
    assert send(other, type="bid", by="Ana", quantity=5, face=3).status_code == 200
    assert send(other, type="dudo", by="Bea").json["reason"] == "not_your_seat"
    assert send(other, type="abandon").json["reason"] == "leader_only"
    assert way_in(other) != ""


def test_a_code_can_be_typed(host, other):
    set_up(host)
    code = way_in(host).removeprefix("/j/").lower()
    assert ask(other, join=code) == {
        "role": "watcher",
        "seat": None,
        "joined": True,
        "let_in": True,
        "leads": False,
        "led": True,
        "claim": None,
    }


def test_a_code_runs_out(host, other, clock):
    set_up(host)
    way = way_in(host)
    clock[0] += 2 * PERIOD_S
    late = other.get(way)
    assert late.status_code == 403
    assert "/me" in late.text
    assert ask(other, join=way.removeprefix("/j/"))["reason"] == "code_over"
    assert ask(other, seat="Ana")["reason"] == "join_first"
    assert way_in(host) != way


def test_a_browser_on_the_box_itself_leads(client, host):
    set_up(host)
    assert role(client) == "host"
    assert send(client, type="bid", by="Ana", quantity=5, face=3).status_code == 200
    assert role(host) == "host"


def test_a_seat_is_kept_by_the_cookie_alone(host, other, page, seat, access):
    set_up(host)
    other.get(way_in(host))
    assert ask(other, seat="Bea")["seat"] == "Bea"
    kept = deps_for(seat, now_s=lambda: 7.0, secret="of the box", access=access)
    again = create_app(kept)
    back, thief = phone_of(again), phone_of(again)
    cookie = other.get_cookie("phone")
    back.set_cookie("phone", cookie.value)
    content, _, signature = cookie.value.rpartition(".")
    # The first letter: the last one of a base64 text holds bits that nobody reads.
    thief.set_cookie("phone", f"{content}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}")
    assert (role(back), role(thief)) == ("player", "watcher")
    assert ask(thief, seat="Bea")["reason"] == "join_first"


@pytest.mark.parametrize("cookie", ["", ".", "x.y", "W10=.", "é.é", "W10=." + "0" * 64, "a" * 3000])
def test_a_cookie_that_means_nothing_is_replaced(host, cookie):
    host.set_cookie("phone", cookie)
    answer = host.get("/api/v1/phone")
    assert (answer.status_code, answer.json["role"]) == (200, "watcher")
    assert "phone=" in answer.headers["Set-Cookie"]


def test_taking_over_needs_the_box(host, other, table):
    set_up(host)
    asked = other.post("/api/v1/phone", json={"lead": True})
    assert (asked.status_code, asked.json["reason"]) == (403, "claim_open")
    table.press("dudo", False)
    assert (role(other), role(host)) == ("watcher", "host")
    table.hold_two()
    assert (role(other), role(host)) == ("host", "watcher")
    assert ask(host, seat="Ana")["role"] == "player"  # still at the table


def test_the_lead_goes_on_after_a_game_until_it_is_given_back(client, host, other, table):
    set_up(host)
    send(host, type="abandon")
    over(table)
    assert send(other, type="play_again").json["reason"] == "watching"
    assert ask(host, lead=False)["leads"] is False
    assert send(other, type="play_again").status_code == 200
    assert (role(host), role(other)) == ("watcher", "host")


@pytest.mark.parametrize(
    "body", [{}, {"seat": 3}, {"lead": "yes"}, {"lead": None}, {"join": False}, {"join": 7}]
)
def test_a_wish_that_makes_no_sense_is_refused(client, body):
    assert client.post("/api/v1/phone", json=body).json["reason"] == "bad_phone"


def test_the_qr_code_lets_in_only_where_it_may(host, other):
    set_up(host)
    link = "/join/code.svg?link=http://192.168.1.20:8000/"
    assert host.get(link).data != other.get(link).data
    assert other.get(link).data == phone_of(other.application).get(link).data


def test_dice_in_the_phone_are_shown_to_their_own_phone_alone(client, other, table):
    players = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=players, preset="modern", starter="Ana")
    client.post("/api/v1/phone", json={"seat": "Ana"})
    other.post("/api/v1/phone", json={"seat": "Bea"})
    rolled = table.hand("Ana")
    shown = client.get("/sheet/hand").text
    assert [int(face) for face in re.findall(r'href="#pips(\d)"', shown)] == list(rolled)
    assert other.get("/sheet/hand").json["reason"] == "no_cup"
    assert 'data-sheet="hand"' in client.get("/").text
    assert 'data-sheet="hand"' not in other.get("/").text
    state = other.get("/api/v1/state").json
    assert "rolled" not in str(state)
    assert state["reveal"] is None


@pytest.mark.parametrize(
    ("hosts", "others", "doubts_at_once"),
    [
        (None, None, True),
        ("Bea", None, True),
        ("Ana", None, True),
        ("Ana", "Bea", False),
        (None, "Bea", False),
    ],
)
def test_the_phone_that_leads_asks_whose_doubt_it_is_where_that_player_has_a_phone(
    host, other, hosts, others, doubts_at_once
):
    """Bea is on turn. She says her bid before she enters it, and then it is not she who is doubted."""
    set_up(host)
    other.get(way_in(host))
    for phone, seat in ((host, hosts), (other, others)):
        if seat:
            ask(phone, seat=seat)
    send(host, type="bid", by="Ana", quantity=5, face=3)
    bar = host.get("/").text.partition('<div class="bar">')[2]
    button = re.search(r'<button[^>]*class="big dudo"[^>]*>', bar)
    assert ("data-command" in button[0]) == doubts_at_once
    assert ('data-sheet="dudo"' in button[0]) != doubts_at_once
    assert "Bea" in host.get("/sheet/dudo").text


def test_who_watches_sees_the_dice_but_no_way_to_correct_them(host, other, table):
    set_up(host)
    send(host, type="bid", by="Ana", quantity=5, face=3)
    send(host, type="dudo", by="Bea")
    table.do(table.eye({"red": (3, 1, 6, 2, 4)}))
    ways = [phone.get("/").text.count('data-sheet="die?id=') for phone in (host, other)]
    assert ways == [10, 0]  # five dice, each in the picture and in the row below
    assert other.get("/").text.count('class="chip ') == 5


def test_odds_are_shown_for_ones_own_dice(client, table):
    bidding(table)  # five threes among fifteen dice
    unknown = client.get("/sheet/coach").text
    knowing = client.get("/sheet/coach?own=3,3,1,2,6").text
    bids = [page.partition('id="bids"')[2] for page in (unknown, knowing)]
    first = [int(re.findall(r"<td>(\d+) %</td>", page)[0]) for page in bids]
    assert first == [60, 90]  # binomial: 5 of 15 and 2 of 10, a third each
    assert ('id="advice"' in unknown, 'id="advice"' in knowing) == (False, True)
    assert [
        bool(re.search(r'id="advice".*Dudo</th><td>10 %', page, re.S)) for page in (unknown, knowing)
    ] == [
        False,
        True,
    ]
    assert client.get("/sheet/coach?own=7").status_code == 400
    assert client.get("/sheet/coach?own=" + "1," * 400).status_code == 400
