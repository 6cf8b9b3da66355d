"""Whatever is sent becomes typed values or a refusal in words, and the state stays JSON."""

import json
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import BadCommand, BadRuleset
from companion.table.commands import Command
from companion.table.parsing import COMMAND_TYPES, parse
from tests.web.tables import deps_for, looking
from web.app import create_app
from web.payloads import DEEPEST, LARGEST_WHOLE, LONGEST_TEXT

POSTS = ("commands", "phone", "groups", "setup/check", "box/press", "workshop")
SURROGATE = '"\\ud800"'


@pytest.fixture(scope="module")
def page(seat):
    return create_app(deps_for(seat, workshop=object(), now_s=lambda: 0.0))


# What a member of a command may be: JSON as it is sent, and why not.
STRANGE = {
    "not a number": "NaN",
    "endless": "Infinity",
    "endless below": "-Infinity",
    "too large to be written": "1e400",
    "four hundred digits": "9" * 400,
    "five thousand digits": "9" * 5000,
    "more than JavaScript counts": str(LARGEST_WHOLE + 1),
    "half a character": SURROGATE,
    "as a name": "{" + SURROGATE + ": 1}",
    "a text without end": json.dumps("x" * (LONGEST_TEXT + 1)),
    "nested without end": "[" * 30_000,
    "nested too deep": "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
    "not closed": '{"a": ',
}


@pytest.mark.parametrize("case", STRANGE)
def test_a_body_that_is_no_strict_json_is_refused(client, table, case):
    looking(table)
    before = table.table.snapshot()
    raw = f'{{"command": {{"type": "add_die", "face": 3, "x": {STRANGE[case]}}}, "seat": {STRANGE[case]}}}'
    for path in POSTS:
        answer = client.post(f"/api/v1/{path}", data=raw, content_type="application/json")
        assert (answer.status_code, answer.json["reason"]) == (400, "bad_json"), path
    after = table.table.snapshot()
    assert (after.state, after.ledger) == (before.state, before.ledger)


@pytest.mark.parametrize(
    "raw", [b"\xff{}", '{"a": "é"}'.encode("latin-1"), '{"lead": true}'.encode("utf-16"), b"", b"[]"]
)
def test_bytes_that_are_no_object_of_utf_8_are_refused(client, raw):
    answer = client.post("/api/v1/phone", data=raw, content_type="application/json")
    assert (answer.status_code, answer.json["reason"]) == (400, "bad_json")


@pytest.mark.parametrize(
    "command",
    [
        {"type": "add_die", "face": 3, "x": -5, "y": 0.5},
        {"type": "add_die", "face": 3, "x": 0.5, "y": 1e308},
        {"type": "add_die", "face": 3, "x": 1.0001, "y": 0.5},
        {"type": "add_die", "face": 3, "x": True, "y": 0.5},
        {"type": "add_die", "face": 3, "x": "0.5", "y": 0.5},
        {"type": "add_die", "face": 3, "x": 0.5},
        {"type": "add_die", "face": 3.0},
        {"type": "look", "place": {"a": [1]}},
        {"type": "look", "place": 7},
        {"type": "press", "button": "ok", "by": [1]},
        {"type": "type_count", "count": 10**9},
        {"type": "hand", "player": "Ana", "faces": "123"},
        {"type": "hand", "player": "Ana", "faces": [1] * 999},
        {"type": "strike", "die": "x" * 999},
        {"type": "roll_off", "rolls": [[1]]},
        {"type": "challenge", "by": "Ana", "call": ["dudo"], "bid": {"quantity": 1, "face": 1}},
        {"type": "challenge", "by": "Ana", "call": "dudo", "bid": "5x3"},
        {"type": "new_game", "players": [{"name": "Ana", "phone_cup": "yes"}, {"name": "Bea"}]},
        {"type": "new_game", "players": [{"name": "Ana", "colour": 3}, {"name": "Bea"}]},
        {"type": "new_game", "players": {"Ana": 1, "Bea": 2}},
        {"type": "new_game", "players": [{"name": "Ana"}, {"name": "Bea"}], "roll_off": 1},
        {"type": "new_game", "players": [{"name": "Ana"}, {"name": "Bea"}], "house": {"calza": [1]}},
        {"type": "new_game", "players": [{"name": "Ana"}, {"name": "Bea"}], "house": []},
    ],
)
def test_a_member_of_another_kind_is_refused(client, table, command):
    looking(table)
    before = table.table.snapshot()
    answer = client.post("/api/v1/commands", json={"command": command})
    assert answer.status_code == 422
    assert answer.json["reason"] in ("command_unreadable", "correction_unreadable")
    after = table.table.snapshot()
    assert (after.state, after.ledger) == (before.state, before.ledger)


def test_a_phone_asks_for_one_thing_at_a_time(client):
    answer = client.post("/api/v1/phone", json={"lead": False, "seat": None})
    assert answer.json["reason"] == "bad_phone"


# ---- addresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/%0d%0a", "/%0d%0aSet-Cookie:%20a=b", "/j//%0d%0aX:1", "/%00", "/me?x=%0a", "/%09/evil", "/static/%0d"],
)
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_an_address_with_more_than_a_line_of_text_is_refused(client, path, accept):
    answer = client.get(path, headers={"Accept": accept})
    assert answer.status_code == 400
    assert "Location" not in answer.headers


@pytest.mark.parametrize("path", ["//evil.example/%2f..", "/me//", "/j//AAAAAA"])
def test_no_address_is_redirected_for_its_slashes(client, path):
    answer = client.get(path, base_url="http://localhost")
    assert (answer.status_code in (403, 404, 421), "Location" in answer.headers) == (True, False)


@pytest.mark.parametrize(
    ("back", "leads_to"),
    [
        ("/me", "/me"),
        ("/statistics/dice", "/statistics/dice"),
        ("/history?x=1", "/history?x=1"),
        *(
            (path, "/")
            for path in ("", "/nowhere", "me", "https://evil.example", "javascript:alert(1)", "/\u00e9")
        ),
        *(
            (path, "/")
            for path in ("//evil.example", "/\\evil.example", "/\t/evil.example", "/\n/evil.example")
        ),
        ("http://evil.example", "/"),
        *(
            (path, "/")
            for path in ("/%09/evil.example", "/me//evil.example", "/ /evil.example", "/" + "x" * 999)
        ),
    ],
)
def test_the_way_back_leads_to_a_page_of_this_site(client, back, leads_to):
    answer = client.post("/preferences", data={"back": back, "theme": "dark"})
    assert (answer.status_code, answer.headers["Location"]) == (303, leads_to)


# ---- anything at all -------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = (
    *("by", "die", "face", "place", "player", "faces", "count", "quantity", "bid", "bidder", "call"),
    *("button", "players", "preset", "house", "starter", "rolls", "first", "second", "x", "y"),
    *("visibility", "roll_off"),
)
COMMANDS = st.fixed_dictionaries(
    {"type": st.sampled_from(COMMAND_TYPES)}, optional=dict.fromkeys(MEMBERS, JSON | st.just("Ana"))
)


@given(COMMANDS)
def test_whatever_a_command_holds_it_is_read_or_refused_in_words(command):
    with suppress(BadCommand, BadRuleset):  # anything else fails
        assert isinstance(parse(command), get_args(Command))


@given(path=st.sampled_from(POSTS), body=JSON | COMMANDS.map(lambda command: {"command": command}))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_sent_the_state_stays_json(page, client, table, path, body):
    raw = json.dumps(body)  # with NaN and Infinity, as Python writes them
    answer = client.post(f"/api/v1/{path}", data=raw, content_type="application/json")
    assert answer.status_code < 500, answer.text
    json.loads(client.get("/api/v1/state").text, parse_constant=lambda word: pytest.fail(word))
