"""The program that leads phones of the box's own Wi-Fi to its page, with a socket as systemd hands it in."""

import http.client
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / ".setup" / "pi" / "captive"
PAGE = "http://10.42.0.1:8000/"


@pytest.fixture(scope="module")
def port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        given = repr([sys.executable, str(SCRIPT), PAGE])
        handed = f"import os; os.dup2({listening.fileno()}, 3); os.execv({sys.executable!r}, {given})"
        program = subprocess.Popen([sys.executable, "-c", handed], pass_fds=[listening.fileno()])
        yield listening.getsockname()[1]
        program.kill()
        program.wait()


@pytest.mark.parametrize(
    ("host", "path", "method"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204", "GET"),
        ("captive.apple.com", "/hotspot-detect.html", "GET"),
        ("www.msftconnecttest.com", "/connecttest.txt", "GET"),
        ("www.msftncsi.com", "/ncsi.txt", "HEAD"),
        ("dudo", "/", "GET"),
        ("anything.example", "/login", "POST"),
    ],
)
def test_whatever_a_phone_asks_leads_to_the_page(port, host, path, method):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, headers={"Host": host})
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location"), answer.read()) == (302, PAGE, b"")
    assert answer.getheader("Cache-Control") == "no-store"
    connection.close()
