"""docs/reference/api.md tells of every command, every member of the state and every status."""

import re
from pathlib import Path

import pytest

from companion.table.parsing import COMMAND_TYPES
from tests.web.tables import WAYS
from web.api.openapi import document

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
