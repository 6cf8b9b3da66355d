"""Examines this machine for single commands: its wiring, and whether its parts work; and packs a report for
somebody who helps, without secrets."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from companion.app.findings import access_findings, ask, https_findings, outside_findings, service_findings
from companion.app.system.log import HIDDEN, masked
from companion.errors import Explained
from companion.json_types import Body
from companion.reveal.evidence import FILE as EVIDENCE
from companion.settings import Settings, table
from companion.side_files import ASIDE
from companion.storage.database import connected
from companion.storage.journal import Journal
from companion.table.folder import FILE as ACCESS
from companion.table.folder import is_busy, private_files
from companion.table.resuming import GAMES, without_dice
from hardware.clock import SystemClock
from hardware.diagnostics.doctor import Finding, as_text, examine
from hardware.gpio import wiring as pins


def wiring_plan(settings: Settings) -> tuple[str, dict[str, object]]:
    """The wiring of the settings as a table for people, and as plain data. Raises ValueError with every fault
    of a wiring that cannot work."""
    wiring = pins.wiring_from(settings.pins, settings.box.strip)
    return pins.as_text(wiring), pins.as_data(wiring)


def examine_machine(settings: Settings) -> tuple[str, bool]:
    """Findings of `dudo doctor` as text for people, and whether nothing is bad."""
    at_work, port = companion_at_work(settings), settings.web.port
    health = service_findings(ask(settings.web.host, port), port) if at_work else outside_findings(settings)
    parts = examine(
        lambda: pins.wiring_from(settings.pins, settings.box.strip),
        settings.box.pins,
        settings.camera.use,
        settings.data_folder,
        SystemClock(),
        at_work=at_work,
    )
    findings = (
        *parts,
        *(Finding(*found) for found in (*health, *https_findings(settings), *access_findings(settings))),
        *_set_aside(settings),
        _reading_works(settings.camera.reader),
    )
    return as_text(findings), all(finding.level != "bad" for finding in findings)


def _set_aside(settings: Settings) -> Iterator[Finding]:
    """What the box goes without since it could not be read."""
    for fault in settings.faults:
        yield Finding("settings", "bad", f"{fault}: the default is in force", "correct it, then restart")
    with suppress(OSError):
        for path in sorted(settings.data_folder.glob(f"*{ASIDE}")):
            yield Finding("data", "note", f"{path} was set aside: it could not be read", "")


def _reading_works(reader: str) -> Finding:
    """The findings about the models."""
    try:
        from companion.app.reading import photographs  # here: what reading takes may be what is broken

        runtime = photographs.load_models(reader)
    except Exception as error:  # a doctor must not fall ill: whatever it is, it is a finding
        hint = error.hint if isinstance(error, Explained) else "install the project again"
        return Finding("reading", "bad", str(error).removesuffix(f": {hint}"), hint)
    return Finding("reading", "good", f"pictures can be read; {runtime} runs the nets")


def companion_at_work(settings: Settings) -> bool:
    """Whether a companion is running with this data folder just now."""
    return is_busy(settings.data_folder)


def pack_report(bundle: Path, findings: str, settings: Settings) -> tuple[str, ...]:
    """Write the ZIP `bundle` for somebody who helps; returns the names of what is in it.

    Secrets stand in it nowhere. What can't be read is left out, and its place says why. Raises OSError when
    it can't be written.
    """
    folder, plain = settings.data_folder, _without_secrets(settings)
    parts: dict[str, Callable[[], str]] = {
        "findings.txt": lambda: findings,
        "settings.json": lambda: json.dumps(plain, indent=2, default=str),
        "log.txt": _log,
        "dudo.log": lambda: (folder / "dudo.log").read_text(errors="replace"),
        "calibration.json": lambda: (folder / "calibration.json").read_text(errors="replace"),
        "games.jsonl": lambda: _games(folder / GAMES),
    }
    known = tuple(_secrets(settings))
    with private_files(), zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, masked(_or_reason(content), known))
        for name, picture in _pictures(folder):
            archive.writestr(name, picture)
        return tuple(archive.namelist())


UNIT = "dudo-companion.service"
_LOG_LINES = 3000
_PICTURES = 20


def _without_secrets(settings: Settings) -> Mapping[str, object]:
    plain = dataclasses.asdict(dataclasses.replace(settings, pins=dict(settings.pins)))
    for section, key in _secret_keys():
        plain[section][key] = plain[section][key] and HIDDEN
    return plain


def _secret_keys() -> Iterator[tuple[str, str]]:
    return ((row.section, row.key) for row in table() if row.secret)


def _secrets(settings: Settings) -> Iterator[str]:
    """What is secret of the settings, of the files that they name, and of the phones that were let in."""
    yield from (getattr(getattr(settings, section), key) for section, key in _secret_keys())
    for path in (settings.mqtt.password_file, settings.webhook.secret_file):
        if path:
            with suppress(OSError), Path(path).expanduser().open(encoding="utf-8", errors="replace") as file:
                yield file.readline()
    with suppress(OSError):
        yield from (settings.data_folder / ACCESS).read_text(errors="replace").split()


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
