"""The fuzzer notices a role that grows, and lets pass what gives one."""

from random import Random
from typing import Any

import pytest

from tests.web.fuzzed_house import ROLES, House, grown
from web.sessions.join_codes import JoinCodes


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path, Random(36))
    yield made
    made.close()


def found(house: House, role: str, body: dict[str, Any]) -> list[str]:
    house.phones[role].post("/api/v1/phone", json=body)
    return grown(house, house.standing(*ROLES), role, body)


def test_every_role_is_what_it_is_called(house):
    assert [(one["role"], one["let_in"]) for one in house.was.values()] == [
        *[("watcher", False), ("watcher", True)],
        *[("player", True), ("host", True)],
    ]


def test_a_door_that_opens_by_any_code_is_found(house, monkeypatch):
    assert found(house, "watcher", {"join": "AAAAAA"}) == []
    monkeypatch.setattr(JoinCodes, "honours", lambda self, code: True)
    assert found(house, "watcher", {"join": "AAAAAA"}) == ["watcher has become let_in=True"]


def test_a_seat_is_taken_by_who_may_take_it(house):
    names = [player["name"] for player in house.table.snapshot().data["game"]["players"]]
    assert found(house, "joined", {"seat": names[-1]}) == []
    assert house.standing("joined")["joined"]["seat"] == names[-1]
