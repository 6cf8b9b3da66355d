"""Phones of one table send any command of the API's own document over real sockets.

Two houses get the same commands. In the second one other dice lie under Bea's cup: whoever may not know
them gets the same answer to everything, refusals too. What changes another's seat is announced with its
author, and no command about seats gives anybody more dice or lives.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from companion.table import casting
from companion.table.casting import Roll
from companion.table.cups import known_dice
from tests.effort import draws
from tests.web.party import NAMES, Party, phone_state, send
from tests.web.sockets import asked_over_sockets
from web.api.openapi import document

pytestmark = pytest.mark.slow

PHONES = ("host", *NAMES, "guest", "stranger")
SECRET = "Bea"
SEAT_COMMANDS = frozenset(("leave", "join", "rename"))
WORDS = (*NAMES, "Dora", "all", "", "hand.Bea.1", "all.1", "dudo", "calza", "ok", "modern", "open", "host")


class House(Party):
    """A table behind a real server, with a phone for everybody."""

    def __init__(self, folder: str, cups: tuple[str, ...], roll: Roll) -> None:
        super().__init__(Path(folder), cups, roll, push_and_reroll=True)
        self.phones |= {"host": self.host, "guest": self.guest(), "stranger": self.phone()}

    def known(self, phone: str) -> bool:
        """Whether that phone may know the secret dice by now, or everybody does."""
        now, seat = self.table.table.snapshot(), self.seat(phone)
        own = known_dice(now.state, now.ledger, seat, "").hands
        return seat == SECRET or SECRET in dict(own) or now.state.reveal is not None

    def seat(self, phone: str) -> Any:
        return phone_state(self.phones[phone])["seat"]

    @property
    def state(self) -> Mapping[str, Any]:
        return self.table.snapshot().data


def commands() -> st.SearchStrategy[Mapping[str, Any]]:
    """Any command that the API's document describes, with values that mean something at this table."""
    schemas = document()["components"]["schemas"]
    command = schemas["Command"]
    return st.one_of([_value(one, schemas) for one in command.get("anyOf", command.get("oneOf", ()))])


def _value(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema; nothing that it does not say is left out, so a new command comes by itself."""
    if "$ref" in schema:
        return st.deferred(lambda: _value(schemas[schema["$ref"].rpartition("/")[2]], schemas))
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    for many in ("anyOf", "oneOf"):
        if many in schema:
            return st.one_of([_value(one, schemas) for one in schema[many]])
    match schema.get("type"):
        case "object" if "properties" in schema:
            required = set(schema.get("required", ()))
            parts = {name: _value(one, schemas) for name, one in schema["properties"].items()}
            return st.fixed_dictionaries(
                {name: part for name, part in parts.items() if name in required},
                optional={name: part for name, part in parts.items() if name not in required},
            )
        case "object":
            return st.dictionaries(st.sampled_from(NAMES), st.integers(1, 6), max_size=2)
        case "array":
            return st.lists(_value(schema.get("items", {"type": "integer"}), schemas), max_size=4)
        case "integer" | "number":
            return st.integers(0, 6)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    return st.sampled_from(WORDS)


class Authors(RuleBasedStateMachine):
    """One evening in two houses; after a secret is out both begin a new game."""

    def __init__(self) -> None:
        super().__init__()
        self._stack = ExitStack()
        patch = self._stack.enter_context(pytest.MonkeyPatch.context())
        self._random = Random(0)
        self._stack.enter_context(asked_over_sockets(patch))
        patch.setattr(casting, "dice_of", self._dice)
        self._fresh = self._roll  # one object: the table asks whether it is the usual one
        patch.setattr(casting, "fresh_dice", self._fresh)
        self.houses: list[House] = []

    def teardown(self) -> None:
        self._stack.close()

    def _roll(self, number: int) -> tuple[int, ...]:
        """What seals are made of: other ones in each house, the same in every run."""
        return tuple(self._random.choices(range(1, 7), k=number))

    def _dice(self, seed: str, throw: str, player: str, first: int) -> Iterator[int]:
        """The dice of a throw: alike in both houses, but for the secret ones, which hang on the seal."""
        random = Random(f"{throw}/{player}/{first}/{seed if player == SECRET else ''}")
        while True:
            yield random.randint(1, 6)

    @initialize(cups=st.sampled_from([NAMES, NAMES[1:]]))
    def begin(self, cups: tuple[str, ...]) -> None:
        for _ in range(2):
            house = House(self._stack.enter_context(TemporaryDirectory()), cups, self._fresh)
            self._stack.callback(house.close)
            self.houses.append(house)

    @rule(phone=st.sampled_from(PHONES), command=commands())
    def send(self, phone: str, command: Mapping[str, Any]) -> None:
        self._sent(phone, command)

    @rule(data=st.data())
    def push(self, data: st.DataObject) -> None:
        """A bid of the player on turn with dice pushed out, sent by anybody."""
        turn = self.houses[0].state["game"]["round"]["turn"]
        face, number = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
        bid = {"type": "bid", "by": turn, "quantity": 4, "face": face, "pushed": [face] * number}
        self._sent(data.draw(st.sampled_from(PHONES)), bid)

    @rule(phone=st.sampled_from(PHONES), data=st.data())
    def play(self, phone: str, data: st.DataObject) -> None:
        """A call that may be made now."""
        game = self.houses[0].state["game"]
        legal, turn = game["round"]["legal"], game["round"]["turn"]
        said = [{"type": "bid", "by": turn, "quantity": q, "face": f} for q, f in legal["bids"][:3]]
        said += [{"type": "dudo", "by": turn}, {"type": "type_count", "count": 3}, {"type": "next_round"}]
        self._sent(phone, data.draw(st.sampled_from(said)))

    def _sent(self, phone: str, command: Mapping[str, Any]) -> None:
        secret = not any(house.known(phone) for house in self.houses)
        seat, before = self.houses[0].seat(phone), self.houses[0].state
        answers = [send(house.phones[phone], **command) for house in self.houses]
        assert all(answer.status_code < 500 for answer in answers), (command, answers[0].text)
        shown = any(
            house.state["reveal"] for house in self.houses
        )  # where all dice are in phones, at the call
        if secret and not shown:
            first, second = map(_answer, answers)
            assert first == second, (phone, command)
        self._is_announced(before, self.houses[0].state, seat, command)
        if not secret or shown or not self._playing():
            self._anew()

    def _playing(self) -> bool:
        games = [house.state["game"] for house in self.houses]
        return all(game and game["phase"] == "bidding" for game in games)

    def _anew(self) -> None:
        """Another game in both houses, with the same people as at first."""
        for house in self.houses:
            for kind in ("abandon", "put_away"):
                send(house.host, type=kind)
            if not house.state["game"]:
                house.new_game()

    def _is_announced(
        self,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        seat: str | None,
        command: Mapping[str, Any],
    ) -> None:
        """Whatever changed another's seat beside a verdict is announced with who did it."""
        was, now = _seats(before), _seats(after)
        if before["game"] is None or after["game"] is None or before["game"]["id"] != after["game"]["id"]:
            return
        if command["type"] in SEAT_COMMANDS:
            assert _wealth(now) <= _wealth(was), command
        changed = {name for name in was if now.get(name) != was[name]} - {seat}
        judged = after["verdict"] is not None and before["verdict"] is None
        if changed and not judged:
            note = after["announcement"]
            assert note, (command, changed)
            assert before["version"] < note["number"] <= after["version"], (command, changed)
            assert note["name"] == (seat or "") or note["by"] == "host", (command, note)


def _answer(answer: Any) -> tuple[int, Any]:
    """What an answer says, without the names that games and versions have, and the hash of a seed."""
    body = json.loads(re.sub(r"\d{7,}", "0", answer.text))
    if isinstance(body.get("game"), dict):
        body["game"] = {**body["game"], "id": "", "dice_seed": None}
    return answer.status_code, body


def _seats(state: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """What a command may not change unseen, by player."""
    players = state["game"]["players"] if state["game"] else ()
    return {
        p["name"]: (p["dice"], p["lives"], p["marks"], p["out"], p["left"], p["phone_cup"]) for p in players
    }


def _wealth(seats: Mapping[str, tuple[Any, ...]]) -> int:
    """All dice and lives at the table; who joins waits for the next round and has none yet."""
    return sum(dice + (lives or 0) for dice, lives, *_ in seats.values())


TestAuthors = pytest.mark.thorough(Authors.TestCase)
TestAuthors.settings = settings(
    max_examples=draws(3, 100),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
