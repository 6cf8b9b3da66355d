"""Who is the box itself, and which pages may write, asked of the real server and through one in between."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask, request

from companion.addresses import own_addresses
from tests.web.forwarder import Forwarder, forwarded
from tests.web.serving import port_of, served
from tests.web.tables import bidding, deps_for
from web.app import create_app


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def asked(
    port: int, path: str, headers: dict[str, str] | None = None, method: str = "GET", host: str = "localhost"
) -> Answer:
    """What whoever listens at the port answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": f"{host}:{port}", **(headers or {})}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found = Answer(answer.status, answer.read())
    connection.close()
    return found


def role(port: int, headers: dict[str, str] | None = None, host: str = "localhost") -> str:
    """What a phone without a cookie is to the page."""
    return str(asked(port, "/api/v1/phone", headers, host=host).json["role"])


@pytest.fixture
def port(table):
    """The real server of a table at which a game goes on."""
    bidding(table)
    with served(create_app(deps_for(table))) as address:
        yield port_of(address)


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
    with served(page) as address:
        for name in (*SIGNS, *READ):
            answer = asked(port_of(address), "/echo", {name: "for=10.1.2.3"})
            heard = {key.lower(): value for key, value in answer.json.items()}
            assert heard.get(name.lower()) == "for=10.1.2.3", name


# ---- the box itself --------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_browser_on_the_box_leads(port, host):
    assert role(port, host=host) == "host"


def test_any_sign_of_a_server_in_between_makes_a_stranger(port):
    assert {name: role(port, {name: "10.1.2.3"}) for name in SIGNS} == dict.fromkeys(SIGNS, "watcher")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(Forwarder(protocol="HTTP/1.0"), id="nginx, nothing set"),
        pytest.param(
            Forwarder({"X-Real-IP": "10.1.2.3", "X-Forwarded-For": "10.1.2.3"}), id="nginx, as guides have it"
        ),
        pytest.param(Forwarder({"X-Forwarded-For": "10.1.2.3"}), id="HAProxy, option forwardfor"),
        pytest.param(
            Forwarder({"X-Forwarded-For": "10.1.2.3", "X-Forwarded-Proto": "https", "Via": "1.1 Caddy"}),
            id="Caddy",
        ),
        pytest.param(
            Forwarder({"X-Forwarded-For": "10.1.2.3", "X-Forwarded-Host": "x", "X-Forwarded-Server": "x"}),
            id="Apache",
        ),
        pytest.param(Forwarder({"Forwarded": "for=10.1.2.3;proto=https"}), id="RFC 7239"),
    ],
)
def test_who_comes_through_a_server_on_the_box_is_a_stranger(port, how):
    with forwarded(port, how) as outside:
        assert role(outside, host="dudo.example") == "watcher"
        answer = asked(outside, "/preview.jpg", host="dudo.example")
    assert answer.status == 403


def test_through_one_that_leaves_no_sign_the_settings_know(table):
    page = create_app(deps_for(table, local_leads=False))
    with served(page) as address, forwarded(port_of(address), Forwarder()) as outside:
        assert role(outside, host="dudo.example") == "watcher"


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
def test_another_site_writes_nothing(port, path, headers, why):
    answer = asked(port, path, {"Content-Length": "0", **headers}, "POST")
    assert (answer.status, answer.json["reason"]) == (403, "foreign_page"), why


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
    before = table.snapshot().version
    with served(page) as address:
        for path in _readable(page):
            asked(port_of(address), path)
    assert (done, table.snapshot().version) == ([], before)


def _readable(page: Flask) -> Iterator[str]:
    """Every path that is read, with something for each of its parts."""
    for rule in page.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/v1/updates"):
            yield rule.rule.replace("<path:", "<").translate(str.maketrans("<>:", "aaa"))
