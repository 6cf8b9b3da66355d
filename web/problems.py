"""Errors as RFC 9457 problem documents, each with its reason key and one sentence in the phone's language.

A person who opened an address in a browser gets the sentence as a page instead, with a way back.
"""

from __future__ import annotations

import json
from typing import Annotated, NotRequired, TypedDict

from flask import Flask, Response, current_app, request
from msgspec import Meta
from werkzeug.exceptions import HTTPException

from companion.errors import (
    BadCommand,
    CompanionError,
    NotAllowed,
    PartFault,
    RulesError,
    StaleCommand,
    StorageError,
)
from web.i18n import theme, translator

MEDIA_TYPE = "application/problem+json"

_STATUS: tuple[tuple[type[CompanionError], int], ...] = (
    (StaleCommand, 409),
    (NotAllowed, 403),
    (RulesError, 422),
    (BadCommand, 422),
    (StorageError, 503),
    (PartFault, 503),
)

_REASONS = {400: "bad_request", 403: "not_allowed", 404: "not_found", 405: "wrong_method", 413: "too_large"}


class ProblemJson(TypedDict):
    """A request that was refused, as in RFC 9457."""

    type: Annotated[str, Meta(extra_json_schema={"format": "uri"})]
    title: Annotated[str, Meta(description="One sentence in the language asked for.")]
    status: Annotated[int, Meta(ge=400, le=599)]
    reason: Annotated[str, Meta(description="The key of the sentence in the catalogues.")]
    values: NotRequired[Annotated[dict[str, object], Meta(description="What fills the sentence.")]]
    version: NotRequired[Annotated[int, Meta(description="With 409: the version of the table now.")]]


class Refused(Exception):
    """The page itself refuses a request; `reason` is a key under `web.problems` in the catalogues. `retry_s`:
    after so many seconds the same request is taken; the page's scripts send it again by themselves."""

    hint = ""

    def __init__(self, status: int, reason: str, *, retry_s: int | None = None, **values: object) -> None:
        super().__init__(reason)
        self.status, self.reason, self.values = status, reason, values
        self.retry_s = retry_s


def problem_json(status: int, reason: str, sentence: str, **extra: object) -> str:
    """One problem document; `extra` members such as `values` or `version` stand beside the standard ones."""
    body = {"type": f"urn:dudo:{reason}", "title": sentence, "status": status, "reason": reason, **extra}
    return json.dumps(body, ensure_ascii=False, allow_nan=False)


def problem(status: int, reason: str, sentence: str, **extra: object) -> Response:
    """The problem document, or a page for a person."""
    if _for_a_person():
        values = extra.get("values")
        return _page(status, sentence, str(values.get("link", "")) if isinstance(values, dict) else "")
    return Response(problem_json(status, reason, sentence, **extra), status=status, mimetype=MEDIA_TYPE)


def _for_a_person() -> bool:
    """Whether a browser asks for a page to show, and no program for data."""
    wanted = request.accept_mimetypes
    return not request.path.startswith("/api/") and wanted["text/html"] > wanted[MEDIA_TYPE]


def _page(status: int, sentence: str, link: str) -> Response:
    """The sentence as a page, with a `link` that helps. It asks nothing of the table, which may be what does
    not work."""
    words = translator(request)
    drawn = current_app.jinja_env.get_template("problem.html").render(
        t=words, lang=words.language, theme=theme(request), sentence=sentence, link=link
    )
    return Response(drawn, status=status)


def register(app: Flask) -> None:
    """Answer every error of `app` with a problem document."""
    app.register_error_handler(CompanionError, _table_refused)
    app.register_error_handler(Refused, _page_refused)
    app.register_error_handler(HTTPException, _http_error)


def _table_refused(error: CompanionError) -> Response:
    sentence = translator(request).refusal(error.reason, error.values)
    values = {key: str(value) for key, value in error.values.items()}
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    return problem(status, error.reason, sentence, values=values)


def _page_refused(error: Refused) -> Response:
    sentence = translator(request).refusal(error.reason, error.values, "problems")
    values = {"values": error.values} if error.values else {}
    answer = problem(error.status, error.reason, sentence, **values)
    if error.retry_s is not None:
        answer.headers["Retry-After"] = str(error.retry_s)
    return answer


def _http_error(error: HTTPException) -> Response:
    if error.response is not None:
        return Response(error.get_response().get_data(), error.code or 500)
    status = error.code or 500
    reason = _REASONS.get(status, "broken")
    return problem(status, reason, translator(request).refusal(reason, {}, "problems"))
