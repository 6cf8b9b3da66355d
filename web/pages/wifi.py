"""`/wifi`: the host has the box join another Wi-Fi, without a screen and without a keyboard at the box."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.addresses import name_in_network
from companion.upkeep import WifiJoining
from web.payloads import typed
from web.sessions.phones import Phones


def blueprint(joining: WifiJoining, phones: Phones, port: int) -> Blueprint:
    """The page and its form."""
    pages = Blueprint("wifi", __name__)

    @pages.get("/wifi", endpoint="wifi")
    def shown() -> Response:
        free = phones.here().manages
        scene = {"view": "wifi", "free": free, "link": f"http://{name_in_network()}:{port}/"}
        return make_response(
            render_template("wifi.html", **scene, work="wifi", joining=joining.now() if free else None)
        )

    @pages.post("/wifi", endpoint="join_wifi")
    def join() -> AnyResponse:
        phones.must_manage()
        joining.join(typed("name"), typed("password"))
        return redirect("/wifi", code=303)

    return pages
