"""The signed session cookie of a phone: a random name, and what the phone was at the table.

It carries no time, so that a phone with a wrong clock stays known.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass

from flask import Request, Response

COOKIE = "phone"
_KEPT_S = 31_536_000


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """What it carries: the phone's name, its last seat, the token it was let in by, whether it led."""

    phone: str
    seat: str | None = None
    admitted: str = ""
    leads: bool = False


def new_cookie() -> SessionCookie:
    """A cookie for a phone that has none."""
    return SessionCookie(secrets.token_urlsafe(12))


def read(request: Request, secret: str) -> SessionCookie | None:
    """The phone's cookie; None without one, or if this box did not sign it."""
    body, _, signed = request.cookies.get(COOKIE, "").partition(".")
    if not body or not hmac.compare_digest(signed.encode(), _signature(body, secret).encode()):
        return None
    return SessionCookie(*json.loads(urlsafe_b64decode(body)))


def write(response: Response, carried: SessionCookie, secret: str) -> None:
    """Set the phone's cookie."""
    body = urlsafe_b64encode(json.dumps(astuple(carried)).encode()).decode()
    value = f"{body}.{_signature(body, secret)}"
    response.set_cookie(COOKIE, value, max_age=_KEPT_S, httponly=True, samesite="Lax")


def _signature(body: str, secret: str) -> str:
    return hmac.digest(secret.encode(), body.encode(), "sha256").hex()
