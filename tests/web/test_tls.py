"""The page over https, at the port where http is answered as well: real sockets."""

import http.client
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from companion.app import machine
from companion.app.system import https
from tests.web.serving import port_of, served
from tests.web.tables import deps_for
from tests.web.test_sent_pictures import _address
from web.app import create_app

pytestmark = pytest.mark.usefixtures("over_sockets")

pytest.importorskip("cryptography", reason="the extra https is not installed")

TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    file = tmp_path_factory.mktemp("tls") / https.FILE
    file.write_bytes(https.make(("localhost", "127.0.0.1"), datetime.now(UTC)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    https.load(context, file)
    return context


@pytest.fixture
def port(table, tls):
    app = create_app(deps_for(table, https=True, secret="a secret", poll_s=0.5))
    with served(app, "0.0.0.0", threads=8, tls=tls) as address:
        yield port_of(address)


def ask(connection: http.client.HTTPConnection, path: str = "/", **more: Any) -> tuple[int, Any, bytes]:
    connection.request(more.pop("method", "GET"), path, **more)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def once(connection: http.client.HTTPConnection, path: str = "/", **more: Any) -> tuple[int, Any, bytes]:
    """One answer by a connection of its own."""
    with closing(connection):
        return ask(connection, path, **more)


def encrypted(port: int, host: str = "127.0.0.1") -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection(host, port, timeout=20, context=TRUSTING)


def plain(port: int, host: str = "127.0.0.1") -> http.client.HTTPConnection:
    return http.client.HTTPConnection(host, port, timeout=20)


def test_the_page_is_served_encrypted_and_its_cookie_stays_so(port):
    one = encrypted(port)
    status, headers, page = ask(one)
    assert (status, b"<html" in page) == (200, True)
    assert "Secure" in headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in headers, "it would let nobody past the browser's warning"
    assert ask(one, "/api/v1/state")[0] == 200, "by the same connection"
    kept = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
    assert ask(one, headers=kept)[1]["Set-Cookie"] is None
    status, headers, _ = ask(one, headers={**kept, "Sec-Fetch-Mode": "navigate"})
    assert "Secure" in headers["Set-Cookie"], "a cookie of http is not sent by http any more"
    one.close()


def test_a_phone_that_comes_unencrypted_is_sent_on(port):
    here = _address()
    status, headers, _ = once(plain(port, here), "/join?link=1")
    assert (status, headers["Location"]) == (308, f"https://{here}:{port}/join?link=1")
    assert headers["Set-Cookie"] is None
    assert once(encrypted(port, here), "/join")[0] == 200
    status, headers, _ = once(plain(port, here), headers={"Host": "elsewhere.example"})
    assert (status, headers["Location"]) == (421, None), "nobody is sent to a name that is not the box's"


def test_the_browser_on_the_box_itself_stays(port):
    status, headers, _ = once(plain(port))
    assert status == 200
    assert "Secure" not in headers["Set-Cookie"], "it would not come back by http"


def test_the_doctor_hears_of_the_box_wherever_it_listens(port):
    for host in ("0.0.0.0", "127.0.0.1", _address()):
        assert machine.ask(host, port) == {"ok": True}


def test_codes_and_links_lead_to_https(port):
    _, _, page = once(encrypted(port), "/join")
    assert b"https://192.168.1.20:8000/" in page
    assert b"http://192.168.1.20" not in page
    assert b"warn" in page


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x16",
        b"\x16\x03\x01\x00\x05hello",
        b"\x16" * 4000,
        b"\xff\xfe",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
    ],
)
def test_whatever_is_sent_instead_of_a_handshake_holds_up_nobody(port, sent, caplog):
    with socket.create_connection(("127.0.0.1", port), 20) as one:
        one.sendall(sent)
        assert once(encrypted(port))[0] == 200
    assert once(encrypted(port))[0] == 200
    assert caplog.records == []


def test_a_request_may_come_byte_by_byte_and_two_at_once(port):
    request = f"GET /api/v1/clock HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), 20) as raw, TRUSTING.wrap_socket(raw) as one:
        for byte in request:
            one.sendall(bytes((byte,)))
        assert one.recv(20).startswith(b"HTTP/1.1 200")
    with socket.create_connection(("127.0.0.1", port), 20) as raw, TRUSTING.wrap_socket(raw) as one:
        one.sendall(request * 2)
        found = b""
        while found.count(b"HTTP/1.1 200") < 2:
            found += one.recv(4096)


def test_many_phones_at_once_get_whole_answers(port):
    """Long answers, and bodies of many records, by threads that write while another reads."""

    def phone(number: int) -> list[tuple[int, int]]:
        one = encrypted(port)
        big = b'{"command": {"type": "' + b"x" * 60_000 + b'"}}'
        kind = {"Content-Type": "application/json"}
        answers = []
        for _ in range(5):
            status, headers, page = ask(one, "/how-to-play")
            answers.append((status, len(page) - int(headers["Content-Length"])))
            answers.append((ask(one, "/api/v1/commands", method="POST", body=big, headers=kind)[0], 0))
        one.close()
        return answers

    with ThreadPoolExecutor(12) as phones:
        found = list(phones.map(phone, range(12)))
    assert {pair for answers in found for pair in answers} <= {(200, 0), (400, 0), (403, 0), (422, 0)}
    assert all(answers[0] == (200, 0) for answers in found)


def test_without_https_nothing_of_it_is_there(table, tmp_path):
    client = create_app(deps_for(table, secret="a secret")).test_client()
    answer = client.get("/join", environ_base={"REMOTE_ADDR": "192.168.1.30"})
    assert answer.status_code == 200
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert "https://" not in answer.text
