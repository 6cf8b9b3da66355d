"""Text for a terminal: no name that people or files bring steers it or passes for a line of ours."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO, cast

_OVERRIDES = "\u202a-\u202e\u2066\u2067"
"""Characters that turn the direction of writing for all that follows them."""
_STEERING = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_OVERRIDES}]")
_ENDING_A_LINE = re.compile("[\t\n]")


def one_line(text: str) -> str:
    """The text on one line, its control characters written as Python writes them: `\\x1b`."""
    return _ENDING_A_LINE.sub(_escape, without_steering(text))


def without_steering(text: str) -> str:
    """The text with every control character but tabs and line feeds written as Python writes it."""
    return _STEERING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


class Plain:
    """A text stream through which no control character passes but tabs and line feeds."""

    def __init__(self, under: TextIO) -> None:
        self._under = under

    def write(self, text: str) -> int:
        """Write the text; returns its length as it was given."""
        self._under.write(without_steering(text))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._under, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """All that is printed meanwhile goes through `Plain`; bytes written to `sys.stdout.buffer` do not."""
    out, err = (cast(TextIO, Plain(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield
