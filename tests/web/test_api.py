"""The JSON API: what it answers, how it refuses, and that it says when something changes."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.tables import BoxedTable, bidding, deps_for, start, verdict
from web.app import create_app

BID = {"type": "bid", "by": "Bea", "quantity": 6, "face": 3}


def post(client: FlaskClient, command: Any, based_on: Any = None, **more: Any) -> Any:
    return client.post("/api/v1/commands", json={"command": command, "based_on": based_on}, **more)


def test_a_command_changes_the_table_and_answers_with_the_new_state(client, table):
    before = bidding(table)
    answer = post(client, BID, before.version)
    assert answer.status_code == 200
    assert answer.json["version"] > before.version
    assert answer.json["game"]["round"]["bid"] == {"quantity": 6, "face": 3, "by": "Bea"}
    assert answer.json == client.get("/api/v1/state").json


def test_the_state_has_the_last_round_alone_and_all_are_a_resource(client, table):
    sizes = []
    verdict(table)
    for number in (2, 3, 4):
        judged(table)
        state, so_far = client.get("/api/v1/state").json, client.get("/api/v1/rounds").json
        assert [one["round"] for one in so_far["rounds"]] == [*range(1, number + 1)]
        assert (so_far["game"], so_far["rounds"][-1]) == (state["game"]["id"], state["game"]["last_round"])
        assert so_far["rounds"][-1]["count"] == 2, "it was counted so"
        sizes.append(len(json.dumps(state)))
    assert max(sizes) - min(sizes) < len(json.dumps(so_far["rounds"][0])), "it is no longer in a later round"


def judged(table: BoxedTable) -> None:
    """Another round, counted by hand."""
    turn = table.say("next_round").data["game"]["round"]["turn"]
    after = table.say("bid", by=turn, quantity=2, face=3).data["game"]["round"]["turn"]
    table.say("dudo", by=after)
    table.say("type_count", count=2)


def test_a_stale_command_changes_nothing_and_names_the_version_now(client, table):
    old = start(table)
    now = table.say("bid", by="Ana", quantity=5, face=3)
    answer = post(client, BID, old.version)
    assert (answer.status_code, answer.mimetype) == (409, "application/problem+json")
    assert answer.json["reason"] == "table_moved_on"
    assert answer.json["version"] == now.version == table.snapshot().version


@pytest.mark.parametrize(
    ("command", "status", "reason"),
    [
        ({"type": "bid", "by": "Bea", "quantity": 5, "face": 2}, 422, "bid_not_higher"),
        ({"type": "bid", "by": "Ana", "quantity": 9, "face": 2}, 422, "not_your_turn"),
        ({"type": "bid", "by": "Bea", "quantity": 99, "face": 2}, 422, "exceeds_dice"),
        ({"type": "bid", "by": "Bea", "quantity": "5", "face": 2}, 422, "command_unreadable"),
        ({"type": "bid", "by": "Bea"}, 422, "command_unreadable"),
        ({"type": "explode"}, 422, "command_unknown"),
        ({}, 422, "command_unknown"),
        ({"type": "confirm"}, 422, "no_reveal"),
        ({"type": "new_game", "players": [{"name": "A"}, {"name": "B"}]}, 422, "game_going_on"),
        ({"type": "new_game", "players": [{"name": "\u3164"}, {"name": "Bea"}]}, 422, "name_empty"),
        ({"type": "new_game", "players": ["Ana", "Bea"]}, 422, "command_unreadable"),
        ("bid", 400, "no_command"),
        (None, 400, "no_command"),
    ],
)
def test_a_bad_command_is_refused_with_its_reason(client, table, command, status, reason):
    before = bidding(table)
    answer = post(client, command)
    assert (answer.status_code, answer.json["reason"]) == (status, reason)
    assert answer.json["title"]
    assert answer.json["status"] == status
    assert table.snapshot() == before


@pytest.mark.parametrize(
    ("sent", "status", "reason"),
    [
        ({"data": b"{", "content_type": "application/json"}, 400, "bad_json"),
        ({"data": b"command=x", "content_type": "application/x-www-form-urlencoded"}, 415, "not_json"),
        ({"data": b" " * 70_000, "content_type": "application/json"}, 413, "too_large"),
        ({"json": {"command": BID, "based_on": "7"}}, 400, "bad_version"),
        ({"json": {"command": BID, "based_on": True}}, 400, "bad_version"),
        ({"json": {"command": BID}, "headers": {"Origin": "http://evil.example"}}, 403, "foreign_page"),
    ],
)
def test_an_unreadable_request_is_refused_with_its_reason(client, table, sent, status, reason):
    before = bidding(table)
    answer = client.post("/api/v1/commands", **sent)
    assert (answer.status_code, answer.json["reason"]) == (status, reason)
    assert answer.mimetype == "application/problem+json"
    assert table.snapshot() == before


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("/api/v1/state?after=x", 400, "bad_version"),
        ("/api/v1/state?after=-1", 400, "bad_version"),
        ("/api/v1/state?after=" + "9" * 4000, 400, "bad_version"),
        ("/api/v1/nothing", 404, "not_found"),
        ("/api/v1/commands", 405, "wrong_method"),
        ("/pictures/absent.jpg", 404, "no_picture"),
        ("/pictures/..%2f..%2fetc.jpg", 404, "not_found"),
        ("/fragment/elsewhere", 404, "not_found"),
        ("/sheet/elsewhere", 404, "not_found"),
        ("/sheet/die?id=nobody", 404, "no_reveal"),
        ("/join/code.svg?link=http://evil.example/", 404, "not_found"),
    ],
)
def test_what_is_not_there_is_answered_with_a_sentence(client, path, status, reason):
    answer = client.get(path)
    assert (answer.status_code, answer.get_json(force=True)["reason"]) == (status, reason)


@pytest.mark.parametrize("path", ["/api/v1/state", "/fragment/table"])
def test_a_listener_is_answered_when_nothing_changes(client, table, path):
    now = bidding(table).version
    answer = client.get(f"{path}?after={now}")
    assert answer.status_code == (204 if "fragment" in path else 200)


def test_a_version_from_before_a_loss_is_answered_at_once(table):
    client = create_app(deps_for(table, poll_s=20.0)).test_client()
    now = bidding(table).version
    assert client.get(f"/api/v1/state?after={now + 5}").json["version"] == now


def test_a_press_goes_the_way_of_the_real_button(client, table):
    bidding(table)
    answer = client.post("/api/v1/box/press", json={"button": "dudo"})
    assert (answer.status_code, answer.json["state"]) == (200, "looking")
    assert table.presses == [("dudo", False)]


@pytest.mark.parametrize("body", [{}, {"button": "reset"}, {"button": ["dudo"]}, {"button": "ok", "held": 1}])
def test_a_press_of_no_button_is_refused(client, table, body):
    answer = client.post("/api/v1/box/press", json=body)
    assert (answer.status_code, answer.json["reason"]) == (400, "no_such_button")
    assert table.presses == []
