"""Signed events by POST: verified as a receiver would, retried within bounds, never in the game's way."""

import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from companion.outside import webhook
from companion.outside.connection import OutsideFault
from companion.outside.topics import Message
from companion.outside.webhook import DELIVERY, SIGNATURE, TIMESTAMP, TRIES, Webhook, check_address, post
from tests.companion.outside.brokers import wait_until

SECRET = "a shared secret"


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret"
    path.write_text(f"{SECRET}\n")
    return str(path)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("companion.outside.connection.FIRST_S", 0.001)
    monkeypatch.setattr("companion.outside.connection.LONGEST_S", 0.002)


def event(number: int) -> Message:
    return Message("dudo/t/events", json.dumps({"event": "bid", "number": number, "by": "José"}))


class Receiver:
    """Notes what is sent, and refuses the first so many."""

    def __init__(self, refuses: int = 0) -> None:
        self.refuses = refuses
        self.got: list[tuple[bytes, Mapping[str, str]]] = []

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        self.got.append((body, headers))
        if len(self.got) <= self.refuses:
            raise OutsideFault("webhook_refused")

    @property
    def numbers(self) -> list[int]:
        return [json.loads(body)["number"] for body, _ in self.got]


@contextmanager
def hooked(receiver: Callable[..., None], secret: str, url: str = "http://127.0.0.1/x") -> Iterator[Webhook]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook, "post", receiver)
        patch.setattr(webhook.time, "time", lambda: 1_790_000_000.9)
        hook = Webhook(url, secret)
        try:
            yield hook
        finally:
            hook.close()


def genuine(body: bytes, headers: Mapping[str, str]) -> bool:
    """As docs/guide/outside.md tells a receiver."""
    code = hmac.new(SECRET.encode(), headers[TIMESTAMP].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={code}", headers[SIGNATURE])


def test_each_event_is_signed_and_in_order(secret):
    receiver = Receiver()
    with hooked(receiver, secret) as hook:
        hook.put(Message("dudo/t/state", "{}", retained=True))
        for number in range(5):
            hook.put(event(number))
        wait_until(lambda: len(receiver.got) == 5, "all are sent")
    assert receiver.numbers == [0, 1, 2, 3, 4]
    assert all(genuine(body, headers) for body, headers in receiver.got)
    body, headers = receiver.got[0]
    assert headers[TIMESTAMP] == "1790000000"
    assert not genuine(body + b" ", headers)
    assert not genuine(body, {**headers, TIMESTAMP: "1790000001"})
    assert len({headers[DELIVERY] for _, headers in receiver.got}) == 5


@pytest.mark.parametrize(
    ("refuses", "sent", "dropped", "why"),
    [
        (2, [1, 1, 1, 2], 0, "a receiver that is away or busy is asked again"),
        (TRIES, [1] * TRIES + [2], 1, "after so many attempts the next one has its turn"),
    ],
)
def test_refusals(secret, quick, refuses, sent, dropped, why):
    receiver = Receiver(refuses)
    with hooked(receiver, secret) as hook:
        hook.put(event(1))
        hook.put(event(2))
        wait_until(lambda: receiver.numbers[-1:] == [2], why)
        wait_until(lambda: hook.fault is None, "the last one was taken")
        assert hook.outbox.counts() == (0, dropped), why
    assert receiver.numbers == sent, why
    assert len({headers[DELIVERY] for _, headers in receiver.got}) == 2, "attempts of one event share an id"


@pytest.mark.parametrize(
    ("url", "file", "reason"),
    [
        ("ftp://club.example/", None, "webhook_address"),
        ("http://", None, "webhook_address"),
        ("http://[::1", None, "webhook_address"),
        ("club.example/dudo", None, "webhook_address"),
        ("file:///etc/passwd", None, "webhook_address"),
        ("http://127.0.0.1/x", "/nowhere", "webhook_secret"),
        ("http://127.0.0.1/x", "", "webhook_secret"),
        ("http://127.0.0.1/x", "/dev/null", "webhook_secret"),
    ],
)
def test_faulty_settings_are_one_sentence_and_nothing_is_sent(secret, quick, url, file, reason):
    receiver = Receiver()
    with hooked(receiver, secret if file is None else file, url) as hook:
        hook.put(event(1))
        wait_until(lambda: hook.fault is not None, "it is known")
        assert hook.fault.reason == reason
    assert receiver.got == []


def test_addresses_of_both_kinds_will_do():
    for url in ("http://box.local/x", "https://club.example:8443/dudo?x=1"):
        check_address(url)


def test_a_receiver_that_is_away_fills_no_memory(secret):
    with hooked(Receiver(2000), secret) as hook:
        for number in range(1000):
            hook.put(event(number))
        waiting, dropped = hook.outbox.counts()
        assert waiting <= 200
        assert dropped >= 700


class Handler(BaseHTTPRequestHandler):
    """Answers each path with the status in it; /302 sends elsewhere."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, body, dict(self.headers)))  # type: ignore[attr-defined]
        self.send_response(int(self.path.strip("/")))
        if self.path == "/302":
            self.send_header("Location", "/200")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.got = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("200", None),
        ("204", None),
        ("302", "webhook_refused"),
        ("400", "webhook_refused"),
        ("503", "webhook_refused"),
    ],
)
def test_what_is_posted_arrives(server, path, reason):
    url = f"http://127.0.0.1:{server.server_port}/{path}"
    assert refusal_of(url) == reason
    ((_, body, _),) = server.got  # type: ignore[attr-defined]
    assert body == b"body"


def test_nobody_there_is_a_refusal(monkeypatch, free_port):
    monkeypatch.setattr(webhook, "ANSWER_S", 0.2)
    assert refusal_of(f"http://127.0.0.1:{free_port}/") == "webhook_away"


def refusal_of(url: str) -> str | None:
    try:
        post(url, b"body", {"X-Dudo-Timestamp": "1"})
    except OutsideFault as fault:
        return fault.reason
    return None
