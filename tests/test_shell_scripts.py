"""The shell scripts, read by a tool that knows the traps of the shell."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHROMIUMS
from tests.tools import tool

ROOT = Path(__file__).resolve().parent.parent


def _is_script(path: Path) -> bool:
    """Whether a file says by its first line that a shell runs it."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and first.rstrip().endswith(b"sh")


CHROMIUM = ROOT / "tests" / "chromium"
SCRIPTS = [p for folder in (".setup", ".ci") for p in sorted((ROOT / folder).rglob("*")) if _is_script(p)]
SCRIPTS.append(CHROMIUM)


def test_the_scripts_are_found():
    found = {str(path.relative_to(ROOT)) for path in SCRIPTS}
    assert found >= {".setup/bootstrap", ".setup/pi/install.sh", ".ci/run"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_finds_nothing(script):
    command = [tool("shellcheck"), script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("here", "taken"),
    [
        (CHROMIUMS, "chromium-headless-shell"),
        (("google-chrome", "chromium"), "chromium"),
        (("google-chrome",), "google-chrome"),
    ],
)
def test_the_quickest_browser_is_started_with_features_off_besides_those_of_playwright(tmp_path, here, taken):
    for name in here:
        (tmp_path / name).write_text(f"#!/bin/sh\nprintf '%s\\n' {name} \"$@\"\n")
        (tmp_path / name).chmod(0o755)
    given = ["--headless", "--disable-features=Lens,Paint", "--user-agent=a b", "--no-sandbox"]
    environment = {"PATH": str(tmp_path)}
    run = subprocess.run([CHROMIUM, *given], env=environment, capture_output=True, text=True, check=True)
    program, first, features, *rest = run.stdout.splitlines()
    assert (program, first, rest[:2]) == (taken, given[0], given[2:])
    assert features.startswith("--disable-features=Lens,Paint,WebUI")


IN_THE_INSTALLER = re.findall(
    r"-c '(from companion[^']*)'", (ROOT / ".setup/pi/install.sh").read_text("utf-8")
)


def test_the_installer_asks_the_settings():
    assert len(IN_THE_INSTALLER) == 2, "its port and its scheme"


@pytest.mark.parametrize("code", IN_THE_INSTALLER)
def test_python_in_the_installer_runs(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.strip() in ("8000", "http"), "what is the default"
