"""No test takes a program for granted that a fresh machine lacks."""

import ast
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax import parsed
from tests.tools import PACKAGES, find_tool, tool

TESTS = Path(__file__).parent
STARTERS = {"run", "Popen", "check_call", "check_output", "call"}
ALWAYS_THERE = {"sh", "sleep"}
"""What every Debian has, however small."""

EXEMPT = {
    "tools.py": "the way to programs",
    "test_tools.py": "tests that way",
    "conftest.py": "Chromium has two names and a starter of its own",
    "test_bootstrap.py": "makes a machine with the shell's own tools and no other",
}


def _starts(source: str) -> Iterator[str]:
    """What a file starts by a bare name, or searches for itself."""
    for node in ast.walk(parsed(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "which":
            yield "shutil.which"
        if node.func.attr in STARTERS and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
            first = node.args[0].elts[0]
            if isinstance(first, ast.Constant) and first.value not in ALWAYS_THERE:
                yield str(first.value)


@pytest.mark.parametrize(
    ("source", "found", "why"),
    [
        ("subprocess.run(['mosquitto_passwd', '-b'])", ["mosquitto_passwd"], "it may be missing"),
        ("subprocess.Popen(('git', 'log'))", ["git"], "a tuple is no better"),
        ("shutil.which('git')", ["shutil.which"], "each test with its own words"),
        ("subprocess.run([tool('git'), 'log'])", [], "skips where there is none"),
        ("subprocess.run([sys.executable, '-c', code])", [], "the Python that runs the tests"),
        ("subprocess.run(['sh', '-n', script])", [], "every Debian has a shell"),
    ],
)
def test_a_program_by_its_bare_name_is_found(source, found, why):
    assert list(_starts(source)) == found, why


def test_every_program_is_asked_for():
    files = [path for path in sorted(TESTS.rglob("*.py")) if path.name not in EXEMPT]
    found = [(path.name, name) for path in files for name in _starts(path.read_text(encoding="utf-8"))]
    assert found == []


def test_a_program_that_is_missing_skips_and_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    for name, package in PACKAGES.items():
        with pytest.raises(pytest.skip.Exception, match=f"apt-get install .*{package}"):
            tool(name)


def test_servers_are_found_by_whoever_is_not_root(monkeypatch, tmp_path):
    monkeypatch.setattr("tests.tools._FOR_ROOT", (str(tmp_path),))
    monkeypatch.setenv("PATH", os.defpath)
    (tmp_path / "mosquitto_of_root").write_text("#!/bin/sh\n")
    (tmp_path / "mosquitto_of_root").chmod(0o755)
    assert find_tool("mosquitto_of_root") == str(tmp_path / "mosquitto_of_root")
