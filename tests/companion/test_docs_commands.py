"""Every `dudo` command that the guides show is one that the command line takes."""

import re
import shlex
from pathlib import Path

import pytest

from companion.__main__ import parser

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
