"""The signed session cookie of a phone: a random name, and what the phone was at the table.

It carries no time, so that a phone with a wrong clock stays known.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import lru_cache
from hashlib import sha256

from flask import Response
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.sansio.http import parse_cookie

COOKIE, DEMONSTRATION = "phone", "demonstration"
"""Browsers keep cookies by host, whatever the port: a demonstration on the same box has its own."""

_KEPT_S = 31_536_000


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """The content of the cookie: the phone's name, its last seat, the token it was let in by, whether it
    led."""

    phone: str
    seat: str | None = None
    admitted: str = ""
    leads: bool = False


@lru_cache(maxsize=512)
def read(cookies: str, secret: str, name: str = COOKIE) -> SessionCookie | None:
    """The phone's cookie in a header `Cookie`; None without one, or if this box did not sign it."""
    value = parse_cookie(cookies).get(name, "")
    try:
        return SessionCookie(*_serializer(secret).loads(value))
    except BadData:
        return None


def write(
    response: Response, carried: SessionCookie, secret: str, name: str = COOKIE, *, secure: bool = False
) -> None:
    """Set the phone's cookie; a `secure` one is never sent unencrypted."""
    value = _serializer(secret).dumps(astuple(carried))
    response.set_cookie(name, str(value), max_age=_KEPT_S, secure=secure, httponly=True, samesite="Lax")


def _serializer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=COOKIE, signer_kwargs={"digest_method": sha256})
