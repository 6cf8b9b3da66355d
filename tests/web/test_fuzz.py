"""The fuzzer notices a role that grows, and lets pass what gives one."""

from random import Random

import pytest

from tests.web.fuzzed_house import ROLES, House, grown
from web.sessions.join_codes import JoinCodes


@pytest.mark.parametrize(
    ("role", "body", "any_code", "found", "why"),
    [
        ("watcher", {"join": "AAAAAA"}, False, [], "a wrong code gives nothing"),
        ("watcher", {"join": "AAAAAA"}, True, ["watcher has become let_in=True"], "a door without a lock"),
        ("joined", {"seat": ""}, False, [], "a seat is taken by who may take it"),
    ],
)
def test_a_role_that_grows_is_found(tmp_path, monkeypatch, role, body, any_code, found, why):
    house = House(tmp_path, Random(36))
    if any_code:
        monkeypatch.setattr(JoinCodes, "honours", lambda self, code: True)
    if "seat" in body:
        body = {"seat": house.table.snapshot().data["game"]["players"][-1]["name"]}
    house.phones[role].post("/api/v1/phone", json=body)
    now = house.standing(*ROLES)
    house.close()
    assert grown(house, now, role, body) == found, why
    assert now[role]["seat"] == body.get("seat")
