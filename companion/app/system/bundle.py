"""A report for somebody who helps: findings, settings, log, games and pictures in a ZIP, without secrets."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from companion.app.system.log import masked
from companion.json_types import Body
from companion.reveal.evidence import FILE as EVIDENCE
from companion.storage.database import connected
from companion.storage.journal import Journal
from companion.table.access_record import FILE
from companion.table.folder import private_files
from companion.table.opening import GAMES
from companion.table.redaction import without_dice

UNIT = "dudo-companion.service"
_LOG_LINES = 3000
_PICTURES = 20


def pack(
    bundle: Path,
    *,
    findings: str,
    settings: Mapping[str, object],
    secrets: Iterable[str],
    data_folder: Path,
) -> tuple[str, ...]:
    """Write the ZIP `bundle` and return the names of what is in it. Raises OSError when it can't be written.

    `secrets` stand in it nowhere. What can't be read is left out, and its place says why.
    """
    parts: dict[str, Callable[[], str]] = {
        "findings.txt": lambda: findings,
        "settings.json": lambda: json.dumps(settings, indent=2, default=str),
        "log.txt": _log,
        "dudo.log": lambda: (data_folder / "dudo.log").read_text(errors="replace"),
        "calibration.json": lambda: (data_folder / "calibration.json").read_text(errors="replace"),
        "games.jsonl": lambda: _games(data_folder / GAMES),
    }
    known = (*secrets, *_kept_secrets(data_folder))
    with private_files(), zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, masked(_or_reason(content), known))
        for name, picture in _pictures(data_folder):
            archive.writestr(name, picture)
        return tuple(archive.namelist())


def _kept_secrets(data_folder: Path) -> Iterable[str]:
    """The token of the phones that were let in, and which phone leads."""
    with suppress(OSError):
        yield from (data_folder / FILE).read_text(errors="replace").split()


def _or_reason(content: Callable[[], str]) -> str:
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


def _games(folder: Path) -> str:
    """Every record of the journal that can be read as a line of JSON, without disturbing who writes, and
    without the dice that were rolled: a game may go on."""
    with closing(Journal(folder, reading=True)) as journal:
        return "".join(
            json.dumps({"game": info.id, "number": one.number, "at": one.at, "body": _shown(one.body)}) + "\n"
            for info in journal.games()
            for one in journal.records(info.id, partly=True)
        )


def _shown(written: Body) -> str:
    """The body of a record without what was secret in its game."""
    return json.dumps(without_dice(written), ensure_ascii=False)


def _pictures(data_folder: Path) -> Iterable[tuple[str, bytes]]:
    """The newest pictures behind verdicts."""
    try:
        with closing(connected(data_folder / EVIDENCE, read_only=True)) as source:
            query = "SELECT id, jpeg FROM pictures ORDER BY number DESC LIMIT ?"
            yield from ((f"pictures/{name}.jpg", jpeg) for name, jpeg in source.execute(query, (_PICTURES,)))
    except sqlite3.Error:
        return
