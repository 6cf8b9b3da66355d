"""The workshop: pages on which a person calibrates the camera and tries out every part of the box.

Each page is a frame around a fragment that is drawn anew every second while a phone looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import Blueprint, Response, jsonify, make_response, render_template

from web import payloads
from web.deps import CALIBRATION, COLOURS, KEYS, LESSONS, SWITCH_OFF, TRIALS, WorkshopPort
from web.page_table import PageTable
from web.pages.phone_camera import PHONES
from web.problems import Refused
from web.sessions.phones import Phones

Asking = Callable[[WorkshopPort], Mapping[str, object]]

PAGES: Mapping[str, Asking] = {
    "calibrate": lambda workshop: workshop.camera(),
    "teach": lambda workshop: workshop.taught(),
    "colours": lambda workshop: workshop.colours(),
    "hardware-test": lambda workshop: workshop.parts(),
}
"""The sections of each workshop page."""

_FACES: Mapping[str | None, int | None] = {None: None, **{str(face): face for face in range(1, 7)}}


def blueprint(table: PageTable, workshop: WorkshopPort | None, phones: Phones) -> Blueprint:
    """The pages, their fragments and the one door by which they do anything."""
    routes = Blueprint("workshop", __name__)
    for name in PAGES:
        for path, endpoint, template in (
            (f"/{name}", name, "workshop.html"),
            (f"/workshop/{name}", f"{name}_now", f"workshop/{name}.html"),
        ):
            shown = partial(_shown, table, workshop, phones, name, template)
            routes.add_url_rule(path, endpoint, shown)
    _add_steps(routes, workshop, phones)
    return routes


def _shown(
    table: PageTable, workshop: WorkshopPort | None, phones: Phones, name: str, template: str
) -> Response:
    """The page or its fragment; a phone that may not lead sees that, and nothing of the box is touched."""
    box = _there(workshop)
    free = phones.here().manages
    by_phones = table.snapshot().data["box"]["camera"] == PHONES
    now = PAGES[name](box) if free else {}
    return make_response(
        render_template(template, now=now, free=free, work=name, view="workshop", by_phones=by_phones)
    )


def _add_steps(routes: Blueprint, workshop: WorkshopPort | None, phones: Phones) -> None:
    @routes.post("/api/v1/workshop")
    def step() -> Response:
        sent, box = payloads.sent(payloads.WorkshopRequest, "bad_step"), _there(workshop)
        phones.must_manage()  # the workshop shows what the camera sees
        if sent.do in CALIBRATION:
            box.calibrate(sent.do)
        elif sent.do in TRIALS:
            box.try_part(sent.do, sent.part)
        elif sent.do in LESSONS and sent.part in _FACES:
            box.teach(sent.do, _FACES[sent.part])
        elif sent.do in COLOURS:
            box.teach_colours(sent.do, sent.part)
        elif sent.do in KEYS:
            box.teach_key(sent.do, sent.part)
        elif sent.do == SWITCH_OFF:
            box.switch_off()
        else:
            raise Refused(400, "bad_step")
        return jsonify({})


def _there(workshop: WorkshopPort | None) -> WorkshopPort:
    if workshop is None:
        raise Refused(404, "no_workshop")
    return workshop
