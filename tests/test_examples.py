"""The examples in docstrings of the public names say what really comes out."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("companion", "vision", "hardware", "web")
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    tried = doctest.testmod(import_module(name), report=True)
    assert tried.attempted
    assert not tried.failed


def test_there_are_examples():
    assert {"companion.rules.game", "companion.rules.judge", "vision.read"} <= set(MODULES)
