"""The log of the running box: one line for each event, in a file that is rotated and never grows beyond its
bound, without secrets. What is worth a warning goes to the terminal, and so to the service's journal, too."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from companion.table.snapshot import PRESSES, state_word
from companion.table.table import Snapshot

FILE = "dudo.log"
FILE_BYTES, FILES = 500_000, 3
"""Three such files are some months of play."""

_log = logging.getLogger("table")


class OneLine(logging.Formatter):
    """Each record on one line, tracebacks too, with secrets, addresses and the user's name taken out."""

    def format(self, record: logging.LogRecord) -> str:
        return masked(" | ".join(line for line in super().format(record).splitlines() if line.strip()))


@contextmanager
def logged(folder: Path, *, verbose: bool) -> Iterator[None]:
    """Within this, records go to the file in `folder` and to standard error."""
    root = logging.getLogger()
    level, handlers = root.level, (_terminal(verbose), *_file(folder))
    root.setLevel(logging.INFO)
    for handler in handlers:
        root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            with suppress(OSError):  # what a full card did not take is written once more here
                handler.close()


class EventLog:
    """Writes a line for all that happens at the table: each state, each fault, who won."""

    def __init__(self) -> None:
        self._before: Snapshot | None = None

    def follow(self, now: Snapshot) -> None:
        """Log the changes since the last snapshot."""
        before, self._before = self._before, now
        for level, line in lines(before, now):
            _log.log(level, "%s", line)


def lines(before: Snapshot | None, now: Snapshot) -> Iterator[tuple[int, str]]:
    """Log lines for the difference between two snapshots, each with its level. Pure. Dice in phones are left
    out."""
    known = dict(before.faults) if before else {}
    for part, fault in now.faults:
        if known.pop(part, None) != fault and part != PRESSES:
            yield logging.WARNING, f"fault of {part}: {fault.reason}"
    for part in known:
        if part not in dict(now.faults) and part != PRESSES:
            yield logging.INFO, f"{part} works again"
    if before is None or _moment(before) != _moment(now):
        yield logging.INFO, _moment(now)


def _moment(now: Snapshot) -> str:
    game, word = now.state.game, state_word(now)
    if game is None:
        return word
    verdict = game.verdict
    losers = ", ".join(verdict.losers) if verdict and word in ("stands", "fails") else ""
    loser = f", {losers} loses" if losers else ""
    winner = f", {game.winner} wins" if game.winner else ""
    return f"game {now.game_id}, round {game.round.number}: {word}{loser}{winner}"


def _terminal(verbose: bool) -> logging.Handler:
    handler = logging.StreamHandler()
    handler.setLevel(logging.INFO if verbose else logging.WARNING)
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    return handler


def _file(folder: Path) -> tuple[logging.Handler, ...]:
    """The rotating log file. None where the folder cannot be written; `FaultReporter` reports that."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / FILE, maxBytes=FILE_BYTES, backupCount=FILES - 1, encoding="utf-8", delay=False
        )
    except OSError:
        return ()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # the page reports a full disk
    return (handler,)


HIDDEN = "[hidden]"
MIN_KNOWN = 4
"""Signs of a secret that is looked for by its value: a shorter one is a part of many words."""

_SECRET = r"(?i)\b([\w-]*(?:secret|token|password|passphrase|psk|signature|seal|api[_-]?key)[\w-]*)(?<!_file)"
_HEADER = r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:auth|key|token)[\w-]*)"
_SEPARATOR = r"(\\*[\"']?\s*[=:]\s*)"
_QUOTED = (
    r'"""[\s\S]*?(?:"""|$)',
    r"\'\'\'[\s\S]*?(?:\'\'\'|$)",
    r'\\+"[\s\S]*?(?<!\\)\\+"(?=\s*[,}\]:]|$)',
    r'"(?:\\.|[^"\\])*"',
    r"'(?:\\.|[^'\\])*'",
)
_VALUE = "(" + "|".join((*_QUOTED, r"[^\s,;}][^\n,;}]*")) + ")"
_LINE = "(" + "|".join((*_QUOTED, r"[^\n]+")) + ")"
_NAMED = (re.compile(_SECRET + _SEPARATOR + _VALUE), re.compile(_HEADER + _SEPARATOR + _LINE))
_QUOTES = re.compile(r"""(\\*"(?:"")?|'(?:'')?)[\s\S]""")
_MASKS = (
    (re.compile(r"\b([a-zA-Z][\w+.-]*://)[^/\s\"'@]*@"), rf"\1{HIDDEN}@"),
    (re.compile(r"(https?://[^/?#\s\"']+)[/?#][^\s\"']+"), rf"\1/{HIDDEN}"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[address]"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "[hardware address]"),
    (re.compile(r"-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*-----|$)"), HIDDEN),
    (re.compile(r"/home/[^/\s\"':]+"), "/home/[user]"),
)


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text without what looks like a secret, and without those that are `known`, however they are
    written there."""
    for secret in sorted(_forms(known), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    for named in _NAMED:
        text = named.sub(_hidden, text)
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def _hidden(found: re.Match[str]) -> str:
    """The name with another value between the same quotes, so that JSON stays JSON."""
    name, separator, value = found.groups()
    quotes = _QUOTES.match(value)
    return f"{name}{separator}{quotes[1]}{HIDDEN}{quotes[1]}" if quotes else f"{name}{separator}{HIDDEN}"


def _forms(known: Iterable[str]) -> set[str]:
    """Each secret and each of its lines: as it is, and as JSON and Python write it."""
    parts = {part.strip() for secret in known for part in (secret, *secret.splitlines())}
    long = {part for part in parts if len(part) >= MIN_KNOWN}
    writers = (json.dumps, repr, lambda part: json.dumps(part, ensure_ascii=False))
    once = {write(part) for part in long for write in writers}
    return long | {form[1:-1] for form in once} | {json.dumps(form)[1:-1] for form in once}
