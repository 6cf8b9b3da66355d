"""Answers made small for their way to a phone: packed, and scripts without what only people need."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from flask import Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

MIN_BYTES = 1000
_LEVEL = 5  # a Pi Zero packs a page in milliseconds; more effort saves next to nothing
_QUICK = 1  # what is drawn anew at each change: in half the time, and a twelfth larger
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


def pack(response: Response) -> Response:
    """The response as gzip where the browser takes it and it is worth it. Pictures are packed already."""
    text = (response.mimetype or "").startswith(_TEXTS)
    if not text or response.status_code != 200 or request.method != "GET":
        return response
    response.headers.add("Vary", "Accept-Encoding")
    endless = response.is_streamed and not response.direct_passthrough
    if (
        "Content-Encoding" in response.headers
        or endless
        or not _unpacks(request.headers.get("Accept-Encoding", ""))
    ):
        return response
    response.direct_passthrough = False  # static files are small enough to be read whole
    body = response.get_data()
    if len(body) >= MIN_BYTES:
        response.set_data(_packed(body, _QUICK if "X-Version" in response.headers else _LEVEL))
        response.headers["Content-Encoding"] = "gzip"
    return response


def slim(response: Response) -> Response:
    """A static script or style without indentation and comments: less to read for an old phone."""
    written = response.mimetype in ("text/javascript", "text/css")
    if request.endpoint == "static" and written and response.status_code == 200:
        response.direct_passthrough = False
        slimmed = _slimmed(response.get_data())
        response.set_data(_squeezed(slimmed) if response.mimetype == "text/css" else slimmed)
    return response


_REMARK = re.compile(rb"(?<=[;{}]) (// [^\"'`]*|/\* [^\"'`]*\*/)$")
"""A comment behind code. One with a quotation mark stays: it might be part of a text."""


@lru_cache(maxsize=64)
def _slimmed(source: bytes) -> bytes:
    lines = (_REMARK.sub(b"", line.strip()) for line in source.splitlines())
    return b"\n".join(line for line in lines if line and not _is_comment(line)) + b"\n"


@lru_cache(maxsize=64)
def _squeezed(style: bytes) -> bytes:
    """A style without the spaces that only people need; those in selectors and sums stay."""
    return re.sub(rb"\s*([{};,>])\s*", rb"\1", style).replace(b": ", b":").replace(b";}", b"}") + b"\n"


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"//") or (line.startswith(b"/*") and line.find(b"*/") == len(line) - 2)


@lru_cache(maxsize=64)
def _unpacks(accepted: str) -> bool:
    """Whether a browser that says so takes gzip."""
    return parse_accept_header(accepted, Accept)["gzip"] > 0


@lru_cache(maxsize=64)
def _packed(body: bytes, level: int) -> bytes:
    """Packed once for all phones that get the same."""
    return gzip.compress(body, level, mtime=0)
