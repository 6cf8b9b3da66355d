"""`/copies`: the phone that leads fetches the games of this box after each round, and brings back those that
the box has lost with its card, in pieces that any request may have.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from web.game_copies import Copies
from web.problems import Refused
from web.sessions.phones import Phones


def blueprint(copies: Copies, phones: Phones) -> Blueprint:
    """The routes that `copies.js` asks, for the phone that leads."""
    pages = Blueprint("copies", __name__, url_prefix="/copies")
    pages.before_request(phones.must_manage)

    @pages.get("")
    def ids() -> Response:
        return jsonify(dict(copies.known()))

    @pages.get("/<game_id>")
    def text(game_id: str) -> Response:
        return Response(copies.text(game_id), mimetype="application/x-ndjson")

    @pages.post("")
    def take() -> Response:
        try:
            written = request.get_data(cache=False).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(400, "bad_request") from error
        return jsonify({"goes_on": copies.take(written, last="last" in request.args)})

    return pages
