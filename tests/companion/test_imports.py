"""What a command brings into its process, by the names of modules."""

import subprocess
import sys

import pytest

from companion.cli import COMMANDS

ASKED = (
    "import sys; from companion.__main__ import main\ntry: main(sys.argv[1:])\nfinally: print(*sys.modules)"
)
HEAVY = {"flask", "numpy", "cv2", "onnxruntime", "segno", "waitress", "jinja2"}
KEPT = {"importlib.metadata", "companion.storage.journal", "companion.statistics.record"}
"""What only a command at work needs: the version, and games."""


def imported(*words: str) -> set[str]:
    """The modules in a process that ran this command."""
    done = subprocess.run([sys.executable, "-c", ASKED, *words], capture_output=True, text=True, check=False)
    return set(done.stdout.splitlines()[-1].split())


def commands_in(modules: set[str]) -> set[str]:
    return {name for name in COMMANDS if f"companion.cli.{name.replace('-', '_')}" in modules}


@pytest.mark.parametrize("words", [("--help",), ("--version",), ()])
def test_what_no_command_is_named_for_imports_none(words):
    assert commands_in(imported(*words)) == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_imports_what_it_runs(name):
    shares = {"run", "rules"}  # whose options and rulesets others take
    modules = imported(name, "--help")
    assert name in commands_in(modules)
    assert commands_in(modules) <= {name, *shares}
    assert modules & (HEAVY | KEPT) == set()


@pytest.mark.parametrize(
    ("words", "absent", "why"),
    [
        (("rules",), {"flask", "numpy", "cv2", "web"}, "rules are words"),
        (
            ("odds", "5x3", "--dice", "15"),
            {"flask", "numpy", "cv2", "web"},
            "bots remember what was computed",
        ),
        (("wiring",), {"flask", "cv2", "onnxruntime"}, "a plan shows no page and reads no picture"),
        (("read", "none.jpg"), {"flask", "web", "gpiozero"}, "a picture is read without page and pins"),
    ],
)
def test_a_command_brings_nothing_else_in(words, absent, why):
    assert imported(*words) & absent == set(), why
