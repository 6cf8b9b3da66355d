"""The script that lets a box join a Wi-Fi, against an nmcli that notes what it is asked."""

import os
import re
import stat
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
    "connection load "*) sed -n 's/^id=//p' "$3" >>"$KNOWN"; cp -p "$3" "$TAKEN" ;;
    "connection modify id "*) sed -i "s/^$4$/$6/" "$KNOWN" ;;
    *"connection delete id "*) grep -Fxv -- "${!#}" "$KNOWN" >"$KNOWN.new"; mv "$KNOWN.new" "$KNOWN" ;;
    "radio wifi") echo "$RADIO" ;;
    *"connection show --active") printf '%s\n' "$ACTIVE" ;;
    *"connection up id dudo-hotspot"*) if [ -n "$REFUSAL" ]; then echo "Error: $REFUSAL" >&2; exit 4; fi ;;
    *"connection up id dudo-wifi.next"*) if [ -n "$ANSWER" ]; then echo "Error: $ANSWER" >&2; exit 4; fi ;;
esac
"""
RUNUSER = '#!/bin/bash\nshift 3\nexec "$@"\n'


@dataclass
class Machine:
    """A machine with NetworkManager's tool, as far as the script needs it."""

    folder: Path
    answer: str = ""
    refusal: str = ""
    active: str = ""
    radio: str = "enabled"

    def __post_init__(self) -> None:
        for name, text in (("nmcli", NMCLI), ("runuser", RUNUSER)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        (self.folder / "known").write_text("")
        (self.folder / "notes").write_text("")

    def run(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        own = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "NOTES": str(self.folder / "notes"),
            "KNOWN": str(self.folder / "known"),
            "ANSWER": self.answer,
            "REFUSAL": self.refusal,
            "ACTIVE": self.active,
            "RADIO": self.radio,
            "TAKEN": str(self.folder / "taken"),
            "DUDO_WIFI_PROFILES": str(self.folder),
            "DUDO_WIFI": str(self.folder / "wish"),
            "DUDO_WIFI_RESULT": str(self.folder / "run" / "result"),
            "DUDO_WIFI_DELAY_S": "0",
        }
        return subprocess.run(
            [SCRIPT, *words], env=own, input=typed, capture_output=True, text=True, check=False, timeout=60
        )

    @property
    def known(self) -> list[str]:
        return (self.folder / "known").read_text().split()

    @property
    def taken(self) -> list[str]:
        """The lines of the last profile that NetworkManager was given."""
        return (self.folder / "taken").read_text().splitlines()

    @property
    def notes(self) -> str:
        return (self.folder / "notes").read_text()

    @property
    def result(self) -> list[str]:
        return (self.folder / "run" / "result").read_text().splitlines()


@pytest.fixture
def machine(tmp_path):
    tool("bash")
    return Machine(tmp_path)


def test_the_own_network_is_made_once(machine):
    for _ in range(2):
        made = machine.run("hotspot")
        assert made.returncode == 0, made.stderr
    assert machine.known == ["dudo-hotspot"]
    wanted = {"mode=ap", "method=shared", "autoconnect-priority=-100", "address1=10.42.0.1/24"}
    assert wanted <= set(machine.taken)
    password = made.stdout.split("password")[1].split()[0]
    assert len(password) == 12
    assert f"psk={password}" in machine.taken
    assert password not in machine.notes


@pytest.mark.parametrize(
    ("given", "status", "said", "why"),
    [
        ({}, 0, "Where the box knows no other", "it came up"),
        ({"active": "Casa:802-11-wireless"}, 0, "in the Wi-Fi Casa just now", "it would end the connection"),
        ({"active": "dudo-hotspot:802-11-wireless"}, 0, "Where the box knows no other", "it is up already"),
        ({"active": "eth0:802-3-ethernet"}, 0, "Where the box knows no other", "a cable is no Wi-Fi"),
        ({"refusal": "No suitable device found"}, 1, "no Wi-Fi device that makes", "no radio"),
        ({"refusal": "802.1X supplicant took too long to authenticate"}, 1, "full-upgrade", "of Debian 13"),
        ({"refusal": "x", "radio": "disabled"}, 1, "do_wifi_country", "no country was chosen"),
        ({"refusal": "Connection activation failed: busy"}, 1, "failed: busy", "in its own words"),
    ],
)
def test_whether_the_own_network_came_up_is_said_before_its_password(machine, given, status, said, why):
    for name, value in given.items():
        setattr(machine, name, value)
    made = machine.run("hotspot")
    assert made.returncode == status, why
    assert said in made.stdout + made.stderr, why
    assert "password" in made.stdout, "it comes up later, when the cause is gone"
    tried = "connection up id dudo-hotspot" in machine.notes
    assert tried is not given.get("active", "").startswith("Casa"), why


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
def test_what_came_of_joining_is_a_word(machine, answer, word, status):
    machine.run("hotspot")
    (machine.folder / "notes").write_text("")
    machine.answer = answer
    joined = machine.run("join", "Casa", typed="eight or more\n")
    assert (joined.stdout.split(), joined.returncode) == ([word], status)
    assert "dudo-hotspot" in machine.known
    assert ("dudo-wifi" in machine.known) is (word == "joined"), "only a network that works is kept"
    assert "dudo-wifi.next" not in machine.known
    assert ("connection up id dudo-hotspot" in machine.notes) is bool(status)


@pytest.mark.parametrize("text", ["Casa $(x) 'y'\neight or \"more\n", "Casa $(x) 'y'\neight or \"more"])
def test_a_wish_is_carried_out_once_letter_by_letter(machine, text):
    (machine.folder / "wish").write_text(text)
    assert machine.run("wish").returncode == 0
    assert "ssid=" + in_bytes("Casa $(x) 'y'") in machine.taken
    assert 'psk=eight\\sor\\s"more' in machine.taken
    assert machine.result == ["joined", "Casa $(x) 'y'"]
    assert not (machine.folder / "wish").exists()
    assert machine.run("wish").returncode == 1


@pytest.mark.parametrize(
    "password", [" spaces around ", "back\\slash\\n", "#;=[wifi]\"'", "%s%d$(id)`id`", "~" * 63]
)
def test_no_argument_has_a_password_and_no_other_user_reads_it(machine, password):
    for words in (("hotspot", "dudo"), ("join", "Casa")):
        assert machine.run(*words, typed=f"{password}\n").returncode == 0
        assert password not in machine.notes
        assert stat.S_IMODE((machine.folder / "taken").stat().st_mode) == 0o600
        (line,) = [line for line in machine.taken if line.startswith("psk=")]
        kept = re.sub(r"\\(.)", lambda sign: {"s": " "}.get(sign[1], sign[1]), line.removeprefix("psk="))
        assert kept == password


def test_a_profile_that_is_not_taken_is_deleted(machine):
    (machine.folder / "nmcli").write_text("#!/bin/sh\necho no >&2; exit 1\n")
    assert machine.run("join", "Casa", typed="eight or more\n").stdout == "failed\n"
    assert not list(machine.folder.glob("*.nmconnection"))


def in_bytes(name: str) -> str:
    """A network's name as a keyfile has it."""
    return "".join(f"{byte};" for byte in name.encode())


def test_an_open_network_has_no_password(machine):
    (machine.folder / "wish").write_text("Café\n\n")
    assert machine.run("wish").returncode == 0
    assert f"ssid={in_bytes('Café')}" in machine.taken
    assert not [line for line in machine.taken if "psk" in line]


@pytest.mark.parametrize("text", ["", "\n", "Casa\nshort\n", "x" * 33 + "\n\n", "Casa\n" + "y" * 64 + "\n"])
def test_a_wish_that_no_network_can_have_is_dropped(machine, text):
    (machine.folder / "wish").write_text(text)
    assert machine.run("wish").returncode == 1
    assert not (machine.folder / "wish").exists()
    assert "connection load" not in machine.notes


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ((), 2, "hotspot"),
        (("--help",), 0, "sudo dudo-wifi join"),
        (("hotspot",), 1, "8 to 63"),
        (("join",), 1, "1 to 32"),
        (("join", "Casa"), 1, "8 to 63"),
        (("join", "Casa", "eight or more"), 1, "every user could read it"),
        (("hotspot", "dudo", "eight or more"), 1, "every user could read it"),
    ],
)
def test_wrong_use_is_one_sentence(machine, words, status, sentence):
    done = machine.run(*words, typed="short\n")
    assert done.returncode == status
    assert sentence in done.stdout + done.stderr
    assert machine.known == []
