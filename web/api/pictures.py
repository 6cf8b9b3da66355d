"""The evidence: annotated pictures of the dice, and the newest look of the camera."""

from __future__ import annotations

import re

from flask import Blueprint, Response

from web.deps import WebDeps
from web.problems import Refused

_FOR_EVER = "private, max-age=31536000, immutable"
_PICTURE_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


def blueprint(deps: WebDeps) -> Blueprint:
    """The routes that answer with JPEGs."""
    routes = Blueprint("pictures", __name__)

    @routes.get("/pictures/<picture_id>.jpg")
    def picture(picture_id: str) -> Response:
        found = deps.pictures(picture_id) if _PICTURE_ID.fullmatch(picture_id) else None
        return _jpeg(found, _FOR_EVER)

    @routes.get("/pictures/<picture_id>/plain.jpg")
    def plain(picture_id: str) -> Response:
        """The picture without marks, where it was kept: the page draws its own, and enlarges single dice."""
        known = _PICTURE_ID.fullmatch(picture_id)
        found = (deps.pictures(f"{picture_id}-plain") or deps.pictures(picture_id)) if known else None
        return _jpeg(found, _FOR_EVER)

    @routes.get("/preview.jpg")
    def preview() -> Response:
        return _jpeg(deps.preview(), "no-store")

    return routes


def _jpeg(content: bytes | None, keep: str) -> Response:
    if content is None:
        raise Refused(404, "no_picture")
    response = Response(content, mimetype="image/jpeg")
    response.headers["Cache-Control"] = keep
    return response
