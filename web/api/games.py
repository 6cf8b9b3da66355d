"""A kept game may be deleted, by who manages the box."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from flask import Blueprint, Response, jsonify

from web.sessions.phones import Phones


class DeletedJson(TypedDict):
    """The id of a game that is no more."""

    deleted: str


def blueprint(forget_game: Callable[[str], None], phones: Phones) -> Blueprint:
    """The route that deletes a game."""
    routes = Blueprint("games", __name__, url_prefix="/api/v1")

    @routes.delete("/games/<game_id>")
    def delete_game(game_id: str) -> Response:
        phones.must_manage()
        forget_game(game_id)
        deleted: DeletedJson = {"deleted": game_id}
        return jsonify(deleted)

    return routes
