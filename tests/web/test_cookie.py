"""The session cookie: read back as written, and never believed unsigned."""

import pytest
from flask import Flask, Response

from web.sessions import cookie
from web.sessions.cookie import COOKIE, SessionCookie

SECRET = "of this box"
CARRIED = SessionCookie("phone-1", "Ana", "word", True)


def asking(value: str) -> str:
    return f"{COOKIE}={value}"


def headed(secret: str = SECRET) -> str:
    with Flask(__name__).app_context():
        response = Response()
        cookie.write(response, CARRIED, secret)
    return response.headers["Set-Cookie"]


def written(secret: str = SECRET) -> str:
    return headed(secret).partition(";")[0].partition("=")[2]


def test_a_phone_with_a_wrong_clock_keeps_it_as_long():
    assert "; Max-Age=31536000;" in headed(), "which counts before a day by the calendar"


def test_a_cookie_comes_back():
    assert cookie.read(asking(written()), SECRET) == CARRIED


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("", "there is none"),
        (".", "nothing is signed"),
        ("x.y", "nobody signed it"),
        (written("of another box"), "another box signed it"),
        (written()[:-2], "the signature is cut"),
        ("A" + written(), "the body was changed"),
        (written().replace(".", "..", 1), "the signature is another"),
        ("\\udc80.é", "it is no text of ours"),
    ],
)
def test_what_this_box_did_not_sign_is_none(value, why):
    assert cookie.read(asking(value), SECRET) is None, why
