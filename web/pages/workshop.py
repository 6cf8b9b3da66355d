"""The workshop: pages on which a person calibrates the camera and tries out every part of the box.

Each page is a frame around a fragment that is drawn anew every second while a phone looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, make_response, render_template

from web.deps import WebDeps
from web.pages.phone_camera import PHONES
from web.payloads import step_sent
from web.problems import Refused
from web.sessions.phones import Phones
from web.workshop_port import CALIBRATION, COLOURS, KEYS, LESSONS, SWITCH_OFF, TRIALS, WorkshopPort

Asking = Callable[[WorkshopPort], Mapping[str, object]]

PAGES: Mapping[str, Asking] = {
    "calibrate": lambda workshop: workshop.camera(),
    "teach": lambda workshop: workshop.taught(),
    "colours": lambda workshop: workshop.colours(),
    "hardware-test": lambda workshop: workshop.parts(),
}
"""The sections of each workshop page."""

_FACES: Mapping[str | None, int | None] = {None: None, **{str(face): face for face in range(1, 7)}}


def blueprint(deps: WebDeps, phones: Phones) -> Blueprint:
    """The pages, their fragments and the one door by which they do anything."""
    routes = Blueprint("workshop", __name__)
    routes.app_context_processor(lambda: {"has_workshop": deps.workshop is not None})
    for name in PAGES:
        routes.add_url_rule(f"/{name}", name, _shower(deps, phones, name, "workshop.html"))
        routes.add_url_rule(
            f"/workshop/{name}", f"{name}_now", _shower(deps, phones, name, f"workshop/{name}.html")
        )
    _add_steps(routes, deps, phones)
    return routes


def _shower(deps: WebDeps, phones: Phones, name: str, template: str) -> Callable[[], Response]:
    return lambda: _shown(deps, phones, name, template)


def _shown(deps: WebDeps, phones: Phones, name: str, template: str) -> Response:
    """The page or its fragment; a phone that may not lead sees that, and nothing of the box is touched."""
    workshop = _workshop(deps)
    free = phones.here().manages
    by_phones = deps.table.snapshot().data["box"]["camera"] == PHONES
    now = PAGES[name](workshop) if free else {}
    page = make_response(
        render_template(
            template, now=now, free=free, work=name, view="workshop", pages=PAGES, by_phones=by_phones
        )
    )
    page.headers["Cache-Control"] = "no-store"
    return page


def _add_steps(routes: Blueprint, deps: WebDeps, phones: Phones) -> None:
    @routes.post("/api/v1/workshop")
    def workshop() -> Response:
        sent, box = step_sent(), _workshop(deps)
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


def _workshop(deps: WebDeps) -> WorkshopPort:
    if deps.workshop is None:
        raise Refused(404, "no_workshop")
    return deps.workshop
