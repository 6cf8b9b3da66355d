"""The server by itself: it says when its port is taken, and stops cleanly with phones listening."""

import threading
from urllib.request import urlopen

import pytest

from companion.errors import PortBusy
from tests.web.tables import bidding, deps_for
from web.app import create_app
from web.server import open_server


def status(url: str) -> int:
    """What the server answers with; 0 when it hangs up."""
    try:
        with urlopen(url, timeout=30) as answer:
            return int(answer.status)
    except OSError:
        return 0


def test_a_taken_port_is_reported(table):
    first = open_server(create_app(deps_for(table)), "127.0.0.1", 0, threads=1)
    with pytest.raises(PortBusy):
        open_server(create_app(deps_for(table)), "127.0.0.1", first.port, threads=1)
    first.close()


def test_closing_ends_the_run_and_the_listening_phones(table, monkeypatch):
    monkeypatch.setattr("web.server.GLANCE_S", 600.0)
    monkeypatch.setattr("web.live.GLANCE_S", 600.0)
    now = bidding(table).version
    server = open_server(create_app(deps_for(table, poll_s=60.0)), "127.0.0.1", 0, threads=4)
    running = threading.Thread(target=server.run)
    running.start()
    heard: list[int] = []
    url = f"http://127.0.0.1:{server.port}/fragment/table?after={now}"
    phone = threading.Thread(target=lambda: heard.append(status(url)))
    phone.start()
    assert status(f"http://127.0.0.1:{server.port}/api/v1/state") == 200
    server.close()
    server.close()
    running.join(timeout=20)
    assert not running.is_alive()
    phone.join(timeout=20)
    assert heard == [204]
