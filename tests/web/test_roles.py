"""Roles over HTTP: how phones come in, sit, lead and take over, and what becomes of their cookies."""

import re

import pytest

from companion.table.folder import AccessRecord
from tests.unkept import Unkept
from tests.web.party import ask, let_in, phone_of, role, send, set_up, way_in
from tests.web.tables import bidding, deps_for, over
from web.app import create_app
from web.sessions.join_codes import PERIOD_S

pytestmark = pytest.mark.usefixtures("over_sockets")


@pytest.fixture
def other(home):
    return phone_of(home)


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


def test_a_seat_is_kept_by_the_cookie_alone(table):
    kept = {"secret": "of the box", "access": AccessRecord(Unkept())}
    home, again = (create_app(deps_for(table, now_s=lambda: 7.0, **kept)) for _ in range(2))
    host, other = phone_of(home), phone_of(home)
    let_in(host, table)
    set_up(host)
    other.get(way_in(host))
    assert ask(other, seat="Bea")["seat"] == "Bea"
    back, thief = phone_of(again), phone_of(again)
    cookie = other.get_cookie("phone")
    back.set_cookie("phone", cookie.value)
    content, _, signature = cookie.value.rpartition(".")
    # The first letter: the last one of a base64 text holds bits that nobody reads.
    thief.set_cookie("phone", f"{content}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}")
    assert (role(back), role(thief)) == ("player", "watcher")
    assert ask(thief, seat="Bea")["reason"] == "join_first"


def test_the_lead_goes_on_after_a_game_until_it_is_given_back(host, other, table):
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
