"""The JSON API: the state as one numbered snapshot, commands with the version they were based on."""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request

from companion.errors import StaleCommand
from companion.table.commands import Command, Undo
from companion.table.ledger import By
from companion.table.wire.state import StateJson
from web.api.openapi import document
from web.deps import Check, SnapshotPort, WebDeps
from web.i18n import translator
from web.live.long_poll import WaitingRoom
from web.payloads import PressRequest, command_sent, cup_sent, press_sent, wanted_version
from web.problems import Refused, problem

TOGETHER = "together"
"""Two buttons of the simulated box, held together."""

REAL_DICE = "real_dice"
"""Between games at a simulated table: dice of one's own instead, or simulated ones again."""

Sign = Callable[[Command], Command]
"""Adds to a parsed command what the phone that asks is to the table."""

Done = Callable[[], None]
"""Called once the command of the phone was carried out."""


def blueprint(deps: WebDeps, room: WaitingRoom, check: Check, sign: Sign, done: Done) -> Blueprint:
    """The routes under /api."""
    api = Blueprint("api", __name__, url_prefix="/api")
    answers = Answers()
    _add_state(api, room, answers)
    _add_commands(api, deps, check, sign, done, answers)
    _add_box(api, deps, check, sign, done, answers)
    _add_bots(api, deps, check, done, answers)
    api.add_url_rule("/v1/health", "health", lambda: _fresh(jsonify(deps.health())))
    api.add_url_rule("/openapi.json", "openapi", lambda: jsonify(document()))
    return api


class Answers:
    """Snapshots as JSON; one that many phones ask for is written once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._data: StateJson | None = None
        self._text = ""

    def of(self, snapshot: SnapshotPort, seated: bool = True) -> Response:
        """A snapshot as JSON with its number; a phone without a seat gets the time for its next request."""
        response = Response(self._written(snapshot), mimetype="application/json")
        response.headers["Cache-Control"] = "no-store"
        if not seated:
            response.headers["Retry-After"] = "1"
        return response

    def _written(self, snapshot: SnapshotPort) -> str:
        with self._lock:
            if snapshot.data is not self._data:
                data = {**snapshot.data, "version": snapshot.version}
                self._data, self._text = snapshot.data, jsonify(data).get_data(as_text=True)
            return self._text


def _add_state(api: Blueprint, room: WaitingRoom, answers: Answers) -> None:
    @api.get("/v1/state")
    def state() -> Response:
        snapshot, seated = room.next_after(wanted_version(), address=request.remote_addr or "")
        return answers.of(snapshot, seated)


def _add_commands(
    api: Blueprint, deps: WebDeps, check: Check, sign: Sign, done: Done, answers: Answers
) -> None:
    @api.post("/v1/commands")
    def commands() -> Response:
        sent = command_sent()
        check(sent.command)
        try:
            deps.table.do(sign(deps.parse(sent.command)), sent.based_on)
        except StaleCommand as error:
            sentence = translator(request).translate(f"errors.{error.reason}", error.values)
            return problem(409, error.reason, sentence, version=deps.table.snapshot().version)
        done()
        return answers.of(deps.table.snapshot())


def _add_box(api: Blueprint, deps: WebDeps, check: Check, sign: Sign, done: Done, answers: Answers) -> None:
    @api.post("/v1/box/press")
    def press() -> Response:
        sent = press_sent()
        box = deps.table.snapshot().data["box"]
        if not box["simulated"]:
            raise Refused(404, "no_simulated_box")
        choices = () if box["real_dice"] is None else (REAL_DICE,)
        if sent.button not in (*box["buttons"], *choices, TOGETHER):
            raise Refused(400, "no_such_button")
        check({"type": "hold_two" if sent.button == TOGETHER else "press"}, box)
        takes_back = sign(deps.parse({"type": "undo"})) if sent == PressRequest("ok", True) else None
        if (
            isinstance(takes_back, Undo) and takes_back.by is By.PLAYER
        ):  # the box itself would not know whose finger it is
            deps.table.do(takes_back)
        else:
            deps.press(sent.button, sent.held)
        done()
        return answers.of(deps.table.snapshot())


def _add_bots(api: Blueprint, deps: WebDeps, check: Check, done: Done, answers: Answers) -> None:
    @api.post("/v1/bots/look")
    def cup() -> Response:
        sent = cup_sent()
        check({"type": "look"})
        deps.read_cup(sent.player)
        done()
        return answers.of(deps.table.snapshot())


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
