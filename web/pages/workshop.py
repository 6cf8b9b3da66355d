"""The workshop: pages on which a person calibrates the camera and tries out every part of the box.

Each page is a frame around a fragment that is drawn anew every second while a phone looks at it.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, jsonify, make_response, render_template

from web import payloads
from web.deps import WorkshopPort
from web.pages.phone_camera import PHONES
from web.payloads import WORK
from web.problems import Refused
from web.sessions.phones import Phones


def blueprint(workshop: WorkshopPort, phones: Phones) -> Blueprint:
    """The pages, their fragments and the one door by which they do anything."""
    routes = Blueprint("workshop", __name__)
    for name in WORK:
        for path, endpoint, template in (
            (f"/{name}", name, "workshop.html"),
            (f"/workshop/{name}", f"{name}_now", f"workshop/{name}.html"),
        ):
            shown = partial(_shown, workshop, phones, name, template)
            routes.add_url_rule(path, endpoint, shown)
    _add_steps(routes, workshop, phones)
    return routes


def _shown(workshop: WorkshopPort, phones: Phones, name: str, template: str) -> Response:
    """The page or its fragment; a phone that may not lead sees that, and nothing of the box is touched."""
    free = phones.here().manages
    by_phones = phones.table.snapshot().data["box"]["camera"] == PHONES
    now = workshop.now(name) if free else {}
    return make_response(
        render_template(template, now=now, free=free, work=name, view="workshop", by_phones=by_phones)
    )


def _add_steps(routes: Blueprint, workshop: WorkshopPort, phones: Phones) -> None:
    @routes.post("/api/v1/workshop")
    def step() -> Response:
        sent = payloads.sent(payloads.WorkshopRequest, "bad_step")
        phones.must_manage()  # the workshop shows what the camera sees
        page = next((page for page, steps in WORK.items() if sent.do in steps), None)
        if page is None:
            raise Refused(400, "bad_step")
        workshop.do(page, sent.do, sent.part)
        return jsonify({})
