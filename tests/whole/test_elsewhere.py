"""The product as it is on Windows, as far as Linux can show it: see tests/elsewhere/sitecustomize.py."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.whole.test_page_process import played

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = ROOT / "tests" / "elsewhere"
IMPORTS = """
import importlib, pkgutil, sys
import companion, hardware, vision, web
for room in (companion, hardware, vision, web):
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if found.name != "companion.__main__":
            importlib.import_module(found.name)
from companion.table import folder
assert folder.sys.platform == "win32" and not hasattr(folder.os, "geteuid"), "the product saw Linux"
"""

pytestmark = [pytest.mark.slow, pytest.mark.linux(reason="Windows itself needs nobody to play its part")]


def environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ELSEWHERE}{os.pathsep}{ROOT}", "PYTHONUNBUFFERED": "1"}


def test_every_module_is_imported():
    subprocess.run([sys.executable, "-c", IMPORTS], env=environ(), check=True)


@pytest.mark.parametrize("command", ["doctor", "games list"])
def test_commands_do_their_work(command, tmp_path):
    words = [sys.executable, "-m", "companion", *command.split()]
    done = subprocess.run(
        words,
        env={**environ(), "DUDO_DATA_FOLDER": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "could not be looked at" not in done.stdout
    assert done.stderr == ""


def unused_port() -> int:
    """One that Linux gives to nobody who asks for a free one, and that may be bound as on Windows: a port at
    which a server was a minute ago may not."""
    for port in range(61_000 + os.getpid() % 4_000, 65_536):
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise AssertionError("all ports are in use")


@pytest.fixture
def port(tmp_path):
    """The port of `dudo run --camera phones`; it writes no traceback, and ends when it shall."""
    port = unused_port()
    words = ["run", "--camera", "phones", "--host", "127.0.0.1", "--port", str(port), "--no-browser"]
    command = [sys.executable, "-m", "companion", *words, "--data", str(tmp_path / "data")]
    log = tmp_path / "log"
    with log.open("wb") as written:
        box = subprocess.Popen(command, env=environ(), stdout=subprocess.PIPE, stderr=written, text=True)
    try:
        assert box.stdout is not None
        while "Dudo companion:" not in box.stdout.readline():
            assert box.poll() is None, log.read_text(encoding="utf-8")
        yield port
        box.send_signal(signal.SIGTERM)
        assert box.wait(30) == 0
    finally:
        box.kill()
        box.communicate()
    assert "Traceback" not in log.read_text(encoding="utf-8")


def test_a_game_with_phones_as_cameras(port):
    played(SimpleNamespace(port=port))
