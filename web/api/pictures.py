"""The evidence: annotated pictures of the dice, and what the camera sees, for phones that were let in."""

from __future__ import annotations

import hashlib
import re

from flask import Blueprint, Response, request

from web.deps import WebDeps
from web.problems import Refused
from web.sessions.phones import Phones

_ASK_AGAIN = "private, no-cache"
"""A phone may keep a picture, and asks each time whether it is still there: pictures are deleted, too."""

_PICTURE_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


def blueprint(deps: WebDeps, phones: Phones) -> Blueprint:
    """The routes that answer with JPEGs."""
    routes = Blueprint("pictures", __name__)
    routes.before_request(lambda: phones.must_be_let_in("pictures"))

    @routes.get("/pictures/<picture_id>.jpg")
    def picture(picture_id: str) -> Response:
        return _kept(deps.pictures(picture_id) if _PICTURE_ID.fullmatch(picture_id) else None)

    @routes.get("/pictures/<picture_id>/plain.jpg")
    def plain(picture_id: str) -> Response:
        """The picture without marks, where it was kept: the page draws its own, and enlarges single dice."""
        known = _PICTURE_ID.fullmatch(picture_id)
        return _kept((deps.pictures(f"{picture_id}-plain") or deps.pictures(picture_id)) if known else None)

    @routes.get("/preview.jpg")
    def preview() -> Response:
        return _jpeg(deps.preview(), "no-store")

    return routes


def _kept(content: bytes | None) -> Response:
    """A picture of a game; nothing is sent again to a phone that has it."""
    response = _jpeg(content, _ASK_AGAIN)
    response.set_etag(hashlib.sha256(content or b"").hexdigest()[:16])
    response.vary.add("Cookie")
    response.make_conditional(request)
    return response


def _jpeg(content: bytes | None, keep: str) -> Response:
    if content is None:
        raise Refused(404, "no_picture")
    response = Response(content, mimetype="image/jpeg")
    response.headers["Cache-Control"] = keep
    return response
