"""The phone's own page and API: which player it belongs to, whether it leads, what lies under its cup."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response, g, jsonify, request

from web import badge
from web.access import Phone, Seats
from web.api import json_object
from web.badge import Badge
from web.deps import WebDeps
from web.problems import Refused


class Phones:
    """Knows the phone behind a request."""

    def __init__(self, app: Flask, deps: WebDeps, seats: Seats) -> None:
        self._secret, self._deps, self.seats = str(app.secret_key), deps, seats
        app.after_request(self._pin_new)

    def names(self) -> list[str]:
        """Everybody in the game, in order of the table."""
        game: Mapping[str, Any] = self._deps.table.snapshot().data.get("game") or {}
        return [player["name"] for player in game.get("players", ())]

    def here(self) -> Phone:
        """The phone that asks."""
        mine = self._badge()
        return self.seats.phone(mine.phone, mine.seat, self.names())

    def sight(self) -> Hashable:
        """All that what a phone sees may depend on besides the table: phones of equal sight see the same."""
        mine = self.here()
        return (mine.led, mine.leads, mine.seat, self.seats.taken(self.names()))

    def check(self, command: Mapping[str, Any]) -> None:
        """Raises Refused when the phone that asks may not send `command`."""
        reason = self.here().refusal(command)
        if reason:
            raise Refused(403, reason)

    def hand(self) -> tuple[int, ...]:
        """The dice under this phone's own cup; nobody else's are ever handed out."""
        seat = self.here().seat
        return self._deps.hand(seat) if seat else ()

    def sit(self, name: str | None) -> None:
        """Take a seat or leave it; raises Refused."""
        mine = self._badge()
        reason = self.seats.sit(mine.phone, name, self.names())
        if reason:
            raise Refused(409 if reason == "seat_taken" else 404, reason)
        g.badge, g.badge_new = Badge(mine.phone, name), True

    def lead(self, wanted: bool) -> None:
        """Take the lead or give it back; raises Refused while the box must be pressed first."""
        mine = self._badge()
        if not wanted:
            self.seats.follow(mine.phone)
        elif reason := self.seats.lead(mine.phone):
            raise Refused(403, reason)

    def _badge(self) -> Badge:
        if "badge" not in g:
            found = badge.read(request, self._secret)
            g.badge, g.badge_new = found or badge.new_badge(), found is None
        return g.badge  # type: ignore[no-any-return]

    def _pin_new(self, response: Response) -> Response:
        if g.get("badge_new"):
            badge.pin(response, g.badge, self._secret)
        return response


def blueprint(phones: Phones) -> Blueprint:
    """The route by which a phone takes a seat or the lead."""
    routes = Blueprint("phones", __name__)

    @routes.post("/api/v1/phone")
    def phone() -> Response:
        body = json_object()
        if "seat" in body and isinstance(body["seat"], str | None):
            phones.sit(body["seat"])
        elif isinstance(body.get("lead"), bool):
            phones.lead(body["lead"])
        else:
            raise Refused(400, "bad_phone")
        mine = phones.here()
        return jsonify({"seat": mine.seat, "leads": mine.leads, "led": mine.led})

    return routes
