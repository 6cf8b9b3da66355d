"""The JSON API: the state as one numbered snapshot, commands with their author and their version."""

from __future__ import annotations

import threading

from flask import Blueprint, Response, jsonify, request

from companion.errors import StaleCommand
from companion.table.authors import By
from companion.table.wire.state import StateJson
from web.api.openapi import document
from web.deps import SnapshotPort, WebDeps
from web.i18n import translator
from web.live.long_poll import WaitingRoom
from web.payloads import command_sent, cup_sent, press_sent, wanted_version
from web.problems import Refused, problem
from web.sessions.phones import Phones

TOGETHER = "together"
"""Two buttons of the simulated box, held together."""

REAL_DICE = "real_dice"
"""Between games at a simulated table: dice of one's own instead, or simulated ones again."""


def blueprint(deps: WebDeps, room: WaitingRoom, phones: Phones) -> Blueprint:
    """The routes under /api."""
    api = Blueprint("api", __name__, url_prefix="/api")
    answers = Answers()
    _add_state(api, room, answers)
    _add_commands(api, deps, phones, answers)
    _add_box(api, deps, phones, answers)
    _add_bots(api, deps, phones, answers)
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


def _add_commands(api: Blueprint, deps: WebDeps, phones: Phones, answers: Answers) -> None:
    @api.post("/v1/commands")
    def commands() -> Response:
        sent = command_sent()
        author, command = phones.author(), deps.parse(sent.command)
        try:
            deps.table.do(command, sent.based_on, author)
        except StaleCommand as error:
            sentence = translator(request).translate(f"errors.{error.reason}", error.values)
            return problem(409, error.reason, sentence, version=deps.table.snapshot().version)
        phones.carried_out(command)
        return answers.of(deps.table.snapshot())


def _add_box(api: Blueprint, deps: WebDeps, phones: Phones, answers: Answers) -> None:
    @api.post("/v1/box/press")
    def press() -> Response:
        sent = press_sent()
        box = deps.table.snapshot().data["box"]
        if not box["simulated"]:
            raise Refused(404, "no_simulated_box")
        choices = () if box["real_dice"] is None else (REAL_DICE,)
        if sent.button not in (*box["buttons"], *choices, TOGETHER):
            raise Refused(400, "no_such_button")
        if sent.button != REAL_DICE:
            phones.must_be_local()
        elif phones.author().by is not By.HOST:
            raise Refused(403, "leader_only")
        deps.press(sent.button, sent.held)
        phones.carried_out()
        return answers.of(deps.table.snapshot())


def _add_bots(api: Blueprint, deps: WebDeps, phones: Phones, answers: Answers) -> None:
    @api.post("/v1/bots/look")
    def cup() -> Response:
        sent = cup_sent()
        phones.author()
        deps.read_cup(sent.player)
        phones.carried_out()
        return answers.of(deps.table.snapshot())


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
