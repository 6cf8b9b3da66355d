"""Setting up: what the rules say of a choice, and the groups that have played here."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.rules.presets import PRESETS
from companion.rules.rulebook import sentence
from companion.table.parsing import parse
from companion.texts import translate
from tests.web.party import phone_of
from tests.web.tables import BoxedTable, deps_for, start
from tests.web.test_openapi import validator
from web.app import create_app
from web.pages import rules_form


def valid(name: str, answer: Any) -> Any:
    assert list(validator(name).iter_errors(answer)) == []
    return answer


def judged(client: FlaskClient, preset: str, players: int, **house: Any) -> dict[str, Any]:
    body = {"preset": preset, "house": house, "players": players}
    return dict(valid("SetupVerdict", client.post("/api/v1/setup/check", json=body).json))


@pytest.mark.parametrize(
    ("why", "preset", "players", "house", "refused", "remarked"),
    [
        ("all is well", "modern", 4, {}, set(), set()),
        ("too many for these rules", "perudo", 7, {}, {"preset"}, set()),
        ("as many as there may be", "perudo", 6, {}, set(), set()),
        ("nobody could call calza", "perudo", 2, {}, set(), {"calza"}),
        ("a house rule alone", "modern", 2, {"calza": "out_of_turn"}, set(), {"calza"}),
        ("nobody could pass", "modern", 3, {"starting_dice": 4}, set(), {"passing"}),
        ("dice that are gained beside lives", "lives", 3, {"penalty": "gain"}, {"lives"}, set()),
        ("no such number of dice", "modern", 3, {"starting_dice": 99}, {"starting_dice"}, set()),
        ("no such way", "modern", 3, {"calza": "always"}, {"calza"}, set()),
    ],
)
def test_every_choice_is_judged_at_its_switch(client, why, preset, players, house, refused, remarked):
    found = judged(client, preset, players, **house)
    assert (set(found["refused"]), set(found["remarks"])) == (refused, remarked), why


def test_what_is_refused_when_asked_is_refused_at_the_start(client):
    shown = judged(client, "perudo", 7)["refused"]["preset"]
    players = [{"name": f"p{n}"} for n in range(7)]
    answer = client.post(
        "/api/v1/commands", json={"command": {"type": "new_game", "preset": "perudo", "players": players}}
    )
    assert (answer.status_code, answer.get_json(force=True)["title"]) == (422, shown)


@pytest.mark.parametrize(
    ("house", "moot"),
    [
        ({}, set()),
        ({"calza": "off"}, {"calza_by", "calza_limit", "calza_exact", "calza_palifico"}),
        (
            {"palifico": "off"},
            {
                "palifico_two_players",
                "palifico_unlock",
                "palifico_opening_aces",
                "palifico_view",
                "calza_palifico",
            },
        ),
    ],
)
def test_switches_that_mean_nothing_are_named(client, house, moot):
    never = {"last_life", "ante_each_round", "turn_over", "team_count", "tally_to"}  # none of these is played
    assert set(judged(client, "modern", 3, **house)["moot"]) == moot | never


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"preset": None}, 400),
        ({"preset": "chess"}, 400),
        ({"preset": ["modern"]}, 400),
        ({"house": []}, 400),
        ({"house": {"starting_dice": [1]}}, 400),
        ({"house": {"starting_dice": 1.5}}, 400),
        ({"players": "3"}, 400),
        ({"players": 10**6}, 400),
        ({"players": True}, 400),
        ({"house": {"joker": True}}, 422),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused(client, change, status):
    body = {"preset": "modern", "house": {}, "players": 3, **change}
    answer = client.post("/api/v1/setup/check", json=body)
    refused = valid("Problem", answer.get_json(force=True))
    assert (answer.status_code, refused["reason"] == "bad_request") == (status, status == 400)


def groups(client: FlaskClient) -> list[dict[str, Any]]:
    return list(valid("Groups", client.get("/api/v1/groups").json)["groups"])


def test_who_has_played_is_offered_and_can_be_played_with_again(client, table):
    start(table, preset="classic", house={"starting_dice": 3})
    table.renew()
    known = groups(client)[0]
    assert [one["name"] for one in known["players"]] == ["Ana", "Bea", "Carlos"]
    again = {k: known[k] for k in ("players", "preset", "house")}
    answer = client.post("/api/v1/commands", json={"command": {"type": "new_game", **again}})
    assert answer.json["game"]["house"]["starting_dice"] == 3
    assert len(groups(client)) == 1


RENAMED = ("rename", {"player": "Bea", "to": "Bia"})
OVER, CLEARED, AGAIN = ("abandon", {}), ("put_away", {}), ("play_again", {})
SAME, OTHERS = (
    ("new_game", {"players": [{"name": name} for name in names.split()], "preset": "modern"})
    for names in ("Ana Bea Carlos", "Xu Yan")
)
LATE, LEFT = ("join", {"player": "Dora", "after": "Ana"}), ("leave", {"player": "Carlos"})
EVENINGS: list[tuple[str, list[Any], list[str]]] = [
    ("a game is begun", [], ["Ana Bea Carlos"]),
    ("and over", [OVER], ["Ana Bea Carlos"]),
    ("cleared away", [OVER, CLEARED], ["Ana Bea Carlos"]),
    ("others by the end of it", [LATE, RENAMED, LEFT, OVER], ["Ana Dora Bia", "Ana Bea Carlos"]),
    ("others by then, cleared away", [LATE, LEFT, OVER, CLEARED], ["Ana Dora Bea", "Ana Bea Carlos"]),
    ("renamed at the end", [OVER, RENAMED], ["Ana Bia Carlos", "Ana Bea Carlos"]),
    ("come at the end", [OVER, LATE], ["Ana Dora Bea Carlos", "Ana Bea Carlos"]),
    ("gone at the end", [OVER, LEFT], ["Ana Bea", "Ana Bea Carlos"]),
    ("renamed, then played again", [OVER, RENAMED, AGAIN], ["Ana Bia Carlos", "Ana Bea Carlos"]),
    ("renamed as they play", [RENAMED], ["Ana Bea Carlos"]),
    ("the end taken back", [RENAMED, OVER, ("undo", {})], ["Ana Bia Carlos", "Ana Bea Carlos"]),
    ("others after them", [RENAMED, OVER, OTHERS], ["Xu Yan", "Ana Bia Carlos", "Ana Bea Carlos"]),
    ("the first ones after others", [OVER, OTHERS, OVER, SAME], ["Ana Bea Carlos", "Xu Yan"]),
]


def files_of(folder: Path) -> dict[Path, tuple[bytes, int]]:
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one: (one.read_bytes(), one.stat().st_mtime_ns) for one in files}


def offered(client: FlaskClient) -> list[str]:
    return [" ".join(player["name"] for player in one["players"]) for one in groups(client)]


@pytest.mark.parametrize("by_page", [True, False])
@pytest.mark.parametrize(("evening", "steps", "people"), EVENINGS, ids=[one[0] for one in EVENINGS])
def test_set_up_offers_first_who_is_at_the_table(client, table, tmp_path, evening, steps, people, by_page):
    start(table)
    for kind, more in steps:
        said = parse({"type": kind, **more})
        table.do(said) if by_page else table.table.do(said)  # by a button, the camera, a bot or the clock
    before = files_of(tmp_path)
    which = groups(client)[0]["id"]
    pages = ("/setup", "/fragment/setup", f"/sheet/group?id={which}", "/api/v1/groups")
    assert [client.get(page).status_code for page in pages] == [200] * len(pages)
    assert (files_of(tmp_path), offered(client)) == (before, people), evening


def test_set_up_offers_who_was_at_the_table_before_a_restart(client, table, seat, tmp_path):
    start(table)
    for kind, more in (OVER, RENAMED):
        table.say(kind, **more)
    seat.boxed = again = BoxedTable(tmp_path)
    assert again.snapshot().data["state"] == "over"
    assert offered(client) == ["Ana Bia Carlos", "Ana Bea Carlos"]
    again.journal.close()


def test_a_group_that_was_forgotten_at_the_end_of_its_game_stays_so_until_it_plays(client, table):
    start(table)
    table.say("abandon")
    client.post("/api/v1/groups", json={"group": groups(client)[0]["id"], "forget": True})
    assert "data-group=" not in client.get("/setup").text
    start(table)
    assert offered(client) == ["Ana Bea Carlos"]


def test_a_group_is_renamed_and_forgotten(client, table):
    start(table)
    table.renew()
    which = groups(client)[0]["id"]
    named = client.post("/api/v1/groups", json={"group": which, "name": "<b>Friday</b>"})
    assert valid("Groups", named.json)["groups"][0]["name"] == "<b>Friday</b>"
    page = client.get("/setup").text
    assert "<b>Friday</b>" not in page
    assert "&lt;b&gt;Friday&lt;/b&gt;" in page
    assert "&lt;b&gt;Friday" in client.get("/sheet/group", query_string={"id": which}).text
    assert client.post("/api/v1/groups", json={"group": which, "forget": True}).json == {"groups": []}
    assert "data-group=" not in client.get("/setup").text


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"group": "nobody", "name": "Friday"}, 422, "unknown_group"),
        ({"group": "nobody", "forget": True}, 422, "unknown_group"),
        ({"group": "nobody"}, 400, "bad_request"),
        ({"group": 3, "name": "Friday"}, 400, "bad_request"),
        ({"group": "nobody", "forget": False}, 400, "bad_request"),
    ],
)
def test_a_group_that_is_not_there_is_refused(client, body, status, reason):
    answer = client.post("/api/v1/groups", json=body)
    assert (answer.status_code, valid("Problem", answer.get_json(force=True))["reason"]) == (status, reason)


def test_who_only_watches_changes_no_group(client, table):
    start(table)
    other = phone_of(client.application)
    which = groups(client)[0]["id"]
    refused = other.post("/api/v1/groups", json={"group": which, "forget": True})
    assert (refused.status_code, refused.get_json(force=True)["reason"]) == (403, "leader_only")
    assert client.post("/api/v1/groups", json={"group": which, "forget": True}).status_code == 200


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_that_the_settings_name_are_offered_first(table, preset):
    page = create_app(deps_for(table, preset=preset)).test_client()
    offered = re.findall(r'name="preset" value="(\w+)" (checked)?', page.get("/setup").text)
    ordered = sorted(PRESETS, key=lambda name: name not in rules_form.FIRST_TABLES)
    assert offered == [(name, "checked" if name == preset else "") for name in ordered]


def test_five_or_six_tables_are_shown_at_once(client):
    assert 5 <= len(rules_form.FIRST_TABLES) <= 6
    assert rules_form.BEGINNERS in rules_form.FIRST_TABLES
    folded = client.get("/setup").text.split('<details class="tables">')[1].split("</details>")[0]
    assert tuple(re.findall(r'name="preset" value="(\w+)"', folded)) == rules_form.MORE_TABLES


def test_the_page_of_rules_begins_with_what_is_special_here(client, table):
    start(table, preset="classic", house={"penalty": "difference"})
    special, whole = client.get("/rules").text.split('id="all-rules"')
    names = ("penalty", "calza_exact", "calza_palifico", "palifico_unlock")
    shown = [translate("en", f"rules.{name}.name") for name in names]
    assert [text in special for text in shown] == [True] * 4
    assert "<dt>Dice</dt>" not in special
    assert "<dt>Dice</dt>" in whole


@pytest.mark.parametrize("preset", PRESETS)
def test_every_listed_rule_has_a_subject(preset):
    listed = rules_form.listed(rules_form.values_of(preset))
    grouped = [name for names in rules_form.by_subject(listed).values() for name in names]
    assert sorted(grouped) == sorted(listed)


def test_a_game_begins_with_the_house_rules_in_words(client, table):
    start(table, house={"penalty": "difference"})
    first = client.get("/").text
    assert "Like Modern, but:" in first
    assert sentence("en", "penalty", "difference", lives=False) in first
    table.say("bid", by="Ana", quantity=1, face=3)
    assert 'id="house-rules"' not in client.get("/").text


def test_a_game_by_the_table_s_own_rules_has_nothing_to_tell(client, table):
    start(table)
    assert 'id="house-rules"' not in client.get("/").text


def test_the_rules_shown_before_a_game_are_those_offered_and_then_those_of_the_game(table):
    page = create_app(deps_for(table, preset="perudo")).test_client()
    shown = [translate("en", f"web.presets.{name}.name") for name in ("perudo", "classic")]
    before = page.get("/rules").text
    start(table, preset="classic")
    after = page.get("/rules").text
    assert [name in text for text in (before, after) for name in shown] == [True, False, False, True]


def test_every_switch_of_the_form_stands_in_one_subject():
    grouped = [name for names in rules_form.SUBJECTS.values() for name in names]
    assert sorted(grouped) == sorted(rules_form.offered())
    assert len(grouped) == len(set(grouped))
