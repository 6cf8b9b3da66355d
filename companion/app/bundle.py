"""A report for somebody who helps: findings, settings, log, games and pictures in a ZIP, without secrets."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

from companion.storage.database import connected
from companion.storage.salvage import Readable

UNIT = "dudo-companion.service"
_LOG_LINES = 3000
_PICTURES = 20
_SECRET = (
    r"(?i)\b([\w-]*(?:secret|token|password|passphrase|psk|cookie|authorization|api_?key)[\w-]*)(?<!_file)"
)
_SEPARATOR = r"(\\*[\"']?\s*[=:]\s*)"
_VALUE = r"(\\*\"[^\"]*\"|'[^']*'|[^\s,;}]+)"
_MASKS = (
    (re.compile(_SECRET + _SEPARATOR + _VALUE), r"\1\2[hidden]"),
    (re.compile(r"(https?://[^/\s\"']+)/[^\s\"']+"), r"\1/[hidden]"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[address]"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "[hardware address]"),
    (re.compile(r"/home/[^/\s\"':]+"), "/home/[user]"),
)


def masked(text: str) -> str:
    """The text with secrets, network addresses and the user's name taken out."""
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def pack(
    bundle: Path,
    *,
    findings: str,
    settings: Mapping[str, object],
    settings_file: Path | None,
    data_folder: Path,
) -> tuple[str, ...]:
    """Write the ZIP `bundle` and return the names of what is in it. Raises OSError when it can't be written.

    What can't be read is left out, and its place says why.
    """
    parts: dict[str, Callable[[], str | bytes]] = {
        "findings.txt": lambda: masked(findings),
        "settings.json": lambda: masked(json.dumps(settings, indent=2, default=str)),
        "log.txt": lambda: masked(_log()),
        "dudo.log": lambda: masked((data_folder / "dudo.log").read_text(errors="replace")),
        "calibration.json": lambda: (data_folder / "calibration.json").read_text(errors="replace"),
        "games.jsonl": lambda: masked(_games(data_folder / "games.sqlite")),
    }
    if settings_file is not None:
        parts["companion.toml"] = lambda: masked(settings_file.read_text(errors="replace"))
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, _or_reason(content))
        for name, picture in _pictures(data_folder):
            archive.writestr(name, picture)
        return tuple(archive.namelist())


def _or_reason(content: Callable[[], str | bytes]) -> str | bytes:
    try:
        return content()
    except (OSError, sqlite3.Error, subprocess.SubprocessError) as error:
        return f"left out: {error}\n"


def _log() -> str:
    """The service's log, where there is such a service."""
    program = shutil.which("journalctl")
    if program is None:
        return "left out: no system journal on this machine\n"
    command = [program, "--unit", UNIT, "--lines", str(_LOG_LINES), "--no-pager", "--output", "short-iso"]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout


def _games(database: Path) -> str:
    """Every record of the journal that can be read as a line of JSON, without disturbing who writes."""
    with closing(Readable(database)) as source:
        return "".join(
            json.dumps({"game": game, "number": row.number, "at": row.at, "body": row.body}) + "\n"
            for game in source.found().games
            for row in {row.number: row for row in source.rows(game)}.values()
        )


def _pictures(data_folder: Path) -> Iterable[tuple[str, bytes]]:
    """The newest pictures behind verdicts."""
    try:
        with closing(_reading(data_folder / "evidence.sqlite")) as source:
            query = "SELECT id, jpeg FROM pictures ORDER BY number DESC LIMIT ?"
            yield from ((f"pictures/{name}.jpg", jpeg) for name, jpeg in source.execute(query, (_PICTURES,)))
    except sqlite3.Error:
        return


def _reading(database: Path) -> sqlite3.Connection:
    return connected(database, read_only=True)
