"""Phones that see the same get one answer, made once: byte for byte what the application answers each."""

import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from companion.errors import StorageError
from tests.web.party import NAMES, Party, come, phone_of, send, sit
from tests.web.serving import port_of, served
from tests.web.tables import BoxedTable, bidding, deps_for
from web.app import create_app
from web.connections import KINDS, PageTask
from web.deps import Demonstrated

OLD = 1
"""A version that is not the present one."""


NAMED = rb"(?:phone|demonstration)=[^;]*"
"""The cookie of a phone. A new one has a random name."""


class Wire:
    """A connection of the server without sockets: what it writes, and how often the application is asked."""

    def __init__(self, app: Any) -> None:
        self.server = SimpleNamespace(
            sent={}, kind_of=app.extensions["kind_of"], effective_port=80, server_name="box"
        )
        self.adj = self.server.adj = Adjustments(ident=None)
        self.server.application, self._app, self.asked = self._application, app, 0
        self.addr, self.connected = ("192.168.1.50", 5000), True
        self.check_client_disconnected = lambda: False
        self.written = b""

    def _application(self, environ: Any, start_response: Any) -> Any:
        self.asked += 1
        return self._app(environ, start_response)

    def write_soon(self, data: bytes) -> None:
        self.written += data

    def answer(self, request: bytes, address: str = "192.168.1.50") -> tuple[bytes, bool]:
        """The answer without dates and a random name, and whether the connection ends."""
        self.written, self.addr = b"", (address, 5000)
        parsed = HTTPRequestParser(self.adj)
        assert parsed.received(request) == len(request)
        assert parsed.completed
        parsed.url_scheme = "https" if b"\r\nOrigin: https:" in request else "http"
        task = PageTask(self, parsed)
        task.service()
        changing = rb"Date: [^\r]*|Expires=[^;]*"
        if not re.search(NAMED, request):
            changing += rb"|" + NAMED
        return re.sub(changing, b"", self.written), task.close_on_finish

    def alone(self, request: bytes, address: str = "192.168.1.50") -> tuple[bytes, bool]:
        """What the application answers."""
        kept, self.server.kind_of = self.server.kind_of, lambda _: None
        try:
            return self.answer(request, address)
        finally:
            self.server.kind_of = kept


def asks(phone: FlaskClient | None, path: str = f"/fragment/table?after={OLD}", **headers: str) -> bytes:
    """The request of a phone; an underscore in a header's name stands for its hyphen."""
    line, version = headers.pop("line", "GET"), headers.pop("version", "1.1")
    said = {"Host": "localhost", "Accept-Language": "en", "Accept-Encoding": "gzip"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    names = ("phone", "demonstration") if phone else ()
    known = [found for name in names if phone and (found := phone.get_cookie(name))]
    cookies = [said.pop("Cookie", ""), *(f"{one.key}={one.value}" for one in known)]
    said |= {"Cookie": "; ".join(filter(None, cookies))} if any(cookies) else {}
    lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    return f"{line} {path} HTTP/{version}\r\n{lines}\r\n".encode()


def here(phone: FlaskClient) -> FlaskClient:
    """The phone, once it has the page and the cookie that belongs to it."""
    phone.get("/", base_url="https://localhost")
    return phone


# ---- who asks, and how ---------------------------------------------------------------------------------

HOW: Mapping[str, Mapping[str, str]] = {
    "as most do": {},
    "another language": {"Accept_Language": "es-PE,es;q=0.9"},
    "the same language in other words": {"Accept_Language": "en-GB"},
    "a language that the box has not": {"Accept_Language": "xx"},
    "a language that was chosen": {"Cookie": "lang=de"},
    "a language chosen that the box has not": {"Cookie": "lang=xx"},
    "with odds": {"Cookie": "coach=on"},
    "in the dark": {"Cookie": "theme=dark"},
    "unpacked": {"Accept_Encoding": "identity"},
    "no gzip": {"Accept_Encoding": "gzip;q=0, br"},
    "a connection that ends": {"Connection": "close"},
    "an old protocol": {"version": "1.0"},
    "an old protocol that stays": {"version": "1.0", "Connection": "keep-alive"},
    "by a server in between": {"Via": "1.1 between"},
    "a name of another": {"Host": "evil.example"},
    "another name of the box": {"Host": "127.0.0.1:8000"},
    "a page that is opened": {"Sec_Fetch_Mode": "navigate"},
    "by a page of another": {"Origin": "http://evil.example", "Sec_Fetch_Site": "cross-site"},
    "with what it had": {"If_None_Match": '"abc"', "If_Modified_Since": "Sat, 28 Nov 2026 20:00:00 GMT"},
    "the head alone": {"line": "HEAD"},
    "a wrong method": {"line": "POST", "Content_Length": "0"},
}
PATHS = (
    *(f"/fragment/{view}?after={OLD}" for view in ("table", "setup", "history", "rules", "me", "board")),
    *(f"/fragment/table{query}" for query in ("", "?after=", f"?after={OLD}&quick=1", "?after=x")),
    *(f"/fragment/elsewhere?after={OLD}", f"/api/v1/state?after={OLD}", f"/?after={OLD}"),
)


@pytest.fixture
def house(party):
    """Phones of all kinds at one table, in the order in which they ask. One has no cookie yet, and one has
    the cookie of before it was let in."""
    strangers = [party.phone(), here(party.phone()), here(party.phone())]
    guests = [here(party.guest()), here(party.guest()), party.guest()]
    return [*strangers, *guests, *party.phones.values(), party.host]


def same(wire: Wire, table: BoxedTable, requests: list[bytes], *addresses: str) -> None:
    """Each is answered as the application alone would, the first time and when others were answered. Where
    asking is itself a change, as by a phone that was silent, the next answer counts."""
    for address in addresses * 2 or ("192.168.1.50", "192.168.1.50"):
        for request in requests:
            version = table.snapshot().version
            answers = wire.answer(request, address), wire.alone(request, address)
            if table.snapshot().version != version:
                answers = wire.answer(request, address), wire.alone(request, address)
            assert answers[0] == answers[1], request


@pytest.mark.parametrize("how", HOW.values(), ids=list(HOW))
def test_every_phone_gets_its_own_answer_however_it_asks(party, house, how):
    wire = Wire(party.page)
    same(wire, party.table, [asks(phone, **more) for more in ({}, how) for phone in house])


@pytest.mark.parametrize("path", PATHS)
def test_every_phone_gets_its_own_answer_whatever_it_asks(party, house, path):
    wire = Wire(party.page)
    same(wire, party.table, [asks(phone, path) for phone in house])


@pytest.mark.parametrize(
    "house_rule",
    [{}, {"open_scoreboard": False}, {"https": True}, {"demonstration": Demonstrated(None, lambda: None)}],
    ids=["open", "closed", "https", "demonstration"],
)
def test_every_phone_gets_its_own_answer_in_every_house(table, house_rule):
    bidding(table)
    page = create_app(deps_for(table, secret="one secret", **house_rule))
    strangers = [here(phone_of(page)), here(phone_of(page)), None]
    ways = [
        {"Host": name, "Via": "phone", "Origin": f"{scheme}://{name}", "Sec-Fetch-Mode": mode}
        for name in ("localhost", "127.0.0.1")
        for scheme in ("http", "https")
        for mode in ("cors", "navigate")
    ]
    asked = [asks(stranger, **way) for way in ways for stranger in strangers]
    same(Wire(page), table, asked, "192.168.1.50", "127.0.0.1")


def test_phones_that_see_the_same_cost_one_answer(party):
    """Whoever has a seat shares with nobody."""
    wire = Wire(party.page)
    guests = [here(party.guest()) for _ in range(4)]
    answers = [wire.answer(asks(guest, Accept_Language=f"en, fr;q=0.{n}")) for n, guest in enumerate(guests)]
    assert wire.asked == 1
    assert len(set(answers)) == 1
    for phone in party.phones.values():
        wire.answer(asks(phone))
        wire.answer(asks(phone))
    assert wire.asked == 1 + 2 * len(NAMES)


# ---- what changes while phones wait --------------------------------------------------------------------

Change = Callable[[Party, FlaskClient], object]
CHANGES: Mapping[str, Change] = {
    "nothing": lambda party, one: party.table.refresh(),
    "a bid": lambda party, one: send(party.host, type="bid", by=turn(party), quantity=9, face=3),
    "it sits down": lambda party, one: (sit(party.phones["Ana"], None), sit(one, "Ana")),
    "it sits down and leaves": lambda party, one: (come(one, name="Dora"), sit(one, None)),
    "a seat is given up": lambda party, one: sit(party.phones["Bea"], None),
    "a seat is freed": lambda party, one: party.host.post("/api/v1/phone", json={"free": "Bea"}),
    "it asks to lead": lambda party, one: one.post("/api/v1/phone", json={"lead": True}),
    "it leads": lambda party, one: (one.post("/api/v1/phone", json={"lead": True}), party.table.hold_two()),
    "nobody leads": lambda party, one: party.host.post("/api/v1/phone", json={"lead": False}),
    "all join anew": lambda party, one: party.host.post("/api/v1/phone", json={"anew": True}),
    "it wants to come": lambda party, one: come(one, name="Dora"),
    "the game is put away": lambda party, one: party.clear(),
    "it waits for the next game": lambda party, one: (
        party.clear(),
        come(one, name="Dora"),
    ),
    "bots are to play": lambda party, one: (
        party.clear(),
        party.host.post("/api/v1/phone", json={"bots": ["Bot"]}),
    ),
    "a call": lambda party, one: party.judged(9, 3),
    "somebody laughs": lambda party, one: (
        party.judged(9, 3),
        party.phones["Ana"].post("/api/v1/phone", json={"react": "laugh"}),
    ),
    "all fall silent": lambda party, one: (setattr(party, "now_s", party.now_s + 100), party.table.refresh()),
    "another evening": lambda party, one: (
        setattr(party, "now_s", party.now_s + 20_000),
        party.table.refresh(),
    ),
}


def turn(party: Party) -> str:
    game = party.table.snapshot().data["game"]
    return game["round"]["turn"] if game else ""


def all_phones(party: Party, guests: list[FlaskClient]) -> list[FlaskClient]:
    return [*guests, *party.phones.values(), party.host]


def waiting(party: Party, phones: list[FlaskClient], *, views: tuple[str, ...]) -> list[bytes]:
    """What these phones ask and wait for, with the cookies that they have by then."""
    version = party.table.snapshot().version
    return [asks(phone, f"/fragment/{view}?after={version}") for view in views for phone in phones]


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_phone_that_changed_while_it_waited_gets_what_it_is_now(party, change):
    wire = Wire(party.page)
    guests = [here(phone) for phone in (party.guest(), party.guest(), party.phone())]
    asked = waiting(party, all_phones(party, guests), views=("table", "me"))
    same(wire, party.table, asked)
    change(party, guests[0])
    same(wire, party.table, asked)
    with suppress(AssertionError):  # once was all there is
        change(party, guests[1])
    same(wire, party.table, asked + waiting(party, all_phones(party, guests), views=("table", "me")))


@settings(max_examples=12)
@given(steps=st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 5)), max_size=6))
def test_whatever_people_do_each_phone_gets_what_it_is_now(tmp_path_factory, steps):
    party = Party(tmp_path_factory.mktemp("party"))
    guests = [here(party.guest()), here(party.guest())]
    wire, phones = Wire(party.page), all_phones(party, guests)
    for name, number in steps:
        asked = waiting(party, phones, views=("table",))
        with suppress(AssertionError):  # it was not the moment for that
            CHANGES[name](party, phones[number])
        same(wire, party.table, asked)
    party.close()


def test_a_cookie_of_another_key_is_answered_by_the_application(party):
    wire, guest = Wire(party.page), here(party.guest())
    mine = asks(guest)
    wire.answer(mine)
    other = Wire(create_app(deps_for(party.table, secret="another secret")))
    other.server.sent = wire.server.sent
    other.answer(mine)
    assert (other.asked, b"Set-Cookie" in other.written) == (1, True)


@pytest.mark.parametrize("change", ["it leads", "it sits down", "nothing"])
def test_what_changes_while_a_phone_is_answered_is_shared_with_nobody(party, change):
    """Else others would be told what only that phone may know."""
    wire, guest = Wire(party.page), here(party.guest())
    party.host.post("/api/v1/phone", json={"lead": False})
    inner = wire.server.application

    def application(environ: Any, start_response: Any) -> Any:
        CHANGES[change](party, guest)
        return inner(environ, start_response)

    wire.server.application = application
    wire.answer(asks(guest))
    assert wire.server.sent == {}


def test_what_fails_is_kept_for_nobody(party, monkeypatch):
    wire, guest = Wire(party.page), here(party.guest())
    monkeypatch.setitem(party.page.view_functions, "pages.fragment", lambda view: 1 / 0)
    for _ in range(2):
        assert wire.answer(asks(guest))[0].startswith(b"HTTP/1.1 500")
    assert (wire.asked, wire.server.sent) == (2, {})


def test_where_the_box_cannot_write_the_application_says_so(party, monkeypatch):
    wire, guest = Wire(party.page), here(party.guest())

    def fails(*_: object) -> None:
        raise StorageError("disk_full")

    monkeypatch.setattr("web.sessions.seats.Seats.phone", fails)
    assert wire.answer(asks(guest)) == wire.alone(asks(guest))
    assert wire.written.startswith(b"HTTP/1.1 503")


def test_few_answers_are_kept_and_none_of_an_older_version(party):
    """However many ways to ask there are."""
    wire, guest = Wire(party.page), here(party.guest())
    for number in range(2 * KINDS):
        wire.answer(asks(guest, Accept_Encoding=f"gzip;q=0.{number + 1}"))
    assert len(wire.server.sent) == KINDS + 1
    party.table.refresh()
    wire.answer(asks(guest))
    assert len(wire.server.sent) == 1


# ---- over sockets --------------------------------------------------------------------------------------


@contextmanager
def connected(port: int) -> Iterator[Any]:
    with socket.create_connection(("127.0.0.1", port), 10) as one, one.makefile("rb") as read:
        yield SimpleNamespace(ask=one.sendall, read=read)


def heard(line: Any) -> tuple[int, bytes]:
    """The version and the body of the next answer."""
    head: dict[bytes, bytes] = {}
    while (said := line.read.readline().strip()) or not head:
        name, _, value = said.partition(b": ")
        head[name] = value
    return int(head[b"X-Version"]), line.read.read(int(head[b"Content-Length"]))


def test_phones_that_wait_on_a_connection_that_stays_hear_of_each_change(table):
    app = create_app(deps_for(table, poll_s=20.0))
    version = bidding(table).version
    phones = [here(phone_of(app)) for _ in range(2)]
    with served(app) as address, connected(port_of(address)) as a, connected(port_of(address)) as b:
        for quantity in (6, 7, 8):
            for line, phone in zip((a, b), phones, strict=True):
                path = f"/fragment/table?after={version}"
                line.ask(asks(phone, path, Host="127.0.0.1", Via="phone"))
            turn_now = table.snapshot().data["game"]["round"]["turn"]
            table.say("bid", by=turn_now, quantity=quantity, face=3)
            answers = [heard(line) for line in (a, b)]
            version = table.snapshot().version
            assert answers[0] == answers[1]
            assert answers[0][0] == version
