"""The session cookie: read back as written, from earlier versions too, and never believed unsigned."""

import hmac
import json
from base64 import urlsafe_b64encode

import pytest
from flask import Flask, Request, Response
from werkzeug.test import EnvironBuilder

from web.sessions import cookie
from web.sessions.cookie import COOKIE, SessionCookie

SECRET = "of this box"
CARRIED = SessionCookie("phone-1", "Ana", "word", True)


def asking(value: str) -> Request:
    return Request(EnvironBuilder(headers={"Cookie": f"{COOKIE}={value}"}).get_environ())


def written(secret: str = SECRET) -> str:
    with Flask(__name__).app_context():
        response = Response()
        cookie.write(response, CARRIED, secret)
    return response.headers["Set-Cookie"].partition(";")[0].partition("=")[2]


def first_form(secret: str = SECRET) -> str:
    """As versions before 0.2 wrote it."""
    body = urlsafe_b64encode(json.dumps(["phone-1", "Ana", "word", True]).encode()).decode()
    return f"{body}.{hmac.digest(secret.encode(), body.encode(), 'sha256').hex()}"


@pytest.mark.parametrize("value", [written(), first_form()], ids=["now", "before 0.2"])
def test_a_cookie_comes_back(value):
    assert cookie.read(asking(value), SECRET) == CARRIED


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("", "there is none"),
        (".", "nothing is signed"),
        ("x.y", "nobody signed it"),
        (written("of another box"), "another box signed it"),
        (first_form("of another box"), "another box signed it long ago"),
        (written()[:-2], "the signature is cut"),
        ("A" + written(), "the body was changed"),
        (first_form().replace(".", "..", 1), "the signature is another"),
        ("\\udc80.é", "it is no text of ours"),
    ],
)
def test_what_this_box_did_not_sign_is_none(value, why):
    assert cookie.read(asking(value), SECRET) is None, why
