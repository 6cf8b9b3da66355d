"""A table at which phones roll dice: who leads, who sits where, over the real page with real cookies."""

import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.table.casting import Roll
from companion.table.folder import AccessRecord
from companion.table.table import Table
from tests.unkept import Unkept
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app

NAMES = ("Ana", "Bea", "Carlos")


class Party:
    """A phone that leads, without a seat, and one in the seat of everybody."""

    def __init__(
        self, folder: Path, cups: tuple[str, ...] = NAMES, roll: Roll | None = None, **house: Any
    ) -> None:
        self.table, self.access = BoxedTable(folder), AccessRecord(Unkept())
        self._rolls = {"roll": roll} if roll else {}
        self._addresses, self.now_s = count(50), 1000.0
        self.page = self._started()
        self.host = self.phone()
        self.host.post("/api/v1/phone", json={"join": True})
        self.table.hold_two()
        people = [{"name": name, "colour": "red", "phone_cup": name in cups} for name in NAMES]
        self._game = {"players": people, "preset": "modern", "house": house, "starter": "Ana"}
        self.new_game()
        self.phones = {name: self.guest(name) for name in NAMES}

    def _started(self) -> Flask:
        """The table from its journal, and a page without a memory."""
        self.table.table = Table(self.table.journal, frames=1, **self._rolls)
        given = {"access": self.access, "secret": "one secret", "now_s": lambda: self.now_s}
        return create_app(deps_for(self.table, **given))

    def restart(self) -> None:
        """The box starts anew: it knows its journal, and what the phones' cookies say."""
        self.page = self._started()
        for phone in (self.host, *self.phones.values()):
            phone.application = self.page

    def close(self) -> None:
        self.table.journal.close()

    def new_game(self) -> None:
        assert send(self.host, type="new_game", **self._game).status_code == 200

    def clear(self) -> None:
        """The game is stopped and put away."""
        for kind in ("abandon", "put_away"):
            send(self.host, type=kind)

    def another_game(self, *people: str | Mapping[str, Any], **more: Any) -> None:
        """In place of the game on the table one of these people: names, or all that is said of a seat."""
        self.clear()
        players = [{"name": one} if isinstance(one, str) else one for one in people]
        new = {"players": players, "starter": players[0]["name"], **more}
        assert send(self.host, type="new_game", **new).status_code == 200

    def next_round(self, quantity: int = 5, count: int = 5) -> None:
        self.judged(quantity, count)
        assert send(self.host, type="next_round").status_code == 200

    def phone(self) -> FlaskClient:
        """A phone in the network of the box that nobody has let in."""
        return phone_of(self.page, f"192.168.1.{next(self._addresses)}")

    def guest(self, seat: str | None = None) -> FlaskClient:
        """A phone that comes in by the code, and sits down."""
        phone = self.phone()
        assert phone.get(way_in(self.host)).status_code == 303, "the phone that leads shows a code"
        if seat:
            assert sit(phone, seat) == 200
        return phone

    def rolled(self, name: str) -> tuple[int, ...]:
        """What really lies under a cup."""
        return dict(self.table.table.snapshot().state.rolled)[name]

    def judged(self, quantity: int, count: int) -> None:
        """Whoever is on turn bids threes, the next one doubts, and people count."""
        for kind, more in (("bid", {"quantity": quantity, "face": 3}), ("dudo", {})):
            turn = self.table.snapshot().data["game"]["round"]["turn"]
            assert send(self.host, type=kind, by=turn, **more).status_code == 200, kind
        assert send(self.host, type="type_count", count=count).status_code == 200


def send(phone: FlaskClient, **command: Any) -> Any:
    return phone.post("/api/v1/commands", json={"command": command})


def sit(phone: FlaskClient, seat: str | None) -> int:
    return int(phone.post("/api/v1/phone", json={"seat": seat}).status_code)


def come(phone: FlaskClient, **fields: Any) -> Any:
    """A phone sits down by itself: before a game, or late."""
    return phone.post("/api/v1/phone", json={"come": fields})


def phone_state(phone: FlaskClient) -> Any:
    """What that phone is."""
    return phone.get("/api/v1/phone").json


def role(phone: FlaskClient) -> str:
    return str(phone_state(phone)["role"])


def ask(phone: FlaskClient, **wish: Any) -> Any:
    return phone.post("/api/v1/phone", json=wish).json


def let_in(phone: FlaskClient, table: BoxedTable) -> None:
    """That phone asks, and somebody holds two buttons of the box."""
    assert ask(phone, join=True)["reason"] == "claim_open"
    table.hold_two()


def set_up(phone: FlaskClient) -> Any:
    """A game begun by that phone."""
    players = [{"name": name, "colour": "red"} for name in NAMES]
    return send(phone, type="new_game", players=players, preset="modern", starter="Ana")


def way_in(phone: FlaskClient) -> str:
    """The path by which the code of that phone's join page lets in, "" where none is shown."""
    found = re.search(r"<b>(\w{6})</b>", phone.get("/join").text)
    return f"/j/{found[1]}" if found else ""


FAR = {"REMOTE_ADDR": "192.168.1.77"}
"""Where a request comes from that is none of the box itself."""


def phone_of(page: Flask, address: str = "192.168.1.50") -> FlaskClient:
    """A phone in the network of the box that nobody has let in."""
    phone = page.test_client()
    phone.environ_base["REMOTE_ADDR"] = address
    return phone


def under_the_cup(phone: FlaskClient) -> Mapping[str, tuple[int, ...]] | str:
    """The dice that a phone may look at, by player ("" for its own), or the reason why none."""
    answer = phone.get("/sheet/hand")
    if answer.status_code != 200:
        return str(answer.json["reason"])
    found: dict[str, tuple[int, ...]] = {}
    for name, part in re.findall(r"<bdi>(.*?)</bdi>|(#pips\d)", answer.text.partition("under")[2]):
        whose = name or next(reversed(found), "")
        found[whose] = found.get(whose, ()) + ((int(part[-1]),) if part else ())
    return found


def reason(answer: Any) -> str:
    return str((answer.json or {}).get("reason", answer.status_code))
