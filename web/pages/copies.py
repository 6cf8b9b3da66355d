"""`/copies`: the phone that leads fetches the games of this box after each round, and brings back those that
the box has lost with its card, in pieces that any request may have.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from web.game_copies import Copies
from web.problems import Refused
from web.sessions.phones import Phones


def blueprint(copies: Copies | None, phones: Phones) -> Blueprint:
    """The routes that `copies.js` asks, for the phone that leads."""
    pages = Blueprint("copies", __name__)

    def there() -> Copies:
        if copies is None:
            raise Refused(404, "not_found")
        phones.must_manage()
        return copies

    @pages.get("/copies", endpoint="copies")
    def known() -> Response:
        return jsonify(dict(there().known()))

    @pages.get("/copies/<game_id>", endpoint="copy")
    def text(game_id: str) -> Response:
        return Response(there().text(game_id), mimetype="application/x-ndjson")

    @pages.post("/copies", endpoint="bring_back")
    def take() -> Response:
        kept = there()
        try:
            written = request.get_data(cache=False).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(400, "bad_request") from error
        return jsonify({"goes_on": kept.take(written, last="last" in request.args)})

    return pages
