"""Roles: who may do what, how a phone comes in, what is kept of it, and that the box has its way."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.table.commands import COMMAND_TYPES
from tests.web.tables import BoxedTable, bidding, deps_for, over
from web import create_app
from web.access import Phone, Role
from web.badge import Badge
from web.codes import LENGTH, LETTERS, PERIOD_S, JoinCodes
from web.seats import CLAIM_S, LAPSE_S, Seats, Visit

NAMES = ("Ana", "Bea", "Carlos")

WATCHER = Phone("w", led=True)
JOINED = Phone("j", led=True, joined=True)
PLAYER = Phone("p", led=True, joined=True, seat="Ana")
HOST = Phone("h", led=True, leads=True, joined=True)
LOCAL = Phone("b", led=True, local=True)
FIRST = Phone("f", vacant=True)
LEFT_ALONE = Phone("l")  # nobody leads, but a game is on

# What each command is: said for one's own seat, done by anybody at the table, or by the phone that leads.
COMMANDS = {
    **dict.fromkeys(("bid", "dudo", "calza", "pass", "dudo_pass", "choose_visibility", "challenge"), "seat"),
    **dict.fromkeys(("hand", "press"), "seat"),
    **dict.fromkeys(("look", "set_face", "set_owner", "strike", "cut_off", "add_die", "same_die"), "table"),
    **dict.fromkeys(("two_dice", "all_apart", "correct_call", "type_count", "forget_colours"), "table"),
    **dict.fromkeys(("as_read", "confirm", "next_round", "undo"), "table"),
    **dict.fromkeys(("new_game", "roll_off", "abandon", "play_again", "put_away"), "host"),
}
REFUSALS = {
    # role: own seat, another's seat, at the table, for the host
    "watcher": (WATCHER, "watching", "watching", "watching", "watching"),
    "watcher, no host": (LEFT_ALONE, "watching", "watching", "watching", "watching"),
    "joined": (JOINED, "sit_first", "sit_first", "sit_first", "sit_first"),
    "player": (PLAYER, None, "not_your_seat", None, "leader_only"),
    "host": (HOST, None, None, None, None),
    "on the box": (LOCAL, None, None, None, None),
    "first at a free table": (FIRST, None, None, None, None),
}


def test_every_command_belongs_to_a_role() -> None:
    assert set(COMMANDS) == set(COMMAND_TYPES)


@pytest.mark.parametrize("role", REFUSALS)
@pytest.mark.parametrize("kind", COMMANDS)
def test_what_a_phone_may_do(role: str, kind: str) -> None:
    phone, own, other, table, host = REFUSALS[role]
    who = "player" if kind == "hand" else "by"
    wanted = {"seat": (own, other), "table": (table, table), "host": (host, host)}[COMMANDS[kind]]
    assert (phone.refusal({"type": kind, who: "Ana"}), phone.refusal({"type": kind, who: "Bea"})) == wanted


@pytest.mark.parametrize(
    ("phone", "role", "free", "plays", "may_sit", "speaks"),
    [
        (WATCHER, Role.WATCHER, False, False, False, ()),
        (LEFT_ALONE, Role.WATCHER, False, False, False, ()),
        (JOINED, Role.WATCHER, False, False, True, ()),
        (PLAYER, Role.PLAYER, False, True, True, ("Ana",)),
        (HOST, Role.HOST, True, True, True, NAMES),
        (LOCAL, Role.HOST, True, True, True, NAMES),
        (FIRST, Role.WATCHER, True, True, True, NAMES),
    ],
)
def test_what_a_phone_is(
    phone: Phone, role: Role, free: bool, plays: bool, may_sit: bool, speaks: tuple[str, ...]
) -> None:
    assert (phone.role, phone.free, phone.plays, phone.may_sit) == (role, free, plays, may_sit)
    assert tuple(name for name in NAMES if phone.speaks_for(name)) == speaks


def test_a_command_without_a_type_is_refused_to_players_and_watchers() -> None:
    assert (PLAYER.refusal({}), WATCHER.refusal({})) == ("leader_only", "watching")


class Box:
    """A clock, a counter of presses and a table, moved by hand."""

    def __init__(self) -> None:
        self.now_s, self.pressed, self.playing = 1000.0, 0, True
        self.restart()

    def restart(self) -> None:
        self.seats = Seats(lambda: self.pressed, lambda: self.now_s)

    def phone(self, name: str, **badge: Any) -> Phone:
        return self.seats.phone(Visit(Badge(name, **badge), names=NAMES, playing=self.playing))

    def lead(self, name: str, **badge: Any) -> str | None:
        return self.seats.lead(self.phone(name, **badge))

    def sit(self, name: str, seat: str | None) -> str | None:
        return self.seats.sit(self.phone(name), seat, NAMES)

    def join(self, *names: str) -> None:
        for name in names:
            self.seats.join(name)


def test_a_phone_that_just_came_watches_until_it_is_let_in() -> None:
    box = Box()
    assert box.sit("one", "Ana") == "join_first"
    box.join("one")
    assert box.sit("one", "Ana") is None
    assert box.phone("one").role is Role.PLAYER


def test_a_seat_belongs_to_one_phone() -> None:
    box = Box()
    box.join("one", "two")
    assert box.sit("one", "Ana") is None
    assert box.sit("two", "Ana") == "seat_taken"
    assert box.sit("two", "Zoe") == "no_such_seat"
    assert box.sit("one", "Bea") is None  # and leaves the other
    assert box.sit("two", "Ana") is None
    assert box.seats.taken(NAMES) == {"Ana", "Bea"}
    assert box.sit("two", None) is None
    assert box.phone("two").may_sit


def test_a_phone_that_comes_back_after_a_restart_has_its_seat_again() -> None:
    box = Box()
    assert box.phone("one", seat="Ana", joined=True).seat == "Ana"
    assert box.phone("two", seat="Ana", joined=True).seat is None
    assert box.phone("three", seat="Gone", joined=True).seat is None
    assert box.phone("four").role is Role.WATCHER


def test_an_old_badge_does_not_bring_back_what_was_left() -> None:
    """A question under way still carries the badge of before."""
    box = Box()
    box.join("one")
    box.sit("one", "Ana")
    box.sit("one", None)
    assert box.phone("one", seat="Ana", joined=True).seat is None
    box.playing = False
    box.lead("one")
    box.playing = True
    box.seats.follow("one")
    assert not box.phone("one", joined=True, leads=True).leads


def test_the_first_at_a_free_table_leads_without_more() -> None:
    box = Box()
    box.playing = False
    assert box.phone("one").free
    assert box.lead("one") is None
    assert not box.phone("two").free
    assert box.lead("two") == "press_the_box"


@pytest.mark.parametrize(("joined", "refused"), [(True, None), (False, "press_the_box")])
def test_while_a_game_is_on_and_nobody_leads_those_at_the_table_may(
    joined: bool, refused: str | None
) -> None:
    box = Box()
    assert box.lead("one", joined=joined) == refused


def test_the_leader_leads_again_after_a_restart_in_the_middle_of_a_game() -> None:
    box = Box()
    assert box.phone("one", joined=True, leads=True).leads
    assert not box.phone("two", joined=True, leads=True).leads
    box.playing = False
    box.restart()
    assert box.phone("one", joined=True, leads=True).leads is False


def test_a_press_takes_the_lead_from_anybody() -> None:
    box = Box()
    box.lead("one", joined=True)
    assert box.lead("two") == "press_the_box"
    assert box.lead("two") == "press_the_box"  # asking twice is not pressing
    box.pressed += 1
    assert not box.phone("three").leads  # who did not ask gets nothing
    assert box.phone("two").leads
    assert not box.phone("one").leads
    box.pressed += 1
    assert not box.phone("one").leads  # one press, one phone


def test_a_press_lets_a_phone_in_that_has_no_code() -> None:
    box = Box()
    box.lead("one", joined=True)
    assert box.seats.ask(box.phone("two")) == "press_the_box"
    assert not box.phone("two").may_sit
    box.pressed += 1
    assert box.phone("two").may_sit
    assert box.phone("one").leads


def test_a_press_counts_for_a_minute() -> None:
    box = Box()
    box.lead("one", joined=True)
    box.lead("two")
    box.now_s += CLAIM_S + 1
    box.pressed += 1
    assert not box.phone("two").leads


def test_only_the_leader_gives_the_lead_back() -> None:
    box = Box()
    box.lead("one", joined=True)
    box.seats.follow("two")
    assert box.phone("two").led
    box.seats.follow("one")
    assert not box.phone("one").led


@pytest.mark.parametrize(
    ("playing", "away_s", "led"), [(False, LAPSE_S + 1, False), (False, LAPSE_S - 1, True), (True, 1e6, True)]
)
def test_a_lead_of_another_evening_lapses(playing: bool, away_s: float, led: bool) -> None:
    box = Box()
    box.playing = False
    box.lead("one")
    box.playing, box.now_s = playing, box.now_s + away_s
    assert box.phone("two").led is led


# ---- join codes ----------------------------------------------------------------------------------------


def test_a_code_is_honoured_while_it_is_shown_and_a_little_longer() -> None:
    now = [0.0]
    codes = JoinCodes(lambda: now[0])
    code = codes.current()
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)
    honoured = []
    for now[0] in (0.0, PERIOD_S - 0.1, PERIOD_S, 2 * PERIOD_S - 0.1, 2 * PERIOD_S, 100 * PERIOD_S):
        honoured.append(codes.honours(code))
    assert honoured == [True, True, True, True, False, False]
    assert codes.current() != code


@pytest.mark.parametrize(("at_s", "left_s"), [(0.0, PERIOD_S), (PERIOD_S - 1, 1.0), (PERIOD_S, PERIOD_S)])
def test_a_code_says_how_long_it_is_shown(at_s: float, left_s: float) -> None:
    assert JoinCodes(lambda: at_s).left_s() == left_s


@pytest.mark.parametrize("write", [str.lower, "-".join, " ".join, lambda code: f" {code[:3]} {code[3:]}\n"])
def test_how_a_code_is_typed_does_not_matter(write: Any) -> None:
    codes = JoinCodes(lambda: 5.0)
    assert codes.honours(write(codes.current()))


@pytest.mark.parametrize("wrong", ["", "AAAAAA", "ÄÖÜ", "x" * 10_000, "\x00"])
def test_another_code_is_not_honoured(wrong: str) -> None:
    assert not JoinCodes(lambda: 5.0).honours(wrong)


def test_two_boxes_and_two_runs_have_codes_of_their_own() -> None:
    assert JoinCodes(lambda: 5.0).current() != JoinCodes(lambda: 5.0).current()


# ---- over HTTP -----------------------------------------------------------------------------------------


@pytest.fixture
def page(seat: Any, clock: list[float]) -> Flask:
    """A page of its own for every test, for roles outlast a game."""
    return create_app(deps_for(seat, now_s=lambda: clock[0]))


@pytest.fixture
def clock() -> list[float]:
    return [5000.0]


def phone_of(page: Flask) -> FlaskClient:
    """One more phone, in the network of the box."""
    phone = page.test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.1.50"
    return phone


@pytest.fixture
def host(page: Flask, client: FlaskClient) -> FlaskClient:
    """A phone that comes to a free table first; `client` runs on the box itself."""
    return phone_of(page)


@pytest.fixture
def other(page: Flask) -> FlaskClient:
    return phone_of(page)


def send(phone: FlaskClient, **command: Any) -> Any:
    return phone.post("/api/v1/commands", json={"command": command})


def ask(phone: FlaskClient, **wish: Any) -> Any:
    return phone.post("/api/v1/phone", json=wish).json


def role(phone: FlaskClient) -> str:
    return str(phone.get("/api/v1/phone").json["role"])


def way_in(phone: FlaskClient) -> str:
    """The path in the join page's link, "" where none is shown."""
    found = re.search(r"/(j/\w+)<", phone.get("/join").text)
    return f"/{found[1]}" if found else ""


def set_up(phone: FlaskClient) -> Any:
    players = [{"name": name, "colour": "red"} for name in NAMES]
    return send(phone, type="new_game", players=players, preset="modern", starter="Ana")


def test_who_sets_up_at_a_free_table_leads_it_and_the_next_one_watches(
    host: FlaskClient, other: FlaskClient
) -> None:
    assert role(host) == "watcher"
    assert set_up(host).status_code == 200
    assert (role(host), role(other)) == ("host", "watcher")
    assert send(other, type="bid", by="Ana", quantity=5, face=3).json["reason"] == "watching"
    assert 'id="pad"' in host.get("/").text
    page = other.get("/").text
    assert 'id="pad"' not in page
    assert "/me" in page


def test_a_setting_up_that_fails_makes_nobody_lead(host: FlaskClient, other: FlaskClient) -> None:
    assert send(host, type="new_game", players=[]).status_code == 422
    assert set_up(other).status_code == 200
    assert role(other) == "host"


def test_a_phone_comes_in_by_the_code_and_takes_a_seat(host: FlaskClient, other: FlaskClient) -> None:
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


def test_a_code_can_be_typed(host: FlaskClient, other: FlaskClient) -> None:
    set_up(host)
    code = way_in(host).removeprefix("/j/").lower()
    assert ask(other, join=code) == {
        "role": "watcher",
        "seat": None,
        "joined": True,
        "leads": False,
        "led": True,
    }


def test_a_code_runs_out(host: FlaskClient, other: FlaskClient, clock: list[float]) -> None:
    set_up(host)
    way = way_in(host)
    clock[0] += 2 * PERIOD_S
    late = other.get(way)
    assert late.status_code == 403
    assert "/me" in late.text
    assert ask(other, join=way.removeprefix("/j/"))["reason"] == "code_over"
    assert ask(other, seat="Ana")["reason"] == "join_first"
    assert way_in(host) != way


def test_a_browser_on_the_box_itself_leads(client: FlaskClient, host: FlaskClient) -> None:
    set_up(host)
    assert role(client) == "host"
    assert send(client, type="bid", by="Ana", quantity=5, face=3).status_code == 200
    assert role(host) == "host"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_what_a_server_in_between_sends_on_does_not_come_from_the_box(
    client: FlaskClient, host: FlaskClient, header: str
) -> None:
    set_up(host)
    assert client.get("/api/v1/phone", headers={header: "10.1.2.3"}).json["role"] == "watcher"


def test_another_name_for_the_box_is_not_the_box(client: FlaskClient, host: FlaskClient) -> None:
    """A page of the internet whose name was made to mean 127.0.0.1."""
    set_up(host)
    told = client.get("/api/v1/phone", base_url="http://evil.example:8000")
    assert told.json["role"] == "watcher"


def test_only_those_at_the_table_press_the_simulated_box(
    host: FlaskClient, other: FlaskClient, table: BoxedTable
) -> None:
    set_up(host)
    press = {"json": {"button": "dudo", "held": False}}
    assert other.post("/api/v1/box/press", **press).json["reason"] == "watching"
    assert table.presses == []
    assert host.post("/api/v1/box/press", **press).status_code == 200


def test_a_seat_is_kept_by_the_cookie_alone(
    host: FlaskClient, other: FlaskClient, page: Flask, table: BoxedTable, seat: Any, clock: list[float]
) -> None:
    set_up(host)
    other.get(way_in(host))
    assert ask(other, seat="Bea")["seat"] == "Bea"
    again = create_app(deps_for(seat, now_s=lambda: 7.0, secret=str(page.secret_key)))
    back, thief = phone_of(again), phone_of(again)
    cookie = other.get_cookie("phone")
    assert cookie is not None
    back.set_cookie("phone", cookie.value)
    thief.set_cookie("phone", cookie.value[:-1] + ("0" if cookie.value[-1] != "0" else "1"))
    assert (role(back), role(thief)) == ("player", "watcher")
    assert ask(thief, seat="Bea")["reason"] == "join_first"


@pytest.mark.parametrize("cookie", ["", ".", "x.y", "W10=.", "é.é", "W10=." + "0" * 64, "a" * 3000])
def test_a_cookie_that_means_nothing_is_replaced(host: FlaskClient, cookie: str) -> None:
    host.set_cookie("phone", cookie)
    answer = host.get("/api/v1/phone")
    assert (answer.status_code, answer.json["role"]) == (200, "watcher")
    assert "phone=" in answer.headers["Set-Cookie"]


def test_taking_over_needs_the_box(host: FlaskClient, other: FlaskClient, table: BoxedTable) -> None:
    set_up(host)
    asked = other.post("/api/v1/phone", json={"lead": True})
    assert (asked.status_code, asked.json["reason"]) == (403, "press_the_box")
    table.press("dudo", False)
    assert (role(other), role(host)) == ("host", "watcher")
    assert ask(host, seat="Ana")["role"] == "player"  # still at the table


def test_a_press_lets_a_phone_in(host: FlaskClient, other: FlaskClient, table: BoxedTable) -> None:
    set_up(host)
    assert ask(other, join=True)["reason"] == "press_the_box"
    table.press("dudo", False)
    assert ask(other, seat="Ana")["role"] == "player"
    assert role(host) == "host"


def test_the_lead_goes_on_after_a_game_until_it_is_given_back(
    client: FlaskClient, host: FlaskClient, other: FlaskClient, table: BoxedTable
) -> None:
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
def test_a_wish_that_makes_no_sense_is_refused(client: FlaskClient, body: Any) -> None:
    assert client.post("/api/v1/phone", json=body).json["reason"] == "bad_phone"


def test_the_qr_code_lets_in_only_where_it_may(host: FlaskClient, other: FlaskClient) -> None:
    set_up(host)
    link = "/join/code.svg?link=http://192.168.1.20:8000/"
    assert host.get(link).data != other.get(link).data
    assert other.get(link).data == phone_of(other.application).get(link).data


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
