"""The page kept as an app: a service worker for the time when the box is gone, and the page it shows then."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template


def blueprint() -> Blueprint:
    """The worker stands at the root, for it may only serve what lies below it."""
    routes = Blueprint("kept", __name__)
    routes.add_url_rule("/worker.js", "worker", _worker)
    routes.add_url_rule("/unreachable", "unreachable", _unreachable)
    return routes


def _worker() -> Response:
    return _fresh(render_template("worker.js"), "text/javascript")


def _unreachable() -> Response:
    return _fresh(render_template("unreachable.html"), "text/html")


def _fresh(text: str, mimetype: str) -> Response:
    response = make_response(text)
    response.mimetype = mimetype
    response.headers["Cache-Control"] = "no-cache"
    return response
