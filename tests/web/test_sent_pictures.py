"""`POST /api/v1/pictures`: who may send, how much and how often, and what is refused before anybody reads;
and which cups phones are to take pictures of."""

import io
import socket
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from companion.errors import BadCommand, StaleCommand
from companion.reveal.viewfinder import Hint, Spot, Viewed
from tests.web.party import ask, phone_of, way_in
from tests.web.serving import port_of, served
from tests.web.shots import Shots
from tests.web.tables import deps_for, looking
from web.app import create_app
from web.connections import LARGEST_BODY_BYTES
from web.pages.phone_camera import PHONES, missing, wanted
from web.sent_pictures import LARGEST_PICTURE_BYTES, PATH, PREVIEWS
from web.sessions.access import Phone

Taken = list[tuple[int, str, int, str | None]]


class Box(Shots):
    """What takes pictures: remembers the size of each, whose it was and of what."""

    def __init__(self) -> None:
        super().__init__(lambda _: None, b"")
        self.taken: Taken = []
        self.laid: list[int] = []
        self.previews: list[tuple[int, str, int, str | None]] = []
        self.busy = False
        self.error: Exception | None = None

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        if self.error:
            raise self.error
        self.taken.append((len(data), name, reveal, place))
        return place or "phone"

    def view(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        self.previews.append((len(data), name, reveal, place))
        return None if self.busy else Viewed((Spot(0.25, 0.5, 0.05),), 6, Hint.MISSING)

    def lay(self, data: bytes) -> None:
        self.laid.append(len(data))


@pytest.fixture
def box():
    return Box()


@pytest.fixture
def home(table, box, clock):
    return create_app(deps_for(table, now_s=lambda: clock[0], secret="a secret", pictures=box))


@pytest.fixture
def host(host, table):
    ask(host, lead=True)
    looking(table)
    return host


def send(phone: FlaskClient, data: bytes = b"a picture", path: str = PATH, **form: str) -> Any:
    values = {"picture": (io.BytesIO(data), "dice.jpg"), "reveal": "1", **form}
    return phone.post(path, data=values, content_type="multipart/form-data")


def test_a_phone_that_was_let_in_takes_a_picture(home, host, box):
    player = phone_of(home)
    player.get(way_in(host))
    ask(player, seat="Ana")
    assert send(player).json["place"] == "phone"
    assert send(host, b"another", reveal="7", place="Bea").json["place"] == "Bea"
    assert box.taken == [(9, "Ana", 1, None), (7, "", 7, "Bea")]


def test_the_host_takes_a_picture_for_the_pages_that_teach(home, host, box, table, clock):
    player = phone_of(home)
    player.get(way_in(host))
    ask(player, seat="Ana")
    refused = [send(one, use="workshop").json["reason"] for one in (player, host)]
    assert refused == ["leader_only", "own_camera"]
    table.camera = PHONES
    clock[0] += 1.0
    assert send(host, use="workshop").json["place"] == ""
    assert send(phone_of(home), use="workshop").status_code == 403
    clock[0] += 1.0
    assert send(host, use="table").json["reason"] == "bad_request"
    assert (box.taken, box.laid) == ([], [9])


def file() -> tuple[io.BytesIO, str]:
    """A file as a form has it, which can be sent once."""
    return io.BytesIO(b"x"), "x.jpg"


@pytest.mark.parametrize(
    ("why", "status", "body"),
    [
        ("not_multipart", 415, lambda: {"json": {"reveal": 1}}),
        ("not_multipart", 415, lambda: {"data": b"\xff\xd8", "content_type": "image/jpeg"}),
        ("no_picture_sent", 400, lambda: {"data": {"reveal": "1", "more": file()}}),
        ("bad_request", 400, lambda: {"data": {"picture": file()}}),
        ("bad_request", 400, lambda: {"data": {"reveal": "-1", "picture": file()}}),
        ("bad_request", 400, lambda: {"data": {"reveal": "1" * 20, "picture": file()}}),
        ("bad_request", 400, lambda: {"data": {"reveal": "1", "place": "a" * 201, "picture": file()}}),
        ("bad_request", 400, lambda: {"data": {f"more{n}": "1" for n in range(9)} | {"picture": file()}}),
    ],
)
def test_what_is_no_picture_of_a_reveal_is_refused_in_words(host, box, why, status, body):
    answer = host.post(PATH, **body())
    assert (answer.status_code, answer.json["reason"]) == (status, why)
    assert answer.json["title"].endswith(".")
    assert box.taken == []


@pytest.mark.parametrize(
    ("error", "status"),
    [(BadCommand("picture_heic"), 422), (StaleCommand("picture_too_late"), 409)],
    ids=lambda value: str(getattr(value, "reason", value)),
)
def test_what_the_box_refuses_is_reported(host, box, error, status):
    box.error = error
    answer = send(host)
    assert (answer.status_code, answer.json["reason"]) == (status, error.reason)


def test_a_phone_sends_one_picture_a_second(home, host, box, clock):
    other = phone_of(home)
    other.get(way_in(host))
    assert [send(phone).status_code for phone in (host, other)] == [200, 200]
    refused = send(host)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1"), "the page sends it again"
    clock[0] += 1.0
    assert send(host).status_code == 200
    assert len(box.taken) == 3


def test_a_preview_tells_where_dice_lie_and_no_face(home, host, box):
    answer = send(host, path=PREVIEWS, reveal="7", place="Bea")
    dice = [{"x": 0.25, "y": 0.5, "size": 0.05}]
    assert answer.json == {"dice": dice, "expected": 6, "hint": "missing"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert send(host).status_code == 200, "a picture does not wait for the second of previews"
    assert send(host, path=PREVIEWS).json["reason"] == "picture_too_soon"
    assert (box.previews, len(box.taken)) == ([(9, "", 7, "Bea")], 1)


def test_previews_are_for_phones_that_were_let_in_and_small(home, host, box, clock):
    assert send(phone_of(home), path=PREVIEWS).json["reason"] == "pictures"
    assert send(host, b"x" * 120_000, path=PREVIEWS).json["reason"] == "picture_large"
    assert box.previews == []
    clock[0] += 1.0
    box.busy = True
    answer = send(host, path=PREVIEWS)
    assert (answer.status_code, answer.json["reason"]) == (503, "pictures_busy")


# ---- over a real socket ----------------------------------------------------------------------------------


@pytest.fixture
def port(home):
    with served(home, "0.0.0.0", threads=12) as address:
        yield port_of(address)


HEAD = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n{more}\r\n"
)
KIND = "multipart/form-data; boundary=b"


def status(port: int, path: str, body: bytes, cookie: str = "") -> int:
    """What a phone in the network is answered; its address is none of the box itself."""
    more = f"Cookie: {cookie}\r\n" if cookie else ""
    head = HEAD.format(path=path, kind=KIND, size=len(body), more=more)
    with socket.create_connection((_address(), port), 20) as one:
        with suppress(ConnectionError):  # refused while it was still talking
            one.sendall(head.encode() + body)
        return int(one.recv(4096).split()[1])


def _address() -> str:
    """An address of this machine that is not its own loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine is in no network")
        found = str(asked.getsockname()[0])
    if found.startswith("127."):
        pytest.skip("this machine is in no network")
    return found


def form(size: int) -> bytes:
    picture = FileStorage(io.BytesIO(b"x" * size), "x.jpg")
    return encode_multipart({"picture": picture, "reveal": "1"}, boundary="b")[1]


def cookie_of(phone: FlaskClient) -> str:
    found = phone.get_cookie("phone")
    assert found is not None
    return f"phone={found.value}"


@pytest.mark.slow
def test_a_large_body_is_taken_of_phones_that_were_let_in_alone(port, home, host, box):
    large = form(LARGEST_BODY_BYTES + 1)
    stranger = phone_of(home)
    stranger.get("/")
    assert status(port, PATH, large) == 413
    assert status(port, PATH, large, cookie_of(stranger)) == 413
    assert status(port, PATH, large, "phone=forged") == 413
    assert status(port, "/api/v1/commands", large, cookie_of(host)) == 413
    assert status(port, PATH, form(LARGEST_PICTURE_BYTES + 20_000), cookie_of(host)) == 413
    assert box.taken == []
    assert status(port, PATH, large, cookie_of(host)) == 200
    assert [size for size, *_ in box.taken] == [LARGEST_BODY_BYTES + 1]


@pytest.mark.slow
def test_bodies_that_stall_keep_no_picture_out(port, home, host, box):
    """One of each phone is held, and none of the same phone's once it sends again."""
    cookie = cookie_of(host)
    head = HEAD.format(path=PATH, kind=KIND, size=LARGEST_PICTURE_BYTES, more=f"Cookie: {cookie}\r\n")
    with ExitStack() as held:
        for _ in range(12):
            one = held.enter_context(socket.create_connection((_address(), port), 20))
            one.sendall(head.encode() + b"--b")
        assert status(port, PATH, form(LARGEST_BODY_BYTES + 1), cookie) == 200
    assert [size for size, *_ in box.taken] == [LARGEST_BODY_BYTES + 1]


def reveal(shown: dict[str, int], asked: str = "") -> Any:
    """A reveal of two cups with two dice each, so many of them `shown`; one question about a player's cup."""
    dice = [
        {"id": f"{name}{n}", "owner": name, "face": 3, "counted": True, "certain": True}
        for name, number in shown.items()
        for n in range(number)
    ]
    questions = [{"player": asked, "die": None}] if asked else []
    found = {"cups": [("Ana", 2), ("Bea", 2)], "dice": dice, "places": [], "questions": questions}
    return {
        "reveal": {**found, "settled": False},
        "box": {"camera": PHONES, "pictures": True},
        "verdict": None,
    }


@pytest.mark.parametrize(
    ("shown", "asked", "left", "ana_takes", "why"),
    [
        ({}, "", ["Ana", "Bea"], ["Ana"], "nothing was shown"),
        ({"Ana": 1}, "", ["Ana", "Bea"], ["Ana"], "a picture without all dice of the cup shows it in part"),
        ({"Ana": 1}, "Ana", ["Ana", "Bea"], [], "she is asked for what is missing"),
        ({"Ana": 1}, "Bea", ["Ana", "Bea"], ["Ana"], "Bea is asked, by her own phone"),
        ({"Ana": 2}, "", ["Bea"], [], "Bea's phone takes hers"),
    ],
)
def test_a_cup_is_missing_until_all_its_dice_are_shown(shown, asked, left, ana_takes, why):
    data = reveal(shown, asked)
    assert [cup.player for cup in missing(data)] == left, why
    phone = Phone("phone", led=True, joined=True, seat="Ana")
    assert [cup.player for cup in wanted(data, phone, {"Ana", "Bea"})] == ana_takes, why


@pytest.mark.parametrize(
    ("seat", "seated", "takes", "why"),
    [
        ("Bea", {"Bea"}, ["Bea", "Ana"], "her own first, and Ana's as well: Ana has no phone"),
        ("Bea", {"Ana", "Bea"}, ["Bea"], "Ana's phone takes Ana's"),
        (None, {"Bea"}, ["Ana"], "a phone without a player takes those of players without a phone"),
        (None, set(), ["Ana", "Bea"], "in the order of lifting"),
    ],
)
def test_any_phone_takes_the_dice_of_who_has_none(seat, seated, takes, why):
    phone = Phone("phone", led=True, joined=True, seat=seat)
    assert [cup.player for cup in wanted(reveal({}), phone, seated)] == takes, why
