"""Pictures, for phones that were let in: the evidence, what the camera sees, and those that they take."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, jsonify, request

from companion.budgets import PICTURE_S, Purse
from web.deps import Pictures
from web.page_table import PageTable
from web.pages.phone_camera import PHONES
from web.problems import Refused
from web.sent_pictures import (
    LARGEST_PICTURE_BYTES,
    LARGEST_PREVIEW_BYTES,
    PATH,
    PREVIEWS,
    PictureForm,
    PreviewForm,
    TakenJson,
    Turns,
    picture_sent,
)
from web.sessions.access import Phone
from web.sessions.phones import Phones

_ASK_AGAIN = "private, no-cache"
"""A phone may keep a picture, and asks each time whether it is still there: pictures are deleted, too."""

_PICTURE_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


def blueprint(source: Pictures, phones: Phones, now_s: Callable[[], float]) -> Blueprint:
    """The routes that answer with JPEGs, and those that take them."""
    routes = Blueprint("pictures", __name__)
    routes.before_request(lambda: phones.must_be_let_in("pictures"))
    routes.add_url_rule("/pictures/<picture_id>.jpg", "picture", partial(_picture, source))
    routes.add_url_rule("/pictures/<picture_id>/plain.jpg", "plain", partial(_plain, source))
    routes.add_url_rule("/preview.jpg", "preview", lambda: _jpeg(source.preview()))
    paces = [Purse(1.0, 1.0 / PICTURE_S, now_s) for _ in (PATH, PREVIEWS)]
    take = partial(_take, source, phones, paces[0], Turns(now_s))
    routes.add_url_rule(PATH, "take", take, methods=["POST"])
    read_preview = partial(_read_preview, source, phones, paces[1])
    routes.add_url_rule(PREVIEWS, "read_preview", read_preview, methods=["POST"])
    return routes


def _picture(source: Pictures, picture_id: str) -> Response:
    return _kept(source.kept(picture_id) if _PICTURE_ID.fullmatch(picture_id) else None)


def _plain(source: Pictures, picture_id: str) -> Response:
    """The picture without marks, where it was kept: the page draws its own, and enlarges single dice."""
    known = _PICTURE_ID.fullmatch(picture_id)
    return _kept((source.kept(f"{picture_id}-plain") or source.kept(picture_id)) if known else None)


def _take(source: Pictures, phones: Phones, pace: Purse, turns: Turns) -> TakenJson:
    """A picture that the phone has taken of the dice; answered once it was read."""
    phone = _in_time(phones.here(), pace)
    with turns.turn(phone.id):
        sent = picture_sent(PictureForm, LARGEST_PICTURE_BYTES)
        if sent.use:
            place = _laid(phones.table, source, phone, sent.picture)
        else:
            place = source.take(sent.picture, phone.seat or "", sent.reveal, sent.place or None)
    return {"place": place, "version": phones.table.snapshot().version}


def _read_preview(source: Pictures, phones: Phones, pace: Purse) -> Response:
    """What a phone's viewfinder sees, read while nothing else is; it changes nothing."""
    phone = _in_time(phones.here(), pace)
    sent = picture_sent(PreviewForm, LARGEST_PREVIEW_BYTES)
    seen = source.view(sent.picture, phone.seat or "", sent.reveal, sent.place or None)
    if seen is None:
        raise Refused(503, "pictures_busy")
    return jsonify(seen)


def _in_time(phone: Phone, pace: Purse) -> Phone:
    """The phone; raises Refused where it sent another within the last second."""
    if (wait_s := pace.take(phone.id)) > 0:
        raise Refused(429, "picture_too_soon", retry_s=math.ceil(wait_s))
    return phone


def _laid(table: PageTable, source: Pictures, phone: Phone, data: bytes) -> str:
    """A picture for the pages that teach, from a phone that may use them, where the box has no camera."""
    if not phone.manages:
        raise Refused(403, "leader_only")
    if table.snapshot().data["box"]["camera"] != PHONES:
        raise Refused(422, "own_camera")
    source.lay(data)
    return ""


def _kept(content: bytes | None) -> Response:
    """A picture of a game; nothing is sent again to a phone that has it."""
    response = _jpeg(content)
    response.headers["Cache-Control"] = _ASK_AGAIN
    response.set_etag(hashlib.sha256(content or b"").hexdigest()[:16])
    response.vary.add("Cookie")
    response.make_conditional(request)
    return response


def _jpeg(content: bytes | None) -> Response:
    if content is None:
        raise Refused(404, "no_picture")
    return Response(content, mimetype="image/jpeg")
