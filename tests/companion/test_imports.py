"""The command line: each `dudo` command that the guides show is taken, and brings in what it runs alone."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from companion.__main__ import parser
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


ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"(?:^ {4,}|`)(?:sudo (?:-u \w+ )?)?(?:[\w./-]*/)?(dudo [a-z-]+[^`\n]*)", re.MULTILINE)
"""A command in an indented block, or in backquotes."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


def commands() -> list[tuple[str, str]]:
    """Each command with the name of its page, without comments, pipes and redirections."""
    return [
        (page.name, re.split(r" +[#|<>&]|…|, ", shown)[0].strip())
        for page in PAGES
        for shown in SHOWN.findall(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("page", "command"), sorted(set(commands())))
def test_a_command_of_a_guide_is_understood(page, command):
    words = shlex.split(command)[1:]
    try:
        parser(words[0]).parse_args(words)
    except SystemExit as ended:
        if ended.code:
            pytest.fail(f"{page}: {command}")


def test_the_guides_have_commands():
    assert {"backup.md", "install.md"} <= {page for page, _ in commands()}
