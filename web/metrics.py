"""`/metrics`: how the box is, for Prometheus, where the settings ask for it."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response

from web.problems import Refused

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def blueprint(metrics: Callable[[], str] | None) -> Blueprint:
    """The route; without `metrics` it is off."""
    routes = Blueprint("metrics", __name__)

    @routes.get("/metrics", endpoint="metrics")
    def shown() -> Response:
        if metrics is None:
            raise Refused(404, "not_found")
        return Response(metrics(), content_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})

    return routes
