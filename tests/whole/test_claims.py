"""A claim at a box with buttons: presses and holds of play confirm none, two buttons held together do."""

import json
from random import Random
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from companion.app.companion import Companion
from companion.errors import CompanionError
from hardware.ports import TOGETHER
from tests.whole.at_box import PEOPLE, say
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


class Stranger:
    """A phone of the network that nobody let in: it comes by an address that is not the box's own."""

    def __init__(self, companion: Companion) -> None:
        self._address = f"http://127.0.0.2:{companion.port}/api/v1/phone"
        self._opener = build_opener(HTTPCookieProcessor())

    def ask(self, **wish: Any) -> int:
        body = json.dumps(wish).encode()
        request = Request(self._address, body, {"Content-Type": "application/json"})
        try:
            with self._opener.open(request) as answer:
                return int(answer.status)
        except OSError as error:
            return int(getattr(error, "code", 0))

    def role(self) -> str:
        with self._opener.open(self._address) as answer:
            return str(json.load(answer)["role"])


def test_a_stranger_who_waits_for_a_press_waits_in_vain(tmp_path, empty_table):
    random = Random(36)
    with at_work(tmp_path / "data", empty_table, host="127.0.0.2") as companion:
        say(companion, "new_game", players=PEOPLE, preset="modern", starter="Ana")
        stranger = Stranger(companion)
        assert stranger.ask(lead=True) == 403
        for _ in range(40):
            button = random.choice(companion.parts.buttons.names)
            try:
                companion.press(button, random.random() < 0.4)
            except CompanionError:
                continue
        assert stranger.role() == "watcher"
        companion.press(TOGETHER)
        assert stranger.role() == "host"
