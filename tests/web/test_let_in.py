"""What only phones see that were let in, how codes are guessed, and a scoreboard that is closed."""

import re

import pytest

from companion.budgets import GUESSES, GUESSES_OF_ALL, GUESSES_PER_S, SESSIONS, SESSIONS_PER_S
from tests.web.party import ask, let_in, phone_of, set_up, way_in
from tests.web.shots import Shots
from tests.web.tables import bidding, deps_for, looking, question, verdict
from web.app import create_app
from web.sessions.join_codes import PERIOD_S, JoinCodes

pytestmark = pytest.mark.slow

PICTURES = ("/pictures/shot1.jpg", "/pictures/shot1/plain.jpg", "/preview.jpg")
PAGES = ("/", "/board", "/history", "/setup")


@pytest.mark.parametrize("path", PICTURES)
def test_pictures_are_for_phones_that_were_let_in(home, host, table, path):
    ask(host, lead=True)
    looking(table)
    stranger, player, on_the_box = phone_of(home), phone_of(home), home.test_client()
    assert (stranger.get(path).status_code, stranger.get(path).json["reason"]) == (403, "pictures")
    player.get(way_in(host))
    assert [phone.get(path).status_code for phone in (host, player, on_the_box)] == [200, 200, 200]


def test_who_takes_the_lead_of_a_free_table_sees_no_picture_and_forgets_no_group_by_that(home, table):
    stranger = phone_of(home)
    set_up(stranger)
    assert ask(stranger, lead=True)["leads"]
    assert [stranger.get(path).status_code for path in PICTURES] == [403] * len(PICTURES)
    group = stranger.get("/api/v1/groups").json["groups"][0]["id"]
    body = {"group": group, "forget": True}
    assert stranger.post("/api/v1/groups", json=body).json["reason"] == "let_in"
    let_in(stranger, table)
    assert stranger.post("/api/v1/groups", json=body).json["groups"] == []


@pytest.mark.parametrize("way", [looking, question, verdict])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_no_picture_that_its_phone_may_not_see(home, host, table, way, path):
    way(table)
    stranger = phone_of(home).get(path).text
    assert re.findall(r'(?:src|href)="(/p(?:ictures|review)[^"]*)"', stranger) == []
    if path == "/":
        assert '<a href="/me">Join with this phone</a>' in stranger
        assert "Join with this phone" not in host.get(path).text
    if path == "/board":
        assert "once it has joined" in stranger
        assert "once it has joined" not in host.get(path).text


def test_a_picture_is_asked_for_again_and_gone_once_it_was_deleted(table):
    kept = {"shot1": b"\xff\xd8 a picture \xff\xd9"}
    client = create_app(deps_for(table, pictures=Shots(kept.get))).test_client()
    first = client.get("/pictures/shot1.jpg")
    assert (first.mimetype, first.headers["Cache-Control"]) == ("image/jpeg", "private, no-cache")
    again = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/pictures/shot1.jpg", headers=again).status_code == 304
    kept.clear()
    assert client.get("/pictures/shot1.jpg", headers=again).status_code == 404


# ---- guessing --------------------------------------------------------------------------------------------


def test_an_address_that_guesses_waits_and_learns_how_long(home, host, clock):
    set_up(host)
    stranger, honest = phone_of(home), phone_of(home, "192.168.1.77")
    for _ in range(GUESSES):
        assert ask(stranger, join="AAAAAA")["reason"] == "code_over"
    answer = stranger.post("/api/v1/phone", json={"join": way_in(host)[3:]})
    assert (answer.status_code, answer.json["reason"], answer.json["values"]["n"]) == (429, "code_locked", 1)
    page_of_it = stranger.get(way_in(host), headers={"Accept": "text/html"})
    assert (page_of_it.status_code, "1 minute" in page_of_it.text) == (429, True)
    assert phone_of(home).get(way_in(host)).status_code == 429  # another phone of that address as well
    assert honest.get(way_in(host)).status_code == 303
    assert ask(stranger, join=True)["reason"] == "claim_open"  # it may still ask people
    clock[0] += 1 / GUESSES_PER_S + 1
    assert stranger.get(way_in(host)).status_code == 303


def test_many_addresses_with_wrong_codes_leave_each_one_try(home, host):
    set_up(host)
    for number in range(GUESSES_OF_ALL):
        stranger = phone_of(home, f"192.168.2.{number}")
        assert ask(stranger, join="AAAAAA")["reason"] == "code_over"
    late = phone_of(home, "192.168.1.78")
    assert [ask(late, join="AAAAAA")["reason"] for _ in range(2)] == ["code_over", "code_locked"]
    assert phone_of(home, "192.168.1.77").get(way_in(host)).status_code == 303


def test_an_address_lets_so_many_new_phones_in(home, host, clock):
    """Who throws the cookie away is a new phone; who brings the code again is none."""
    player = phone_of(home)
    assert [player.get(way_in(host)).status_code for _ in range(SESSIONS + 10)] == [303] * (SESSIONS + 10)
    codes = [phone_of(home).get(way_in(host)).status_code for _ in range(SESSIONS)]
    assert codes == [*[303] * (SESSIONS - 1), 429]
    assert phone_of(home, "192.168.1.77").get(way_in(host)).status_code == 303
    clock[0] += 1.0 / SESSIONS_PER_S
    assert phone_of(home).get(way_in(host)).status_code == 303


def test_who_is_slow_with_a_code_has_not_guessed(home, host, clock):
    set_up(host)
    way, late = way_in(host), phone_of(home)
    clock[0] += 3 * PERIOD_S
    assert {late.get(way).status_code for _ in range(2 * GUESSES)} == {403}
    assert late.get(way_in(host)).status_code == 303


@pytest.mark.parametrize(("periods", "lately"), [(0, False), (1, False), (2, True), (6, True), (7, False)])
def test_which_codes_were_shown_lately(periods, lately):
    now = [50 * PERIOD_S]
    codes = JoinCodes(lambda: now[0])
    code = codes.current()
    now[0] += periods * PERIOD_S
    assert codes.shown_lately(code.lower()) is lately
    assert not codes.shown_lately("AAAAAA\ud800")


# ---- a scoreboard that is not for everybody --------------------------------------------------------------

CLOSED = (
    *("/board", "/history", "/setup", "/statistics", "/api/v1/state", "/api/v1/games.json"),
    *("/fragment/table", "/pictures/shot1.jpg", "/sheet/coach", "/api/v1/groups", "/api/v1/statistics"),
)


@pytest.mark.parametrize("path", CLOSED)
def test_a_closed_scoreboard_is_for_phones_that_were_let_in(table, path):
    page = create_app(deps_for(table, open_scoreboard=False))
    looking(table)
    stranger = phone_of(page)
    answer = stranger.get(path)
    assert (answer.status_code, "Ana" in answer.text) == (403, False)
    ask(stranger, join=True)
    table.hold_two()
    assert stranger.get(path).status_code == 200


def test_a_closed_scoreboard_leads_a_stranger_to_the_way_in(table):
    page = create_app(deps_for(table, open_scoreboard=False))
    looking(table)
    stranger = phone_of(page)
    assert stranger.get("/").headers["Location"] == "/me"
    for path in ("/me", "/fragment/me", "/join", "/api/v1/phone"):
        assert "Ana" not in stranger.get(path).text
        assert stranger.get(path).status_code == 200
    assert stranger.post("/api/v1/commands", json={"command": {"type": "undo"}}).status_code == 403


def test_a_closed_scoreboard_announces_nothing_to_a_stranger(table):
    page = create_app(deps_for(table, open_scoreboard=False))
    bidding(table)
    table.say("rename", player="Ana", to="Anna")
    assert table.snapshot().data["announcement"]["to"] == "Anna"
    stranger = phone_of(page)
    assert "Anna" not in stranger.get("/fragment/me").text
    ask(stranger, join=True)
    table.hold_two()
    assert "Anna" in stranger.get("/fragment/me").text


def test_a_closed_scoreboard_tells_a_stranger_how_the_box_is_and_nothing_of_the_game(table):
    """`dudo doctor` asks so, which no person lets in."""
    page = create_app(deps_for(table, open_scoreboard=False, health=lambda: {"ok": True}))
    looking(table)
    answer = phone_of(page).get("/api/v1/health")
    assert (answer.status_code, answer.json) == (200, {"ok": True})


@pytest.mark.parametrize("path", ["/", "/setup", "/join", "/board"])
@pytest.mark.parametrize("playing", [False, True])
def test_a_page_that_only_this_machine_can_open_shows_no_code(table, path, playing):
    client = create_app(deps_for(table, addresses=tuple)).test_client()
    if playing:
        bidding(table)
    page = client.get(path).text
    assert "code.svg" not in page
    shown = path in ("/join", "/setup") or not playing
    assert ("Only this machine can open this page." in page) == shown
