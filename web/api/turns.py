"""The clock of a turn: how long the player on turn still has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypedDict

from flask import Blueprint, Response, jsonify
from msgspec import Meta


class ClockJson(TypedDict):
    """The time that the player on turn has left."""

    left_s: Annotated[float, Meta(ge=0, description="Seconds; null while no clock runs.")] | None


def blueprint(turn_left_s: Callable[[], float | None]) -> Blueprint:
    """The route that a page asks at every turn; it counts down by itself until the next."""
    routes = Blueprint("turns", __name__, url_prefix="/api/v1")

    @routes.get("/clock")
    def clock() -> Response:
        left: ClockJson = {"left_s": turn_left_s()}
        answer = jsonify(left)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return routes
