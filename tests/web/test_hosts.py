"""Which names of the box are served, and which requests come from the box itself."""

import socket

import pytest
from flask import Flask

from companion import addresses
from companion.addresses import network_of, own_addresses
from tests.web.party import phone_of
from tests.web.tables import bidding, deps_for
from web.app import create_app
from web.hosts import Hosts, is_forwarded
from web.pages.join import addressed

pytestmark = pytest.mark.usefixtures("over_sockets")

SHORT = socket.gethostname().split(".")[0]
KNOWN = (
    *("localhost", "localhost:8000", "LOCALHOST", "localhost.", "127.0.0.1", "127.0.0.1:80", "127.0.0.2"),
    *("[::1]:8000", SHORT, f"{SHORT}.local", f"{SHORT.upper()}.local:8000", f"{SHORT}.home.arpa"),
    *(f"{SHORT}-2.local", f"{SHORT}-12.local:8000", "dudo.example", "203.0.113.7"),
)
UNKNOWN = (
    *("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"),
    *("notlocalhost", f"{SHORT}.evil.example", f"{SHORT}.com", f"{SHORT}-2.com", f"x{SHORT}-2.local"),
    *("203.0.113.8", "0.0.0.0", "0", "2130706433", "0x7f.1", "[::]", "224.0.0.1", "[2001:db8::1]"),
    "sub.dudo.example",
)
NO_NAMES = (
    *("", ":8000", "localhost:", "localhost:x", "[::1", "a b", "a/b", "a@b", "localhost\x00", "é"),
    "x" * 300,
)


@pytest.fixture
def hosts():
    return Hosts(("dudo.example", "203.0.113.7"), lambda: 1.0)


@pytest.mark.parametrize("host", KNOWN)
def test_names_of_the_box_are_known(hosts, host):
    assert hosts.knows(host)


@pytest.mark.parametrize("host", [*UNKNOWN, *NO_NAMES])
def test_other_names_are_not(hosts, host):
    assert not hosts.knows(host)


def test_every_address_of_this_machine_is_known(hosts):
    assert [one for one in own_addresses() if not hosts.knows(f"{one}:8000")] == []


def test_an_address_that_comes_later_is_known_soon(monkeypatch):
    now = [0.0]
    hosts, own = Hosts((), lambda: now[0]), set[str]()
    monkeypatch.setattr("web.hosts.is_here", own.__contains__)
    assert not hosts.knows("10.0.0.9")
    own.add("10.0.0.9")
    now[0] = 60.0
    assert hosts.knows("10.0.0.9")


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/state", "/preview.jpg", "/static/app.css", "/nowhere", "/api/v1/phone"]
)
@pytest.mark.parametrize("host", ["evil.example:8000", "203.0.113.8", ""])
def test_a_page_that_calls_itself_the_box_is_served_nothing(client, table, path, host):
    """DNS rebinding: a foreign name that resolves to this machine."""
    bidding(table)
    answer = client.get(path, headers={"Host": host})
    assert (answer.status_code, answer.json["reason"]) == (421, "unknown_host")
    assert "Ana" not in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_person_gets_the_sentence_as_a_page(client):
    answer = client.get("/", headers={"Host": "evil.example", "Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (421, "text/html")
    assert "web.hosts" in answer.text
    assert 'href="http://192.168.1.20:8000/"' in answer.text, "the first of the box's addresses"


@pytest.mark.parametrize(
    ("address", "port", "link"),
    [
        ("10.0.0.7", 8000, "http://10.0.0.7:8000/"),
        ("10.0.0.7", 80, "http://10.0.0.7/"),
        ("fd00::7", 8000, "http://[fd00::7]:8000/"),
    ],
)
def test_links_to_the_box_are_those_of_its_other_pages(table, address, port, link):
    assert addressed(deps_for(table, port=port, addresses=lambda: (address,))) == [link]


@pytest.mark.parametrize(
    ("known", "name", "why"),
    [
        ({f"{SHORT}.local": {"192.168.1.5"}}, f"{SHORT}.local", "the name is the machine's own"),
        (
            {f"{SHORT}.local": {"192.168.1.9"}, f"{SHORT}-2.local": {"192.168.1.5"}},
            f"{SHORT}-2.local",
            "avahi",
        ),
        ({}, f"{SHORT}.local", "nobody answers names here"),
        (
            {f"{SHORT}.local": {"192.168.1.9"}},
            f"{SHORT}.local",
            "another machine's, and no other name is known",
        ),
    ],
)
def test_the_name_that_is_shown_leads_here(known, name, why, monkeypatch):
    monkeypatch.setattr(addresses, "own_addresses", lambda: ("192.168.1.5",))
    monkeypatch.setattr(addresses, "_resolved", lambda asked: known.get(asked, set()))
    assert addresses.name_in_network() == name, why


@pytest.mark.parametrize("path", ["/", "/api/v1/state", "/pictures/shot1.jpg", "/static/app.css", "/nowhere"])
def test_nothing_may_be_embedded_or_opened_by_other_sites(client, table, path):
    bidding(table)
    with client.get(path) as answer:
        headers = answer.headers
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


# ---- the box itself --------------------------------------------------------------------------------------

BROWSER = {"Host": "localhost:8000", "User-Agent": "x", "Accept": "*/*"}


@pytest.mark.parametrize(
    ("more", "protocol", "forwarded"),
    [
        ({}, "HTTP/1.1", False),
        ({"Origin": "http://localhost:8000", "Referer": "http://127.0.0.1:8000/me"}, "HTTP/1.1", False),
        ({}, "HTTP/1.0", True),
        ({"Referer": "http://dudo.example/"}, "HTTP/1.1", True),
        ({"Origin": "null"}, "HTTP/1.1", True),
        ({"x-forwarded-host": "10.1.2.3"}, "HTTP/1.1", True),
        ({"CF-Ray": "1"}, "HTTP/1.1", True),
        ({"X-Forwarded": "1"}, "HTTP/1.1", True),
    ],
)
def test_a_sign_of_a_server_in_between(more, protocol, forwarded):
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in {**BROWSER, **more}.items()}
    assert is_forwarded({**headers, "SERVER_PROTOCOL": protocol}) is forwarded


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7/32"),
        ("::ffff:192.168.1.7", "192.168.1.7/32"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix", "unix"),
        ("", ""),
    ],
)
def test_an_address_is_counted_by_its_phone(address, network):
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("address", "host", "role"),
    [
        ("127.0.0.1", "localhost", "host"),
        ("127.0.0.1", "127.0.0.1:8000", "host"),
        ("::1", "[::1]", "host"),
        ("::ffff:127.0.0.1", "localhost", "host"),
        ("127.0.0.1", "127.0.0.2", "watcher"),
        ("127.0.0.1", SHORT, "watcher"),
        ("10.0.0.7", "localhost", "watcher"),
        ("", "localhost", "watcher"),
    ],
)
def test_a_browser_on_the_box_comes_over_the_loopback_and_calls_the_box_by_it(table, address, host, role):
    phone = phone_of(create_app(deps_for(table)), address)
    assert phone.get("/api/v1/phone", headers={"Host": host}).json["role"] == role


def test_a_name_of_the_settings_is_served(table):
    page: Flask = create_app(deps_for(table, hosts="Dudo.Example"))
    assert page.test_client().get("/", headers={"Host": "dudo.example"}).status_code == 200
