"""The pages: a frame that stays, and a fragment of it that is drawn again whenever the table changes."""

from __future__ import annotations

import secrets
from functools import lru_cache, partial

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.statistics.archive import Archive
from web.i18n import THEMES, choices, chosen_language, theme, translator
from web.page_table import PageTable, PageView
from web.pages import dialogs, macros, phone_camera, plots, reveal_dice, rules_form, screens
from web.pages.statistics import Live, LocalFormats
from web.payloads import choice, queries, wanted_version, way_back
from web.problems import Refused
from web.sessions.phones import Phones

VIEWS = ("table", "setup", "history", "rules", "how-to-play", "me", "board")
COACH = ("off", "on")
_KEPT_S = 31_536_000


def blueprint(archive: Archive, phones: Phones) -> Blueprint:
    """The routes that answer with HTML. `start` marks this run, with the language that was chosen, so that a
    page notices a restart, and that another language was chosen beside it: it is loaded anew."""
    pages, table = Blueprint("pages", __name__), phones.table
    start, live = secrets.token_hex(4), Live(archive, table)
    pages.app_context_processor(lambda: _common(start, phones, live))
    for view in VIEWS:
        pages.add_url_rule("/" if view == "table" else f"/{view}", view, partial(_frame, table, view))
    _add_fragments(pages, table, start)
    _add_dialogs(pages, table, phones)
    manifest = ("manifest.webmanifest", "application/manifest+json")
    pages.add_url_rule("/manifest.webmanifest", "manifest", partial(_fresh, *manifest))
    pages.add_url_rule("/worker.js", "worker", partial(_fresh, "worker.js", "text/javascript"))
    pages.add_url_rule("/unreachable", "unreachable", partial(_fresh, "unreachable.html", "text/html"))
    pages.add_url_rule("/preferences", "preferences", _prefer, methods=["POST"])
    return pages


def _frame(table: PageTable, view: str) -> Response:
    """The whole page around the fragment of `view`."""
    return make_response(render_template("frame.html", **_scene(table.snapshot(), view)))


def _add_fragments(pages: Blueprint, table: PageTable, start: str) -> None:
    @pages.get("/fragment/<view>")
    def fragment(view: str) -> Response:
        if view not in VIEWS:
            raise Refused(404, "not_found")
        after, snapshot = wanted_version(), table.snapshot()
        if snapshot.version == after:
            response = Response(status=204)
        else:
            scene = _scene(snapshot, view)
            response = make_response(render_template(f"screens/{scene['screen']}.html", **scene))
        mark = start + chosen_language(request)
        response.headers.update({"X-Version": str(snapshot.version), "X-Start": mark})
        return response


def _add_dialogs(pages: Blueprint, table: PageTable, phones: Phones) -> None:
    @pages.get("/sheet/<name>")
    def dialog(name: str) -> Response:
        """A small panel for one choice, such as what a die shows."""
        snapshot = table.snapshot()
        hand = ",".join(map(str, phones.cup().faces)) if name in ("hand", "coach") else ""
        args = {**queries(), "hand": hand}
        if name == "coach":
            values = dialogs.coached(snapshot, args, phones.here())
        else:
            values = dialogs.values_for(name, snapshot.data, args)
        scene = {**_scene(snapshot, "table"), **values}
        return make_response(render_template(f"sheets/{name}.html", **scene))


def _scene(snapshot: PageView, view: str) -> dict[str, object]:
    """Variables of every template about the table, the same for all phones."""
    return _of_table(snapshot, view, current_app.config["PRESET"])


@lru_cache(maxsize=2 * len(VIEWS))
def _of_table(snapshot: PageView, view: str, preset: str) -> dict[str, object]:
    """The data as `s`, and which screen it is; `preset` is that of a table without a game."""
    data, game = snapshot.data, snapshot.data["game"]
    preset = game["preset"] if game else preset
    players, ruleset = screens.players_of(data), rules_form.chosen(preset, game)
    return {
        "s": data,
        "table": snapshot.table,
        "version": snapshot.version,
        "view": view,
        "screen": screens.screen_of(data) if view == "table" else view,
        "key": screens.key_of(data),
        "box": data["box"],
        "game": game,
        "r": game["round"] if game else {},
        "legal": game["round"]["legal"] if game else {},
        "about": screens.questions(data) if game else (),
        "turn": screens.on_turn(data),
        "colours": {player["name"]: player["colour"] for player in players},
        "hides": screens.hides_dice(data),
        "bots": [player["name"] for player in players if player["bot"]],
        "in_phones": [player["name"] for player in players if player["phone_cup"]],
        "most": max(ruleset["starting_dice"] or 5, *(player["dice"] for player in players), 0),
        "rv": data["reveal"],
        "v": data["verdict"],
        "so_far": snapshot.rounds,
        "preset": preset,
        "ruleset": ruleset,
        "counted": screens.counted(ruleset),
    }


def _common(start: str, phones: Phones, live: Live) -> dict[str, object]:
    """Variables of every template whatever the table does: texts, appearance and helpers."""
    words = translator(request)
    return {
        **macros.macros(words.language),
        "t": words,
        "translate": words.translate,
        "lang": words.language,
        "languages": choices(),
        "theme": theme(request),
        "coached": request.cookies.get("coach") == "on",
        "start": start + chosen_language(request),
        "me": phones.seen(),
        "claim": phones.claim(),
        "my_cup": phones.cup(),
        "seats_taken": phones.sitting().taken,
        "lobby": [
            {"name": g.name, "colour": g.colour, "phone_cup": g.phone_cup} for g in phones.lobby.guests
        ],
        "lobby_bots": phones.lobby.bots,
        "my_guest": phones.guest(),
        "reactions": phones.reactions(),
        "screens": screens,
        "reveal_dice": reveal_dice,
        "camera": phone_camera,
        "rules_form": rules_form,
        "plots": plots,
        "statistics": live,
        "formats": LocalFormats(words),
    }


def _fresh(template: str, kind: str) -> Response:
    """What makes the page an app: its manifest, the service worker (at the root, for it may only serve what
    lies below it), and what that shows while the box is gone."""
    return Response(render_template(template), mimetype=kind, headers={"Cache-Control": "no-cache"})


def _prefer() -> AnyResponse:
    """Keep a phone's choice of language, theme and odds, then show the page it came from again."""
    response = redirect(way_back(), code=303)
    for name, allowed in (("lang", tuple(choices())), ("theme", THEMES), ("coach", COACH)):
        if chosen := choice(name, allowed):
            response.set_cookie(name, chosen, max_age=_KEPT_S, samesite="Lax")
    return response
