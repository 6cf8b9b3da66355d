"""Who is the box itself, and which pages may write, asked of the real server."""

import http.client
import json
from collections.abc import Iterator

import pytest
from flask import Flask, request

from companion.addresses import own_addresses
from tests.web.party import role
from tests.web.serving import port_of, served
from tests.web.tables import bidding, deps_for
from web.app import create_app

pytestmark = pytest.mark.usefixtures("over_sockets")


@pytest.fixture
def here(table):
    """A browser on the box that keeps no cookies, at a table at which a game goes on."""
    bidding(table)
    return create_app(deps_for(table)).test_client(use_cookies=False)


# ---- from the socket to the application ------------------------------------------------------------------


SIGNS = (
    *("Forwarded", "Via", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP"),
    *("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-By"),
    *("X-Forwarded-Server", "X-Original-Host", "CF-Connecting-IP", "X-Envoy-Internal", "X-ProxyUser-Ip"),
)
READ = ("Origin", "Referer", "Sec-Fetch-Site", "Cookie", "Accept-Language", "If-None-Match", "User-Agent")
"""Headers by which the page decides."""


def test_the_application_hears_what_was_sent(table):
    page = create_app(deps_for(table))
    page.add_url_rule("/echo", view_func=lambda: dict(request.headers))
    client = page.test_client(use_cookies=False)
    for name in (*SIGNS, *READ):
        answer = client.get("/echo", headers={name: "for=10.1.2.3"})
        heard = {key.lower(): value for key, value in answer.json.items()}
        assert heard.get(name.lower()) == "for=10.1.2.3", name


# ---- the box itself --------------------------------------------------------------------------------------


def test_any_sign_of_a_server_in_between_makes_a_stranger(here):
    assert role(here) == "host"
    roles = {name: here.get("/api/v1/phone", headers={name: "10.1.2.3"}).json["role"] for name in SIGNS}
    assert roles == dict.fromkeys(SIGNS, "watcher")


def test_where_a_server_in_between_leaves_no_sign_the_settings_know(table):
    assert role(create_app(deps_for(table, local_leads=False)).test_client()) == "watcher"


def test_what_comes_to_another_address_of_the_machine_is_no_browser_on_it(table):
    own = next((one for one in own_addresses() if ":" not in one and not one.startswith("127.")), None)
    if own is None:
        pytest.skip("this machine has no address but the loopback's")
    with served(create_app(deps_for(table)), "0.0.0.0") as address:
        connection = http.client.HTTPConnection(own, port_of(address), timeout=10)
        connection.request("GET", "/api/v1/phone", headers={"Host": "localhost"})
        assert json.loads(connection.getresponse().read())["role"] == "watcher"
        connection.close()


# ---- pages of other sites --------------------------------------------------------------------------------


FOREIGN = (
    ({"Origin": "http://evil.example"}, "what every browser sends with a form"),
    ({"Origin": "null"}, "a page in a frame without an origin"),
    ({"Sec-Fetch-Site": "cross-site"}, "over https"),
    ({"Sec-Fetch-Site": "same-site"}, "another port of this machine"),
    ({"Referer": "http://evil.example/"}, "where nothing else is sent"),
)


@pytest.mark.parametrize(("headers", "why"), FOREIGN)
@pytest.mark.parametrize("path", ["/demo", "/api/v1/commands", "/preferences", "/api/v1/box/press"])
def test_another_site_writes_nothing(here, path, headers, why):
    answer = here.post(path, headers=headers)
    assert (answer.status_code, answer.json["reason"]) == (403, "foreign_page"), why


def test_a_read_changes_nothing(table):
    """Any page may have a browser read: an address in a picture is enough, and no header says so."""
    done: list[str] = []
    bidding(table)
    page = create_app(
        deps_for(
            table,
            demonstrate=lambda: done.append("demonstrate") or 1,  # type: ignore[func-returns-value]
        )
    )
    before, here = table.snapshot().version, page.test_client(use_cookies=False)
    for path in _readable(page):
        here.get(path)
    assert (done, table.snapshot().version) == ([], before)


def _readable(page: Flask) -> Iterator[str]:
    """Every path that is read, with something for each of its parts."""
    for rule in page.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/v1/updates"):
            yield rule.rule.replace("<path:", "<").translate(str.maketrans("<>:", "aaa"))
