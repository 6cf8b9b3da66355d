"""The OpenAPI document is valid, names every route of the API and is true of what they answer; and
docs/reference/api.md names every command, every member of the state and every status."""

import re
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct

from companion.rules.records import Sent
from companion.table.parsing import COMMAND_TYPES
from tests.web.tables import WAYS, bidding, deps_for
from web.api.openapi import document
from web.app import create_app

BASES = {"ByPlayer", "OfDie", "OfTwo"}
"""What several commands have in common."""

DESCRIBED = ("/api/", "/pictures/", "/preview")


made_once = cache(document)
"""The document, made once for all answers that are held against it."""


def validator(name: str) -> Draft202012Validator:
    """It finds members that are not described, too."""
    found = made_once()["components"]["schemas"]
    schemas = {key: {"additionalProperties": False, **one} for key, one in found.items()}
    root = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return Draft202012Validator(root)


def test_the_document_is_openapi_3_1(client):
    validate = pytest.importorskip("openapi_spec_validator").validate
    answer = client.get("/api/openapi.json")
    assert answer.json["openapi"].startswith("3.1")
    validate(answer.json)


def test_the_document_names_exactly_the_routes_there_are(table):
    rules = create_app(deps_for(table, workshop=object())).url_map.iter_rules()
    served = {
        (re.sub(r"<(\w+:)?(\w+)>", r"{\2}", rule.rule), method.lower())
        for rule in rules
        if rule.rule.startswith(DESCRIBED)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in document()["paths"].items() for method in methods}
    assert served == described


def test_the_document_lists_every_command():
    schemas = document()["components"]["schemas"]
    every = [schemas[one["$ref"].rpartition("/")[2]] for one in schemas["Command"]["oneOf"]]
    assert [one["properties"]["type"]["enum"] for one in every] == [[kind] for kind in COMMAND_TYPES]


def test_every_type_of_a_command_is_one_of_those_that_are_read():
    tags = {kind.__struct_config__.tag for kind in below(Sent)}
    assert tags - BASES == set(COMMAND_TYPES)


def below(kind: type[Struct]) -> set[type[Struct]]:
    return {kind}.union(*map(below, kind.__subclasses__())) - {Sent}


@pytest.mark.parametrize("way", WAYS)
def test_every_state_is_as_described(client, table, way):
    WAYS[way](table)
    assert list(validator("State").iter_errors(client.get("/api/v1/state").json)) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/v1/rounds", "Rounds"),
        ("/api/v1/phone", "Phone"),
        ("/api/v1/groups", "Groups"),
        ("/api/v1/statistics", "Sums"),
        ("/api/v1/games.json", "Games"),
        ("/api/v1/health", "Health"),
    ],
)
def test_answers_have_no_member_that_is_not_described(client, table, path, name):
    WAYS["over"](table)
    body = client.get(path).get_json(force=True)
    assert list(validator(name).iter_errors(body)) == []


@pytest.mark.parametrize(
    "body", [{"command": {"type": "explode"}}, {"command": {"type": "undo"}, "based_on": 1}, {}]
)
def test_every_problem_is_as_described(client, table, body):
    bidding(table)
    answer = client.post("/api/v1/commands", json=body)
    described = document()["paths"]["/api/v1/commands"]["post"]["responses"]
    assert str(answer.status_code) in described
    assert list(validator("Problem").iter_errors(answer.json)) == []


TEXT = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z_0-9]+)`", TEXT))


@pytest.mark.parametrize("kind", COMMAND_TYPES)
def test_every_command_is_described(kind):
    assert kind in NAMED


@pytest.mark.parametrize("path", document()["paths"])
def test_every_route_is_described(path):
    assert re.sub(r"{\w+}", "ID", path) in TEXT


def test_every_member_of_the_state_is_described(table):
    WAYS["verdict"](table)
    assert set(table.snapshot().data) - NAMED - {"notice"} == set()


def test_every_status_is_described():
    statuses = {s for path in document()["paths"].values() for one in path.values() for s in one["responses"]}
    assert {status for status in statuses if status != "200" and status not in TEXT} == set()
