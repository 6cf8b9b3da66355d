"""The cookie by which a phone is known again: its own random name and what it was at the table, signed.

It carries no time, so that a phone with a wrong clock keeps it.
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
class Badge:
    """What a phone carries: its name, the seat it last had, the word it was let in by and whether it led."""

    phone: str
    seat: str | None = None
    admitted: str = ""
    leads: bool = False


def new_badge() -> Badge:
    """A badge for a phone that has none."""
    return Badge(secrets.token_urlsafe(12))


def read(request: Request, secret: str) -> Badge | None:
    """The phone's badge; None without one, or when it was not signed here."""
    body, _, signed = request.cookies.get(COOKIE, "").partition(".")
    if not body or not hmac.compare_digest(signed.encode(), _signature(body, secret).encode()):
        return None
    return Badge(*json.loads(urlsafe_b64decode(body)))


def pin(response: Response, badge: Badge, secret: str) -> None:
    """Give the phone its badge."""
    body = urlsafe_b64encode(json.dumps(astuple(badge)).encode()).decode()
    value = f"{body}.{_signature(body, secret)}"
    response.set_cookie(COOKIE, value, max_age=_KEPT_S, httponly=True, samesite="Lax")


def _signature(body: str, secret: str) -> str:
    return hmac.digest(secret.encode(), body.encode(), "sha256").hex()
