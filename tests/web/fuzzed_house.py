"""The house that a fuzzer sends requests to: a table in a game, a phone of each role, and which role grew."""

from pathlib import Path
from random import Random
from typing import Any

from tests.web.party import ask, let_in, phone_of
from tests.web.tables import WAYS, BoxedTable, bidding, deps_for, start
from tests.web.test_workshop_pages import Workshop
from web.app import create_app

ROLES = ("watcher", "joined", "player", "host")
GROWS = ("let_in", "leads", "seat")


class House:
    """A table somewhere in a game, and a phone of each role."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.table = BoxedTable(folder)
        deps = deps_for(self.table, poll_s=0.0, secret="s" * 32, workshop=Workshop())
        self.app = create_app(deps)
        self.phones = {role: phone_of(self.app, f"192.168.1.{n}") for n, role in enumerate(ROLES, 50)}
        host, player = self.phones["host"], self.phones["player"]
        let_in(host, self.table)
        assert ask(host, lead=True)["leads"]
        for phone in (player, self.phones["joined"]):
            let_in(phone, self.table)
        random.choice([*WAYS.values(), bidding, bidding])(self.table)
        if not self.table.snapshot().data["game"]:
            start(self.table)
        seat = self.table.snapshot().data["game"]["players"][0]["name"]
        assert player.post("/api/v1/phone", json={"seat": seat}).status_code == 200
        self.was = self.standing(*ROLES)

    def close(self) -> None:
        self.table.journal.close()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        """The application as seen from the network; schemathesis itself would come from the box's address."""
        return self.app({**environ, "REMOTE_ADDR": "192.168.1.99"}, start_response)

    def cookie(self, role: str) -> str:
        kept = self.phones[role].get_cookie("phone")
        assert kept is not None
        return str(kept.value)

    def standing(self, *roles: str) -> dict[str, dict[str, Any]]:
        """What these phones are now."""
        return {role: self.phones[role].get("/api/v1/phone").json for role in roles}


def grown(house: House, now_all: dict[str, dict[str, Any]], role: str, body: Any) -> list[str]:
    """The phones whose role grew by a request of `role` that must not change it."""
    body = body if isinstance(body, dict) else {}
    gives = role == "host" and ("confirm" in body or body.get("button") == "together")
    found = []
    for other, now in now_all.items():
        was = house.was[other]
        for what in GROWS:
            sits = other == role and what == "seat" and was["let_in"]
            own = sits and ("seat" in body or "come" in body)
            if now[what] and not was[what] and not gives and not own:
                found.append(f"{other} has become {what}={now[what]!r}")
    return found
