"""`/club`: all tables of the club live, and the standings of the evening, for a television and a phone."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, make_response, render_template

from companion.table.wire.state import ClubNow
from web.payloads import query

MANY = 16
"""With more tables than this, each is drawn in two lines."""


def blueprint(club: Callable[[], ClubNow] | None) -> Blueprint:
    """The page and its fragment, which is drawn anew while somebody looks. None: no broker is named."""
    pages = Blueprint("club", __name__)
    pages.add_app_template_global(lambda: club is not None, "has_club")

    @pages.get("/club", endpoint="club")
    def whole() -> Response:
        return _drawn("club.html", club() if club else None)

    @pages.get("/club/now", endpoint="club_now")
    def fragment() -> Response:
        """Nothing where the phone has `seen` this already."""
        now = club() if club else None
        if now is not None and now.mark == query("seen"):
            return Response(status=204)
        return _drawn("club_now.html", now)

    return pages


def _drawn(template: str, now: ClubNow | None) -> Response:
    scene = {"view": "club", "now": now, "club": now.club if now else None, "many": MANY}
    return make_response(render_template(template, **scene))
