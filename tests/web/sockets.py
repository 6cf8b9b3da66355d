"""Flask's own client for tests, whose requests go over a socket and through the real server."""

import http.client
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from waitress.task import WSGITask
from werkzeug.datastructures import EnvironHeaders, Headers

from tests.web.serving import served

ADDRESS = "Test-Address"
"""Over the loopback each phone would be the box itself: the address that one has in a test comes as a header,
and takes the place of the socket's."""


Answer = tuple[Iterable[bytes], str, Headers]


@contextmanager
def asked_over_sockets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every client of every page asks the real server from here on."""
    with ExitStack() as servers:
        ports: dict[Flask, int] = {}

        def port_of(page: Flask) -> int:
            if page not in ports:
                address = servers.enter_context(served(page))
                ports[page] = int(urlsplit(address).port or 0)
            return ports[page]

        def asked(page: Any, environ: dict[str, Any], buffered: bool = False) -> Answer:
            return _asked(port_of(page), environ)

        monkeypatch.setattr("werkzeug.test.run_wsgi_app", asked)
        monkeypatch.setattr(WSGITask, "get_environment", _with_address(WSGITask.get_environment))
        yield


def _with_address(inner: Any) -> Any:
    def environment(task: WSGITask) -> dict[str, Any]:
        environ: dict[str, Any] = inner(task)
        environ["REMOTE_ADDR"] = environ.pop("HTTP_TEST_ADDRESS", environ["REMOTE_ADDR"])
        return environ

    return environment


def _asked(port: int, environ: dict[str, Any]) -> Answer:
    query = environ.get("QUERY_STRING", "")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest(
        environ["REQUEST_METHOD"],
        environ["REQUEST_URI"].split("?")[0] + (f"?{query}" if query else ""),
        skip_host=True,
        skip_accept_encoding=True,
    )
    sent = {ADDRESS: environ.get("REMOTE_ADDR", ""), **dict(EnvironHeaders(environ))}
    body = environ.get("wsgi.input", BytesIO()).read(int(environ.get("CONTENT_LENGTH") or 0))
    for name, value in sent.items():
        connection.putheader(name, value)
    connection.endheaders(body or None)
    answer = connection.getresponse()
    found = answer.read()
    connection.close()
    return [found], f"{answer.status} {answer.reason}", Headers(answer.getheaders())
