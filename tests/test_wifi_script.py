"""The script that lets a box join a Wi-Fi, against an nmcli that notes what it is asked."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tools import tool

SCRIPT = Path(__file__).resolve().parents[1] / ".setup" / "pi" / "wifi"

NMCLI = """#!/bin/bash
printf '%s\\n' "$*" >>"$NOTES"
case "$*" in
    "-g NAME connection show") cat "$KNOWN" ;;
    *"connection add"*) printf '%s\\n' "$6" >>"$KNOWN" ;;
    *"connection delete id "*) grep -Fxv -- "${!#}" "$KNOWN" >"$KNOWN.new"; mv "$KNOWN.new" "$KNOWN" ;;
    *"connection up id dudo-wifi.next"*) if [ -n "$ANSWER" ]; then echo "Error: $ANSWER" >&2; exit 4; fi ;;
esac
"""
RUNUSER = '#!/bin/bash\nshift 3\nexec "$@"\n'


@dataclass
class Machine:
    """A machine with NetworkManager's tool, as far as the script needs it."""

    folder: Path
    answer: str = ""

    def __post_init__(self) -> None:
        for name, text in (("nmcli", NMCLI), ("runuser", RUNUSER)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        (self.folder / "known").write_text("")
        (self.folder / "notes").write_text("")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        own = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "NOTES": str(self.folder / "notes"),
            "KNOWN": str(self.folder / "known"),
            "ANSWER": self.answer,
            "DUDO_WIFI": str(self.folder / "wish"),
            "DUDO_WIFI_RESULT": str(self.folder / "run" / "result"),
            "DUDO_WIFI_DELAY_S": "0",
        }
        return subprocess.run(
            [SCRIPT, *words], env=own, capture_output=True, text=True, check=False, timeout=60
        )

    @property
    def known(self) -> list[str]:
        return (self.folder / "known").read_text().split()

    @property
    def notes(self) -> str:
        return (self.folder / "notes").read_text()

    @property
    def result(self) -> list[str]:
        return (self.folder / "run" / "result").read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    tool("bash")
    return Machine(tmp_path)


def test_the_own_network_is_made_once(machine: Machine) -> None:
    for _ in range(2):
        made = machine.run("hotspot")
        assert made.returncode == 0, made.stderr
    assert machine.known == ["dudo-hotspot"]
    assert "mode ap ipv4.method shared" in machine.notes
    assert "autoconnect-priority -100" in machine.notes
    password = made.stdout.split("password")[1].split()[0]
    assert len(password) == 12
    assert f"wifi-sec.psk {password}" in machine.notes


@pytest.mark.parametrize(
    ("answer", "word", "status"),
    [
        ("", "joined", 0),
        ("Connection activation failed: The Wi-Fi network could not be found", "not_found", 1),
        ("No network with SSID 'Casa' found.", "not_found", 1),
        ("Connection activation failed: Secrets were required, but not provided", "refused", 1),
        ("Timeout expired (45 seconds)", "failed", 1),
    ],
)
def test_what_came_of_joining_is_a_word(machine: Machine, answer: str, word: str, status: int) -> None:
    machine.run("hotspot")
    machine.answer = answer
    joined = machine.run("join", "Casa", "eight or more")
    assert (joined.stdout.split(), joined.returncode) == ([word], status)
    assert "dudo-hotspot" in machine.known
    assert ("dudo-wifi.next" in machine.known) is (word == "joined"), "only a network that works is kept"
    assert ("connection up id dudo-hotspot" in machine.notes) is bool(status)


@pytest.mark.parametrize("text", ["Casa $(x) 'y'\neight or \"more\n", "Casa $(x) 'y'\neight or \"more"])
def test_a_wish_is_carried_out_once_letter_by_letter(machine: Machine, text: str) -> None:
    (machine.folder / "wish").write_text(text)
    assert machine.run("wish").returncode == 0
    assert "ssid Casa $(x) 'y' wifi-sec.key-mgmt wpa-psk wifi-sec.psk eight or \"more" in machine.notes
    assert machine.result == ["joined", "Casa $(x) 'y'"]
    assert not (machine.folder / "wish").exists()
    assert machine.run("wish").returncode == 1


def test_an_open_network_has_no_password(machine: Machine) -> None:
    (machine.folder / "wish").write_text("Café\n\n")
    assert machine.run("wish").returncode == 0
    assert "ssid Café\n" in machine.notes
    assert "psk" not in machine.notes


@pytest.mark.parametrize("text", ["", "\n", "Casa\nshort\n", "x" * 33 + "\n\n", "Casa\n" + "y" * 64 + "\n"])
def test_a_wish_that_no_network_can_have_is_dropped(machine: Machine, text: str) -> None:
    (machine.folder / "wish").write_text(text)
    assert machine.run("wish").returncode == 1
    assert not (machine.folder / "wish").exists()
    assert "connection add" not in machine.notes


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ((), 2, "hotspot"),
        (("--help",), 0, "sudo dudo-wifi join"),
        (("hotspot", "dudo", "short"), 1, "8 to 63"),
        (("join",), 1, "1 to 32"),
        (("join", "Casa", "short"), 1, "8 to 63"),
    ],
)
def test_wrong_use_is_one_sentence(
    machine: Machine, words: tuple[str, ...], status: int, sentence: str
) -> None:
    done = machine.run(*words)
    assert done.returncode == status
    assert sentence in done.stdout + done.stderr
    assert machine.known == []
