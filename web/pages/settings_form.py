"""`/settings`: the host changes the settings of the box. Each is shown with what it does and its default."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import CompanionError
from companion.settings import SECTIONS, Setting, table
from companion.upkeep import PageSettings, Room
from web.i18n import NAMES, Translator, translator
from web.payloads import typed
from web.sessions.phones import Phones

BACK_S = 8
"""After so long a browser looks whether the box is back."""


def blueprint(kept: PageSettings, room: Room, phones: Phones) -> Blueprint:
    """The page, its form, the restart and the room on the card."""
    pages = Blueprint("settings", __name__, url_prefix="/settings")

    @pages.before_request
    def check() -> None:
        if request.method == "POST":
            phones.must_manage()

    @pages.get("")
    def shown() -> Response:
        return _page(kept, room, phones, {}, {})

    @pages.post("")
    def change() -> AnyResponse:
        given = {row.name: typed(row.name) for row in table() if row.name in request.form}
        refused = kept.change(given)
        return _page(kept, room, phones, given, refused) if refused else redirect("/settings", code=303)

    @pages.post("/restart")
    def restart() -> Response:
        kept.restart()
        answer = make_response(render_template("settings.html", **_scene(), free=True, restarting=True))
        answer.headers["Refresh"] = f"{BACK_S}; url=/settings"
        return answer

    @pages.post("/without")
    def go_without() -> AnyResponse:
        kept.go_without()
        return redirect("/settings", code=303)

    @pages.post("/room")
    def make_room() -> AnyResponse:
        room.make()
        return redirect("/settings#room", code=303)

    return pages


def _scene() -> dict[str, object]:
    return {"view": "settings", "work": "settings", "version": version("dudo-companion")}


def _page(
    settings: PageSettings,
    room: Room,
    phones: Phones,
    given: Mapping[str, str],
    refused: Mapping[str, CompanionError],
) -> Response:
    """The form, with what was typed where something of it was refused."""
    free, words = phones.here().manages, translator(request)
    sections = {
        name: [_field(row, settings, words, given, refused) for row in table() if row.section == name]
        for name in (SECTIONS if free else ())
    }
    scene = {**_scene(), "free": free, "room": room, "sections": sections, "refused": refused}
    drawn = render_template("settings.html", **scene, waits=settings.waits, aside=settings.aside)
    return make_response(drawn, 422 if refused else 200)


def _field(
    row: Setting,
    settings: PageSettings,
    words: Translator,
    given: Mapping[str, str],
    refused: Mapping[str, CompanionError],
) -> dict[str, object]:
    """One setting as the template draws it."""
    error = refused.get(row.name)
    return {
        "row": row,
        "sentence": row.sentence(words.language),
        "value": given.get(row.name, plain(settings.value(row))),
        "usual": _said(row, plain(row.default), words),
        "values": {value: _said(row, value, words) for value in _values(row)},
        "fixed": not settings.may_change(row),
        "error": words.refusal(error.reason, error.values) if error else "",
    }


def plain(value: object) -> str:
    """A value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(row: Setting) -> tuple[str, ...]:
    return ("true", "false") if isinstance(row.default, bool) else row.choices


def _said(row: Setting, value: str, words: Translator) -> str:
    """A value in words, where it has some."""
    match row.name, value:
        case _, "":
            return words("settings.empty")
        case _, "true" | "false":
            return words("settings.yes" if value == "true" else "settings.no")
        case "table.preset", _:
            return words(f"presets.{value}.name")
        case "table.language", _:
            return NAMES.get(value, value)
    return words(f"settings.{row.key}.{value}") if row.choices else value
