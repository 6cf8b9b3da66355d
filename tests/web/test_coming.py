"""Phones sit down by themselves: before a game, and late, with the next round. No role grows by that."""

import json
import re

import pytest

from tests.web.party import NAMES, come, phone_state, reason, send, sit
from tests.web.tables import deps_for, start
from web.app import create_app
from web.deps import Demonstrated


@pytest.fixture
def free_table(party):
    """Nobody plays; the host and three more were let in."""
    party.clear()
    return party


def test_who_comes_late_gets_a_seat_at_once_and_dice_with_the_next_round(party):
    dora = party.guest()
    assert come(dora, name="Dora", colour="yellow", after="Ana", phone_cup=True).status_code == 200
    assert (phone_state(dora)["role"], phone_state(dora)["seat"]) == ("player", "Dora")
    assert dora.get("/sheet/hand").status_code == 404
    party.next_round()
    game = party.table.snapshot().data["game"]
    assert [player["name"] for player in game["players"]] == ["Ana", "Dora", "Bea", "Carlos"]
    assert dora.get("/sheet/hand").status_code == 200


@pytest.mark.parametrize(("seat", "offered"), [("Ana", False), (None, True)])
def test_set_up_offers_a_seat_to_who_has_none(party, seat, offered):
    """Regression: a player who opened it while a game was on, or over, was offered one and then refused."""
    ana = party.phones["Ana"]
    assert sit(ana, seat) == 200
    assert ('id="own-seat"' in ana.get("/setup").text) is offered


@pytest.mark.parametrize(
    ("who", "fields", "status", "why"),
    [
        ("stranger", {"name": "Dora"}, 403, "join_first"),
        ("Ana", {"name": "Dora"}, 409, "has_seat"),
        ("guest", {"name": "Ana"}, 422, "names_not_distinct"),
        ("guest", {"name": "ANA"}, 422, "names_not_distinct"),
        ("guest", {"name": "\u2800"}, 422, "name_empty"),
        ("guest", {"name": "x" * 30}, 422, "name_too_long"),
        ("guest", {"name": "Dora", "after": "Zoe"}, 422, "unknown_player"),
        ("guest", {"name": 7}, 400, "bad_phone"),
        ("guest", {"phone_cup": "yes"}, 400, "bad_phone"),
    ],
)
def test_who_may_not_sit_down_learns_why(party, who, fields, status, why):
    phone = {"stranger": party.phone, "guest": party.guest}.get(who, lambda: party.phones["Ana"])()
    answer = come(phone, **fields)
    assert (answer.status_code, reason(answer)) == (status, why)


def test_who_got_up_again_or_is_not_in_the_game_has_no_seat(free_table):
    dora, guest = free_table.guest(), free_table.guest()
    come(dora, name="Dora")
    come(guest, name="Gil")
    assert dora.post("/api/v1/phone", json={"come": None}).status_code == 200
    free_table.another_game(*NAMES)
    assert [phone_state(phone)["seat"] for phone in (dora, guest)] == [None, None]


def test_a_seat_that_is_taken_is_not_given_to_a_namesake(free_table):
    """Ana's phone has its seat from the game before; another one wants to sit down under her name."""
    guest = free_table.guest()
    assert reason(come(guest, name="Ana")) == "names_not_distinct"
    free_table.another_game(*NAMES)
    assert (phone_state(guest)["seat"], phone_state(free_table.phones["Ana"])["seat"]) == (None, "Ana")


def test_a_new_name_of_somebody_who_comes_back_must_be_free(party):
    send(party.phones["Carlos"], type="leave", player="Carlos")
    assert reason(come(party.phones["Carlos"], name="ANA")) == "names_not_distinct"
    assert party.table.snapshot().data["game"]["waiting"] == []


def test_no_phone_says_of_itself_who_did_it(party):
    send(party.phones["Ana"], type="leave", player="Ana", by="host", name="Bea")
    announcement = party.table.snapshot().data["announcement"]
    assert (announcement["by"], announcement["name"]) == ("player", "Ana")


def test_a_bot_has_no_phone_to_come_and_who_waits_no_dice_to_hide(free_table):
    free_table.another_game("Ana", {"name": "Pip", "bot": "easy"})
    page = free_table.host.get("/").text
    assert [part for part in ('id="start-code"', "Someone rolls on it") if part in page] == []
    late = free_table.guest()
    assert come(late, name="Dora").status_code == 200
    bar = late.get("/").text.partition('<div class="bar">')[2]
    assert '<p class="waiting">In the next round: Dora</p>' in bar
    assert "Keep your dice hidden" not in bar


def test_before_its_game_a_demonstration_offers_no_seat(table):
    watched = create_app(deps_for(table, demonstration=Demonstrated(None, lambda: None))).test_client()
    page = watched.get("/").text
    assert 'id="come"' not in page
    assert "you can only watch" in page


def test_before_a_game_strangers_do_not_sit_down(free_table):
    assert reason(come(free_table.phone(), name="Eve")) == "join_first"
    assert reason(come(free_table.guest(), name="Dora")) == "200"
    for name in ("Dora", "dORA", "hand"):
        assert reason(come(free_table.guest(), name=name)) == "names_not_distinct"


@pytest.mark.parametrize(
    ("next_game", "why"),
    [
        ([{"type": "play_again"}], "the same people again, and who came since"),
        (
            [{"type": "put_away"}, {"type": "new_game", "players": [{"name": "Ana"}, {"name": "Dora"}]}],
            "others",
        ),
    ],
)
def test_who_sits_down_between_two_games_plays_in_the_next(party, next_game, why):
    send(party.host, type="abandon")
    guest = party.guest()
    assert come(guest, name="Dora").status_code == 200
    assert "In the next game" in guest.get("/").text
    for command in next_game:
        assert send(party.host, **command).status_code == 200, why
    assert "Dora" in [player["name"] for player in party.table.snapshot().data["game"]["players"]]
    assert guest.get("/api/v1/phone").json["seat"] == "Dora", why


@pytest.mark.parametrize(
    ("who", "due"),
    [
        (None, False),
        ({"player": "Dora"}, True),
        ({"player": "Dora", "phone_cup": True}, False),
    ],
)
def test_colours_are_offered_again_in_the_round_with_new_real_dice(table, who, due):
    start(table)
    assert table.snapshot().data["game"]["colours_due"], "nobody's dice are known in the first round"
    if who:
        table.say("join", **who)
    for offered in (due, False):
        turn = table.snapshot().data["game"]["round"]["turn"]
        table.say("bid", by=turn, quantity=3, face=3)
        table.say("dudo", by=table.snapshot().data["game"]["round"]["legal"]["doubters"][0])
        table.say("type_count", count=3)
        table.say("next_round")
        assert table.snapshot().data["game"]["colours_due"] is offered


def test_guests_see_in_the_lobby_which_bots_the_host_has_added(free_table):
    guest = free_table.guest()
    assert guest.post("/api/v1/phone", json={"bots": ["Pip"]}).status_code == 403
    for names in (["Pip", "Chip"], ["Chip"]):
        assert free_table.host.post("/api/v1/phone", json={"bots": names}).status_code == 200
        lobby = guest.get("/").text.partition('id="lobby"')[2]
        assert [name for name in ("Pip", "Chip") if f"<bdi>{name}</bdi>" in lobby] == names
    start(free_table.table)
    send(free_table.host, type="bid", by="Ana", quantity=1, face=2)
    free_table.clear()
    assert "<bdi>Chip</bdi>" not in guest.get("/").text, "the next game has bots of its own"


@pytest.mark.parametrize(
    ("simulated", "command", "cups"),
    [
        (False, {"type": "put_away"}, True),
        (True, {"type": "put_away"}, False),
        (True, {"type": "real_dice", "on": True}, False),
    ],
    ids=["real dice", "simulated", "real dice from now on"],
)
def test_who_played_a_game_that_is_put_away_sits_at_the_table_for_the_next(party, simulated, command, cups):
    """Regression: who chose other dice for the next game sent everybody away from the table."""
    if simulated:
        party.table.table.offer_real_dice(False)
    send(party.host, type="abandon")
    assert send(party.host, **command).status_code == 200
    shown = re.search(r"data-people='(.*?)'", party.host.get("/").text)
    assert [(one["name"], one["phone_cup"]) for one in json.loads(shown[1])] == [(n, cups) for n in NAMES]


def test_nobody_sits_down_in_the_seat_of_a_bot_that_waits(party):
    assert send(party.host, type="join", player="Pip", bot="easy").status_code == 200
    guest = party.guest()
    assert sit(guest, "Pip") == 404
    assert "Pip" not in guest.get("/me").text.partition('class="stack"')[2].partition("</div>")[0]


def test_a_player_comes_back_whom_a_bot_stood_in_for(party):
    bea = party.phones["Bea"]
    assert send(bea, type="leave", player="Bea").status_code == 200
    assert send(party.host, type="join", player="Bea", bot="easy").status_code == 200
    assert reason(come(bea, name="Bea")) == "names_not_distinct", "the bot sits there"
    assert send(party.host, type="leave", player="Bea").status_code == 200
    assert come(bea, name="Bea").status_code == 200
    assert (phone_state(bea)["seat"], party.table.snapshot().table.state.bots) == ("Bea", ())


def test_the_coach_has_nothing_to_tell_at_a_verdict(party):
    assert party.phones["Ana"].get("/sheet/coach").status_code == 200
    party.judged(5, 5)
    for phone in (*party.phones.values(), party.host):
        answer = phone.get("/sheet/coach")
        assert (answer.status_code, reason(answer)) == (404, "no_round")


@pytest.mark.parametrize(
    ("house", "offered"),
    [
        ({}, range(1, 6)),
        ({"out_below": 3}, range(3, 6)),
        ({"out_below": 5, "starting_dice": 3}, range(3, 4)),
        ({"out_below": 3, "lives": 2}, range(1, 3)),
        ({"penalty": "tally", "tally_to": 4}, range(4)),
    ],
)
def test_the_host_hands_back_what_keeps_one_in_the_game(free_table, house, offered):
    start(free_table.table, house=house)
    page = free_table.host.get("/sheet/people").text
    found = re.findall(r'data-command=\'(\{"count":[^\']+)\'', page)
    commands = [one for one in map(json.loads, found) if one["player"] == "Ana"]
    assert [one["count"] for one in commands] == list(offered)
    for one in commands:
        assert send(free_table.host, **one).status_code == 200
