"""What people do at a box at work without a browser, and waiting for what comes of it."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

from companion.app.companion import Companion
from companion.reveal.corrections import ByHand
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.deciding import SEEN_S
from companion.table.parsing import parse
from companion.table.table import Snapshot
from hardware.ports import TOGETHER
from tests.clocks import LaterClock

TIMEOUT_S = 60.0
PEOPLE = [{"name": "Ana"}, {"name": "Bea"}]
NETWORK = "127.0.0.2"
"""An address that is not the box's own name for itself."""


@dataclass(frozen=True)
class Answer:
    """What the page answers, as Flask's own client has it."""

    status_code: int
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Phone:
    """A phone without a browser, with a cookie of its own; nobody has let it in."""

    def __init__(self, companion: Companion, host: str = NETWORK, language: str = "en") -> None:
        self.companion, self._address = companion, f"http://{host}:{companion.port}"
        self._headers = {"Accept-Language": language, "Content-Type": "application/json"}
        self._opener = build_opener(HTTPCookieProcessor())

    def get(self, path: str) -> Answer:
        return self.post(path)

    def post(self, path: str, json: Any = None) -> Answer:
        data = None if json is None else _written(json)
        try:
            with self._opener.open(Request(self._address + path, data, self._headers)) as answer:
                return Answer(answer.status, answer.read().decode())
        except HTTPError as error:
            return Answer(error.code, error.read().decode())

    def let_in(self) -> None:
        """It asks, and somebody at the box holds two buttons."""
        self.post("/api/v1/phone", json={"join": True})
        self.companion.press(TOGETHER)


def _written(body: Any) -> bytes:
    return json.dumps(body).encode()


def ask(companion: Companion, path: str, body: Any = None) -> tuple[int, str]:
    """Status and text of an answer of the page, asked in English on the box itself."""
    answer = Phone(companion, "127.0.0.1").post(path, body)
    return answer.status_code, answer.text


def page(companion: Companion, path: str = "/") -> str:
    return ask(companion, path)[1]


def step(companion: Companion, what: str, **more: Any) -> tuple[int, str]:
    """What the workshop answers to a step."""
    return ask(companion, "/api/v1/workshop", {"do": what, **more})


def let_pass(companion: Companion, seconds: float) -> None:
    """So much later it is on the box, at once."""
    assert isinstance(companion.clock, LaterClock)
    companion.clock.ahead_s += seconds


def see_bid(companion: Companion) -> None:
    """Everybody has seen the bid that came last."""
    let_pass(companion, SEEN_S)


def say(companion: Companion, kind: str, **more: Any) -> Snapshot:
    return companion.table.do(parse({"type": kind, **more}))


def in_reveal(companion: Companion) -> None:
    say(companion, "new_game", players=PEOPLE, starter="Ana")
    say(companion, "bid", by="Ana", quantity=3, face=4)
    companion.press("dudo")


def finish_by_hand(companion: Companion) -> None:
    done = companion.table.do(cmd.Correct(ByHand(2))).state.game
    assert (done.phase, done.verdict.loser) == (Phase.VERDICT, "Ana")


def wait_until(companion: Companion, true: Callable[[Snapshot], bool]) -> None:
    """Follow the table until `true` of it; fails when it stands still before."""
    now = companion.table.snapshot()
    while not true(now):
        later = companion.table.wait(now.version, TIMEOUT_S)
        assert later.version > now.version, f"nothing happens: {later.faults}, {later.preview}"
        now = later


def wait_for(companion: Companion, wanted: str | None) -> None:
    """Follow the table until the camera's fault is `wanted`."""
    wait_until(companion, lambda now: _reason(now) == wanted)


def _reason(now: Snapshot) -> str | None:
    fault = dict(now.faults).get("camera")
    return fault.reason if fault else None


def faults_shown(now: Snapshot) -> set[str]:
    """The reasons of all that does not work, but a press."""
    return {fault.reason for part, fault in now.faults if part != "button"}


def eventually(true: Callable[[], bool]) -> None:
    """Wait for what happens in the back, of which the table says nothing."""
    until_s, pause = time.monotonic() + TIMEOUT_S, threading.Event()
    while not true():
        assert time.monotonic() < until_s, "it never came"
        pause.wait(0.02)
