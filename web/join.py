"""Bringing a phone in: the box's address as a QR code, with a choice where the box is on several networks."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, make_response, render_template, request

from web.addresses import own_addresses
from web.deps import WebDeps
from web.problems import Refused

_HERE = ("localhost", "127.0.0.1", "[::1]")


def blueprint(deps: WebDeps) -> Blueprint:
    """The join page and its code."""
    routes = Blueprint("join", __name__)

    @routes.get("/join")
    def join() -> Response:
        links = links_for(deps)
        wanted = request.args.get("link") or request.cookies.get("link") or ""
        link = wanted if wanted in links else links[0]
        page = make_response(render_template("join.html", links=links, link=link, view="join", screen="join"))
        page.headers["Cache-Control"] = "no-store"
        if wanted == link:
            page.set_cookie("link", link, max_age=31_536_000, samesite="Lax")
        return page

    @routes.get("/join/code.svg")
    def code() -> Response:
        link = request.args.get("link", "")
        if link not in links_for(deps):
            raise Refused(404, "not_found")
        return Response(code_svg(link), mimetype="image/svg+xml")

    return routes


def links_for(deps: WebDeps) -> list[str]:
    """Links that lead a phone here: the one this phone itself came by first, then the box's addresses."""
    here = f"http://{request.host}/"
    found = [f"http://{address}:{deps.port}/" for address in deps.addresses() or own_addresses()]
    if request.host.rsplit(":", 1)[0] in _HERE:
        return list(dict.fromkeys((*found, here)))
    return list(dict.fromkeys((here, *found)))


def code_svg(link: str) -> bytes:
    """The QR code of `link` as SVG, black on white in both themes so that every camera reads it."""
    drawn = io.BytesIO()
    segno.make(link, error="m").save(
        drawn, kind="svg", scale=8, border=4, light="#ffffff", xmldecl=False, svgclass=None, lineclass=None
    )
    return drawn.getvalue()
