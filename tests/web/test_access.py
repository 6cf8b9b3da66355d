"""Seats and the lead: who may do what, that seats are kept, and that the box's button always wins."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.tables import BoxedTable, bidding, deps_for, start
from web import create_app
from web.access import CLAIM_S, Phone, Seats

NAMES = ("Ana", "Bea", "Carlos")
WATCHER = Phone("w", led=True)
PLAYER = Phone("p", led=True, seat="Ana")
LEADER = Phone("l", led=True, leads=True)
ANYBODY = Phone("a")


@pytest.mark.parametrize(
    ("phone", "command", "reason"),
    [
        (ANYBODY, {"type": "new_game"}, None),
        (ANYBODY, {"type": "bid", "by": "Ana"}, None),
        (LEADER, {"type": "abandon"}, None),
        (LEADER, {"type": "bid", "by": "Bea"}, None),
        (PLAYER, {"type": "bid", "by": "Ana"}, None),
        (PLAYER, {"type": "dudo", "by": "Ana"}, None),
        (PLAYER, {"type": "dudo", "by": "Bea"}, "not_your_seat"),
        (PLAYER, {"type": "challenge", "by": "Bea"}, "not_your_seat"),
        (PLAYER, {"type": "hand", "player": "Bea"}, "not_your_seat"),
        (PLAYER, {"type": "set_face"}, None),
        (PLAYER, {"type": "undo"}, None),
        (PLAYER, {"type": "next_round"}, None),
        (PLAYER, {"type": "abandon"}, "leader_only"),
        (PLAYER, {"type": "play_again"}, "leader_only"),
        (PLAYER, {"type": "new_game"}, "leader_only"),
        (WATCHER, {"type": "set_face"}, "watching"),
        (WATCHER, {"type": "bid", "by": "Ana"}, "watching"),
        (WATCHER, {}, "watching"),
    ],
)
def test_what_a_phone_may_do(phone: Phone, command: dict[str, Any], reason: str | None) -> None:
    assert phone.refusal(command) == reason


class Box:
    """A clock and a counter of presses, moved by hand."""

    def __init__(self) -> None:
        self.now_s, self.pressed = 1000.0, 0
        self.seats = Seats(lambda: self.pressed, lambda: self.now_s)


def test_a_seat_belongs_to_one_phone() -> None:
    seats = Box().seats
    assert seats.sit("one", "Ana", NAMES) is None
    assert seats.sit("two", "Ana", NAMES) == "seat_taken"
    assert seats.sit("two", "Zoe", NAMES) == "no_such_seat"
    assert seats.sit("one", "Bea", NAMES) is None  # and leaves the other
    assert seats.sit("two", "Ana", NAMES) is None
    assert seats.taken(NAMES) == {"Ana", "Bea"}


def test_a_phone_that_comes_back_has_its_seat_again() -> None:
    seats = Box().seats  # as after a restart of the box
    assert seats.phone("one", "Ana", NAMES).seat == "Ana"
    assert seats.phone("two", "Ana", NAMES).seat is None
    assert seats.phone("three", "Gone", NAMES).seat is None


def test_the_button_takes_the_lead_from_anybody() -> None:
    box = Box()
    assert box.seats.lead("one") is None
    assert box.seats.lead("two") == "press_the_box"
    assert box.seats.lead("two") == "press_the_box"  # asking twice is not pressing
    box.pressed += 1
    assert box.seats.lead("three") == "press_the_box"  # somebody else's press
    assert box.seats.lead("two") == "press_the_box"
    box.pressed += 1
    assert box.seats.lead("two") is None
    assert box.seats.phone("two", None, NAMES).leads
    assert not box.seats.phone("one", None, NAMES).leads


def test_a_press_counts_for_a_minute() -> None:
    box = Box()
    box.seats.lead("one")
    box.seats.lead("two")
    box.pressed, box.now_s = 1, box.now_s + CLAIM_S + 1
    assert box.seats.lead("two") == "press_the_box"


def test_only_the_leader_gives_the_lead_back() -> None:
    box = Box()
    box.seats.lead("one")
    box.seats.follow("two")
    assert box.seats.phone("two", None, NAMES).led
    box.seats.follow("one")
    assert box.seats.phone("two", None, NAMES).free


# ---- over HTTP -----------------------------------------------------------------------------------------


@pytest.fixture
def page(seat: Any) -> Flask:
    """A page of its own for every test, for seats and the lead outlast a game."""
    return create_app(deps_for(seat))


@pytest.fixture
def other(page: Flask, client: FlaskClient) -> FlaskClient:
    """A second phone at the table of `client`."""
    return page.test_client()


def send(phone: FlaskClient, **command: Any) -> Any:
    return phone.post("/api/v1/commands", json={"command": command})


def test_a_phone_without_a_seat_watches_while_another_leads(
    client: FlaskClient, other: FlaskClient, table: BoxedTable
) -> None:
    bidding(table)
    client.post("/api/v1/phone", json={"lead": True})
    assert send(other, type="dudo", by="Bea").json["reason"] == "watching"
    page = other.get("/").text
    assert 'id="pad"' not in page
    assert "/me" in page
    other.post("/api/v1/phone", json={"seat": "Bea"})
    assert 'id="pad"' in other.get("/").text
    assert send(other, type="dudo", by="Bea").status_code == 200


def test_a_seat_is_kept_by_the_cookie_alone(client: FlaskClient, page: Flask, table: BoxedTable) -> None:
    start(table)
    answer = client.post("/api/v1/phone", json={"seat": "Ana"})
    assert answer.json == {"seat": "Ana", "leads": False, "led": False}
    assert client.get("/me").text.count('aria-pressed="true"') >= 1
    forged = page.test_client()
    cookie = client.get_cookie("phone")
    assert cookie is not None
    forged.set_cookie("phone", cookie.value[:-1] + ("0" if cookie.value[-1] != "0" else "1"))
    assert forged.post("/api/v1/phone", json={"seat": "Ana"}).json["reason"] == "seat_taken"


def test_taking_over_needs_the_box(client: FlaskClient, other: FlaskClient, table: BoxedTable) -> None:
    bidding(table)
    client.post("/api/v1/phone", json={"lead": True})
    asked = other.post("/api/v1/phone", json={"lead": True})
    assert (asked.status_code, asked.json["reason"]) == (403, "press_the_box")
    table.press("dudo", False)
    assert other.post("/api/v1/phone", json={"lead": True}).json["leads"] is True


@pytest.mark.parametrize("body", [{}, {"seat": 3}, {"lead": "yes"}, {"lead": None}])
def test_a_wish_that_makes_no_sense_is_refused(client: FlaskClient, body: Any) -> None:
    assert client.post("/api/v1/phone", json=body).json["reason"] == "bad_phone"


def test_dice_in_the_phone_are_shown_to_their_own_phone_alone(
    client: FlaskClient, other: FlaskClient, table: BoxedTable
) -> None:
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


def test_odds_are_told_for_ones_own_dice(client: FlaskClient, table: BoxedTable) -> None:
    bidding(table)  # five threes among fifteen dice
    unknown = client.get("/sheet/coach").text
    knowing = client.get("/sheet/coach?own=3,3,1,2,6").text
    first = [int(re.findall(r"<td>(\d+) %</td>", page)[0]) for page in (unknown, knowing)]
    assert first == [60, 90]  # binomial: 5 of 15 and 2 of 10, a third each
    assert client.get("/sheet/coach?own=7").status_code == 400
    assert client.get("/sheet/coach?own=" + "1," * 400).status_code == 400
