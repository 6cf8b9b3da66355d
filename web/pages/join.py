"""Bringing a phone in: the box's address as a QR code, with a code that lets it play where this phone may."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.addresses import link_to
from web.deps import WebDeps
from web.hosts import means_this_machine
from web.i18n import translator
from web.pages import rules_form
from web.payloads import query
from web.problems import Refused
from web.sessions.phones import Phones

if TYPE_CHECKING:
    from segno import QRCode


def blueprint(deps: WebDeps) -> Blueprint:
    """The join page, its QR codes, and the door that a code opens."""
    routes = Blueprint("join", __name__)
    routes.add_app_template_global(lambda: next(iter(links_for(deps)), ""), "invitation")
    routes.add_app_template_global(partial(_word, deps.phones), "join_word")
    routes.add_app_template_global(partial(_wifi_name, deps), "wifi_name")
    routes.add_url_rule("/join", "join", partial(_page, deps))
    routes.add_url_rule("/join/code.svg", "code", partial(_code, deps))
    routes.add_url_rule("/rules/code.svg", "rules_code", partial(_rules_code, deps))
    routes.add_url_rule("/join/wifi.svg", "wifi", partial(_wifi, deps))
    routes.add_url_rule("/j/<code>", "enter", partial(_enter, deps.phones))
    return routes


def _code(deps: WebDeps) -> Response:
    link = query("link")
    if link not in links_for(deps):
        raise Refused(404, "not_found")
    word = "" if query("paper") else _word(deps.phones)  # paper outlives the code of the moment
    return _svg(_code_of(link + (f"j/{word}" if word else "")))


def _rules_code(deps: WebDeps) -> Response:
    """The code by which another table's phone takes the rules of this one over."""
    game, links = deps.phones.game(), links_for(deps)
    if not links:
        raise Refused(404, "not_found")
    preset = game["preset"] if game else deps.settings.table.preset
    return _svg(_code_of(links[0] + rules_form.shared(preset, rules_form.chosen(preset, game))))


def _wifi_name(deps: WebDeps) -> str:
    """The Wi-Fi whose code this phone may show, "" for none."""
    return deps.settings.web.wifi if _word(deps.phones) else ""


def _wifi(deps: WebDeps) -> Response:
    network = deps.settings.web.network
    if network is None or not _word(deps.phones):
        raise Refused(404, "not_found")
    return _svg(network.code())


def _code_of(link: str) -> QRCode:
    import segno

    return segno.make(link, error="m")


def _svg(code: QRCode) -> Response:
    """A QR code as SVG, black on white in both themes so that every camera reads it. It is soon another: no
    phone may keep it."""
    drawn = io.BytesIO()
    code.save(
        drawn, kind="svg", scale=8, border=4, light="#ffffff", xmldecl=False, svgclass=None, lineclass=None
    )
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


def _enter(phones: Phones, code: str) -> AnyResponse:
    """Let the phone in that scanned the code; one that came too late sees how to go on."""
    try:
        phones.join(code)
    except Refused as error:
        locked = error.status == 429
        lead = translator(request)(f"problems.{error.reason}", **error.values) if locked else ""
        page = render_template("code_over.html", view="join", screen="join", lead=lead)
        return make_response(page, error.status)
    return redirect("/me" if phones.names() else "/", code=303)


def _page(deps: WebDeps) -> Response:
    links = links_for(deps)
    wanted = query("link") or request.cookies.get("link") or ""
    link = wanted if wanted in links else next(iter(links), "")
    word = _word(deps.phones)
    shown = {"links": links, "link": link, "word": word, "left_s": deps.phones.codes.left_s()}
    shown["warns"] = link.startswith("https:") and deps.settings.web.https
    page = make_response(render_template("join.html", **shown, view="join", screen="join"))
    if wanted == link:
        page.set_cookie("link", link, max_age=31_536_000, samesite="Lax")
    return page


def _word(phones: Phones) -> str:
    """The code of the moment, which lets another phone in; "" on a phone that may not show it."""
    here = phones.here()  # one that was let in may sit down, and so may show it
    return phones.codes.current() if here.let_in else ""


def links_for(deps: WebDeps) -> list[str]:
    """Links that lead a phone here: the one this phone itself came by first, then the box's addresses. A
    name that every machine has for itself leads no phone here."""
    found = addressed(deps)
    own = () if means_this_machine(request.host) else (f"{request.scheme}://{request.host}/",)
    return list(dict.fromkeys((*own, *found)))


def addressed(deps: WebDeps) -> list[str]:
    """Links to the box by its numeric addresses."""
    web = deps.settings.web
    return [link_to(address, web.port, https=web.https) for address in deps.addresses()]
