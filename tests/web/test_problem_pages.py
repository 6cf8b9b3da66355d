"""What a person finds at a wrong address: a page with a sentence and a way back; programs get JSON."""

import re

import pytest

from companion.texts import languages, translate
from tests.web.tables import deps_for
from web.app import create_app

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}

WRONG = [
    ("get", "/nowhere", {}, 404, "not_found"),
    ("get", "/board/", {}, 404, "not_found"),
    ("get", "/calibrate", {}, 404, "not_found"),
    ("get", "/pictures/gone.jpg", {}, 404, "no_picture"),
    ("get", "/statistics/games/nix", {}, 404, "not_found"),
    ("get", "/join/code.svg?link=http://evil.example/", {}, 404, "not_found"),
    ("get", "/preferences", {}, 405, "wrong_method"),
    ("post", "/preferences", {"headers": {**BROWSER, "Origin": "http://evil.example"}}, 403, "foreign_page"),
    ("post", "/preferences", {"data": {"back": "x" * 70_000}}, 413, "too_large"),
]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("method", "path", "more", "status", "reason"), WRONG)
def test_a_person_gets_a_page_with_a_way_back(client, method, path, more, status, reason, language):
    headers = {**BROWSER, "Accept-Language": language, **more.get("headers", {})}
    answer = getattr(client, method)(path, **{**more, "headers": headers})
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert f'<html lang="{language}"' in answer.text
    assert f"<h1>{translate(language, f'web.problems.{reason}')}</h1>" in answer.text
    assert 'href="/"' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_keeps_the_light_that_was_chosen(client):
    client.set_cookie("theme", "light")
    assert 'data-theme="light"' in client.get("/nowhere", headers=BROWSER).text


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/v1/nothing", BROWSER),  # the API is for programs, whoever opens it
        ("/api/v1/state?after=x", BROWSER),
        ("/nowhere", {"Accept": "*/*"}),  # what a script of the page asks, and curl
        ("/nowhere", {"Accept": "application/json"}),
        ("/nowhere", {"Accept": "application/problem+json, text/html;q=0.5"}),
        ("/nowhere", {}),
    ],
)
def test_a_program_gets_json(client, path, headers):
    answer = client.get(path, headers=headers)
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == answer.status_code


def test_the_page_stands_even_when_the_table_is_broken(table, monkeypatch, caplog):
    page = create_app(deps_for(table))
    monkeypatch.setattr(table, "snapshot", lambda: 1 / 0)
    answer = page.test_client().get("/", headers=BROWSER)
    assert answer.status_code == 500
    assert re.search("<h1>Something went wrong.", answer.text)
    assert "ZeroDivisionError" in caplog.text
