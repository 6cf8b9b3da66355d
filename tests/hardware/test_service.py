"""Being a service: what systemd is sent, and the files that make the box one."""

import http.client
import re
import socket
import subprocess
import sys
import threading
import tomllib
from contextlib import closing, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from companion import budgets
from companion.app.camera.phone_pictures import MAX_WHOLE
from companion.cli.run import notify, watched
from tests.tools import tool
from web.sent_pictures import LARGEST_PICTURE_BYTES, MULTIPART_BYTES

ROOT = Path(__file__).parents[2]
SETUP = ROOT / ".setup" / "pi"
UNIT = SETUP / "dudo-companion.service"


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "2000")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(10)
        yield listening


def test_what_shows_that_nothing_starts_needs_no_other_file(tmp_path, free_port):
    (tmp_path / "said").write_text("SyntaxError: it is garbled")
    program = [sys.executable, "-I", "-S", SETUP / "fault", str(free_port), str(tmp_path / "said")]
    with subprocess.Popen(program) as shown:
        try:
            status, text = asked(free_port)
        finally:
            shown.terminate()
    assert (status, "does not start" in text, "it is garbled" in text) == (503, True, True)


def asked(port: int) -> tuple[int, str]:
    """What a page answers, as soon as there is one."""
    for _ in range(1000):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with suppress(ConnectionError), closing(connection):
            connection.request("GET", "/")
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        threading.Event().wait(0.02)
    raise AssertionError("nobody answers")


def test_without_systemd_nothing_is_sent(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    assert not notify("READY=1")


@pytest.mark.linux(reason="systemd")
def test_systemd_hears_that_we_are_ready_alive_and_stopping(systemd):
    with watched(lambda: True, lambda: True):
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    last = b""
    while last != b"STOPPING=1":
        last = systemd.recv(100)


@pytest.mark.linux(reason="systemd")
def test_a_box_that_does_not_answer_is_not_called_alive(systemd):
    asked = threading.Event()

    def dead() -> bool:
        asked.set()
        return False

    with watched(dead, lambda: True):
        assert asked.wait(10)
    assert [systemd.recv(100) for _ in range(2)] == [b"READY=1", b"STOPPING=1"]


def test_the_unit_is_sandboxed_and_watched():
    unit = UNIT.read_text()
    for line in (
        "Type=notify",
        "User=dudo",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "Restart=on-failure",
        "CapabilityBoundingSet=",
        "DevicePolicy=closed",
        "Environment=LG_WD=/run/dudo-companion",
        "IPAddressDeny=any",
        "OOMPolicy=continue",
        "TasksMax=256",
        "PrivateTmp=yes",
        "UMask=0077",
    ):
        assert f"\n{line}\n" in unit, line
    assert re.search(r"^WatchdogSec=\d+$", unit, re.MULTILINE)
    assert "network-online" not in unit.replace("No network-online", "")


BOX_BYTES, DECODER_BYTES = 218 << 20, 28 << 20
"""What all processes take at most beside a camera, and the one that decodes, before it has a picture, as
measured (docs/reference/figures.md)."""


def test_all_bounds_together_fit_the_memory_of_the_unit():
    """A camera at work, a picture that is decoded, its copies in the page's process, and others that wait."""
    found = re.search(r"^MemoryMax=(\d+)M$", UNIT.read_text(), re.MULTILINE)
    assert found
    decoding = DECODER_BYTES + budgets.DECODING_BYTES
    held = budgets.LARGE_BYTES + 2 * (LARGEST_PICTURE_BYTES + MULTIPART_BYTES)
    assert 8 * MAX_WHOLE < budgets.DECODING_BYTES, "the header refuses before the bound does"
    assert BOX_BYTES + decoding + held <= int(found[1]) << 20


def test_a_small_board_bounds_the_memory_by_its_own_where_it_runs():
    """A card is written elsewhere: whatever is computed by the installer is of another machine."""
    assert "Slice=dudo.slice" in lines_of(UNIT)
    assert {"MemoryHigh=70%", "MemoryMax=80%"} <= lines_of(SETUP / "dudo.slice")
    assert "dudo.slice" in (SETUP / "install.sh").read_text()


@pytest.mark.parametrize(
    ("address", "allowed", "reason"),
    [
        ("127.0.0.1", True, "the machine itself, with systemd's watchdog on it"),
        ("192.168.1.20", True, "a home's network"),
        ("10.42.0.7", True, "a hotspot of the Pi's own"),
        ("172.20.10.2", True, "a phone's hotspot"),
        ("169.254.8.8", True, "a cable without a router"),
        ("fd12:3456::7", True, "a home's own IPv6"),
        ("fe80::1", True, "a neighbour's"),
        ("172.32.0.1", False, "beside the private range"),
        ("100.64.0.1", False, "a provider's network"),
        ("203.0.113.7", False, "the internet"),
        ("2001:db8::7", False, "and its IPv6"),
    ],
)
def test_the_unit_lets_local_networks_in_alone(address, allowed, reason):
    found = re.search(r"^IPAddressAllow=(.*)$", UNIT.read_text(), re.MULTILINE)
    assert found
    words = {"localhost": ("127.0.0.0/8", "::1/128"), "link-local": ("169.254.0.0/16", "fe80::/64")}
    nets = [ip_network(net) for word in found[1].split() for net in words.get(word, (word,))]
    assert any(ip_address(address) in net for net in nets) == allowed, reason


def lines_of(unit: Path) -> set[str]:
    """What a unit says, without its comments."""
    return {line for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#")}


MAY_MORE: dict[str, dict[str, str]] = {
    "dudo-companion-captive.service": {},
    "dudo-companion-fault.service": {},
    "dudo-companion-off.service": {"RestrictAddressFamilies": "it asks nobody and has no network"},
    "dudo-companion-wifi.service": {
        "CapabilityBoundingSet": "root reads the wish with the service's rights",
        "RestrictAddressFamilies": "NetworkManager is asked over D-Bus",
        "SystemCallFilter": "taking another user's rights is privileged",
    },
}


@pytest.mark.parametrize("name", sorted(path.name for path in SETUP.glob("*.service") if path != UNIT))
def test_a_helper_is_as_sandboxed_as_the_service(name):
    text = UNIT.read_text()
    sandbox = text[text.index("# Sandbox.") : text.index("[Install]")].splitlines()
    missing = {line.partition("=")[0] for line in sandbox if "=" in line} & {
        line.partition("=")[0] for line in set(sandbox) - lines_of(SETUP / name) if "=" in line
    }
    assert missing == set(MAY_MORE[name])
    alone = set() if name == "dudo-companion-fault.service" else {"PrivateNetwork=yes"}  # it serves a page
    assert {"DevicePolicy=closed", "IPAddressDeny=any", *alone} <= lines_of(SETUP / name)


def test_only_joining_a_wifi_is_done_by_root():
    others = [path.name for path in SETUP.glob("*.service") if "User=dudo" not in lines_of(path)]
    assert others == ["dudo-companion-wifi.service"]


@pytest.mark.parametrize("device", ["gpiochip", "video4linux", "media", "dma_heap", "i2c", "spi"])
def test_the_unit_reaches_what_the_box_is_made_of(device):
    assert f"\nDeviceAllow=char-{device} rw\n" in UNIT.read_text()


@pytest.mark.parametrize(("unit", "exposed"), [(UNIT, 20), *((SETUP / name, 30) for name in MAY_MORE)])
def test_systemd_accepts_a_unit_and_finds_it_little_exposed(tmp_path, unit, exposed):
    analyze = tool("systemd-analyze")
    program = tmp_path / ".venv" / "bin" / "dudo"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "README.md").touch()
    file = tmp_path / unit.name
    words = {"@FOLDER@": str(tmp_path), "@GROUPS@": "video", "@PORT@": "8000"}
    words |= {f"/usr/local/sbin/dudo-{name}": str(program) for name in ("wifi", "watch", "fault", "captive")}
    text = unit.read_text()
    text = re.sub(r"^Restart(Steps|MaxDelaySec)=.*\n", "", text, flags=re.MULTILINE)  # as the installer does
    for word, instead in words.items():
        text = text.replace(word, instead)
    file.write_text(text)
    verified = subprocess.run([analyze, "verify", file], capture_output=True, text=True, timeout=60)
    if "Failed to" in verified.stderr and "manager" in verified.stderr:
        pytest.skip(f"systemd-analyze cannot work here: {verified.stderr.strip()}")
    assert (verified.returncode, verified.stderr) == (0, "")
    scored = subprocess.run(
        [analyze, "security", "--offline=true", f"--threshold={exposed}", file],
        capture_output=True,
        timeout=60,
    )
    assert scored.returncode == 0, scored.stdout


@pytest.mark.parametrize(("argument", "status"), [("bogus", 2), ("--help", 0)])
def test_the_install_script_says_how_it_is_used(argument, status):
    command = [tool("bash"), SETUP / "install.sh", argument]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert run.returncode == status
    assert "install.sh uninstall --with-games" in (run.stderr if status else run.stdout)


def test_the_install_script_copies_every_package_and_what_they_are_installed_from():
    script = (SETUP / "install.sh").read_text()
    copied = re.search(r"^PROGRAM=\((.*)\)$", script, re.MULTILINE)
    assert copied
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = [name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]]
    named = {project["project"]["readme"], *project["project"]["license-files"]}
    needed = {*packages, ".setup", "pyproject.toml", *named}
    assert needed <= set(copied[1].split())
    assert all((ROOT / name).exists() for name in copied[1].split())
