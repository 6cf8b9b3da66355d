"""The JSON API: the state as one numbered snapshot, commands with their author and their version, and the
box: its buttons, its clock and how it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypedDict

import msgspec
from flask import Blueprint, Response, request
from msgspec import Meta

from companion.errors import StaleCommand
from companion.table.parsing import parse
from companion.table.wire.game import RoundsJson
from companion.table.wire.state import HealthJson
from web.i18n import translator
from web.page_table import PageTable, PageView
from web.payloads import CommandRequest, CupRequest, PressRequest, json_object, sent, wanted_version
from web.problems import Refused, problem
from web.sessions.phones import Phones

TOGETHER = "together"
"""Two buttons of the simulated box, held together."""

METRICS = "text/plain; version=0.0.4; charset=utf-8"


class ClockJson(TypedDict):
    """The time that the player on turn has left."""

    left_s: Annotated[float, Meta(ge=0, description="Seconds; null while no clock runs.")] | None


def blueprint(
    press: Callable[[str, bool], None], read_cup: Callable[[str], None], phones: Phones
) -> Blueprint:
    """The routes of the table under /api.

    `press` presses a button of a simulated box; `read_cup` reads the real dice of a bot."""
    api = Blueprint("api", __name__, url_prefix="/api")
    _add_state(api, phones.table)
    _add_commands(api, phones.table, phones)
    _add_box(api, press, read_cup, phones)
    return api


def readings(
    health: Callable[[], HealthJson],
    metrics: Callable[[], str] | None,
    turn_left_s: Callable[[], float | None],
) -> Blueprint:
    """How the box is, for people and for Prometheus (off without `metrics`), and the clock of a turn. A page
    asks for that at every turn and counts down by itself until the next."""
    routes = Blueprint("readings", __name__)
    routes.add_url_rule("/api/v1/health", "health", health)

    @routes.get("/api/v1/clock")
    def clock() -> ClockJson:
        return {"left_s": turn_left_s()}

    if metrics is not None:
        routes.add_url_rule("/metrics", "metrics", lambda: Response(metrics(), content_type=METRICS))
    return routes


def _answer(snapshot: PageView) -> Response:
    """A snapshot as JSON with its number."""
    return Response(msgspec.json.encode(snapshot.data), mimetype="application/json")


def _add_state(api: Blueprint, table: PageTable) -> None:
    @api.get("/v1/state")
    def state() -> Response:
        """The table now; the server has put aside a request for a version above the present one."""
        wanted_version()
        return _answer(table.snapshot())

    @api.get("/v1/rounds")
    def rounds() -> RoundsJson:
        return table.snapshot().rounds()


def _add_commands(api: Blueprint, table: PageTable, phones: Phones) -> None:
    @api.post("/v1/commands")
    def commands() -> Response:
        body = json_object()
        reason = "bad_version" if isinstance(body.get("command"), dict) else "no_command"
        wish = sent(CommandRequest, reason, body)
        author, before = phones.author(), table.snapshot()
        try:
            table.do(parse(wish.command), wish.based_on, author)
        except StaleCommand as error:
            sentence = translator(request).translate(f"errors.{error.reason}", error.values)
            return problem(409, error.reason, sentence, version=table.snapshot().version)
        phones.carried_out(before)
        return _answer(table.snapshot())


def _add_box(
    api: Blueprint,
    press: Callable[[str, bool], None],
    read_cup: Callable[[str], None],
    phones: Phones,
) -> None:
    @api.post("/v1/box/press", endpoint="press")
    def pressed() -> Response:
        wish = sent(PressRequest, "no_such_button")
        shown = phones.table.snapshot().data["box"]
        if not shown["simulated"]:
            raise Refused(404, "no_simulated_box")
        if wish.button not in (*shown["buttons"], TOGETHER):
            raise Refused(400, "no_such_button")
        phones.must_be_local()
        press(wish.button, wish.held)
        phones.carried_out()
        return _answer(phones.table.snapshot())

    @api.post("/v1/bots/look")
    def cup() -> Response:
        wish = sent(CupRequest)
        phones.author()
        read_cup(wish.player)
        phones.carried_out()
        return _answer(phones.table.snapshot())
