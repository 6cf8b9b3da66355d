"""Examines this machine for single commands: its wiring, its parts, a companion at work, and what the
settings name; and packs a report for somebody who helps, without secrets."""

from __future__ import annotations

import dataclasses
import http.client
import json
import shutil
import sqlite3
import ssl
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from companion.addresses import EVERYWHERE, is_here
from companion.app.system.https import FILE as CERTIFICATE
from companion.app.system.https import kept, load, read
from companion.app.system.log import HIDDEN, masked
from companion.errors import Explained, NoHttps
from companion.json_types import Body
from companion.outside.connection import OutsideFault, broker_fault, secret_in
from companion.outside.webhook import check_address
from companion.reveal.evidence import FILE as EVIDENCE
from companion.settings import Settings, table
from companion.storage.database import connected
from companion.storage.journal import Journal
from companion.storage.side_files import ASIDE
from companion.table.folder import FILE as ACCESS
from companion.table.folder import is_busy, private_files
from companion.table.resuming import GAMES, without_dice
from companion.table.wire.state import CameraHealthJson, HealthJson, OutletHealthJson
from companion.texts import knows, translate
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
    at_work, port = is_busy(settings.data_folder), settings.web.port
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
        *health,
        *https_findings(settings),
        *access_findings(settings),
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


ANSWER_S = 10.0

RESTART = "Restart it, as a service with: sudo systemctl restart dudo-companion"
WARM_C = 80.0
"""From here on a Raspberry Pi slows down. Source: its documentation, frequency management."""

_NONSENSE, _ENCRYPTED = cast(HealthJson, {}), cast(HealthJson, {"ok": False})


def ask(host: str, port: int) -> HealthJson | None:
    """The companion's own account of itself; None where nobody listens, empty where no sense comes of it."""
    here = "127.0.0.1" if host in EVERYWHERE else host
    answer = _asked(http.client.HTTPConnection(here, port, timeout=ANSWER_S))
    if answer is not _ENCRYPTED:
        return answer
    trusting = ssl._create_unverified_context()
    return _asked(http.client.HTTPSConnection(here, port, timeout=ANSWER_S, context=trusting))


def _asked(connection: http.client.HTTPConnection) -> HealthJson | None:
    try:
        connection.request("GET", "/api/v1/health")
        answer = connection.getresponse()
        if answer.status == http.HTTPStatus.PERMANENT_REDIRECT:
            return _ENCRYPTED
        health = json.loads(answer.read()) if answer.status == 200 else None
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException, ValueError):
        return _NONSENSE
    finally:
        connection.close()
    return cast(HealthJson, health) if isinstance(health, dict) and "ok" in health else _NONSENSE


def service_findings(health: HealthJson | None, port: int) -> Iterator[Finding]:
    """Findings from the health document. Pure."""
    if not health:
        other = f"the companion is running, but its page is not at port {port}: perhaps at another"
        silent = f"the companion is running, but its page does not answer at port {port}"
        elsewhere = Finding("companion", "note", other)
        yield elsewhere if health is None else Finding("companion", "bad", silent, RESTART)
        return
    level = "good" if health["ok"] else "bad"
    hours = health.get("running_s", 0) / 3600
    yield Finding("companion", level, f"running for {hours:.1f} hours", "" if health["ok"] else RESTART)
    for name in health.get("silent", ()):
        yield Finding("companion", "bad", f"its thread “{name}” hangs", RESTART)
    journal = health.get("journal")
    if journal and not journal.get("writable", True):
        yield Finding("journal", "bad", "games cannot be written", "Make room on the card, or replace it.")
    for reason in health.get("faults", ()):
        yield Finding("companion", "bad", _sentence(reason))
    if camera := health.get("camera"):
        yield from _camera(camera)
    yield from _warmth(health.get("temperature_c"))
    for name, outlet in health.get("outside", {}).items():
        yield _outlet(name, outlet)


def _camera(camera: CameraHealthJson) -> Iterator[Finding]:
    if camera.get("fault"):
        return
    age_s = camera.get("frame_age_s")
    seen = "no picture yet" if age_s is None else f"last picture {age_s:.0f} s ago"
    yield Finding("camera", "good", f"{camera['name']}, {seen}")


def _warmth(celsius: float | None) -> Iterator[Finding]:
    if celsius is not None:
        warm = celsius >= WARM_C
        hint = "Let air reach the processor." if warm else ""
        yield Finding("machine", "note" if warm else "good", f"the processor is at {celsius:.0f} °C", hint)


def _outlet(name: str, outlet: OutletHealthJson) -> Finding:
    """A broker that is away is no fault of the box."""
    if outlet["fault"]:
        key = f"errors.{outlet['fault']}"
        return Finding(name, "note", translate("en", key) if knows(key) else outlet["fault"])
    dropped = f", {outlet['dropped']} events were dropped" if outlet["dropped"] else ""
    return Finding(name, "good", f"{'connected' if outlet['connected'] else 'nothing sent yet'}{dropped}")


def _sentence(reason: str) -> str:
    key = f"web.faults.{reason}"
    return translate("en", key, parts="") if knows(key) else reason


def access_findings(settings: Settings) -> Iterator[Finding]:
    """Where phones come in, and who may do everything.

    A further name is mostly that of a server in between, on this very box. One that leaves no sign makes
    everybody who comes through it a browser on the box."""
    web = settings.web
    if not is_here(web.host):
        words = f"[web] host: {web.host} is no address of this machine: the default is in force"
        yield Finding("access", "bad", words, "correct it, then restart")
    if web.hosts and web.local_leads:
        words = f"the page is also called {web.hosts}, and a browser on the box may do everything"
        hint = "If a server on this box sends requests on: set web.local_leads = false."
        yield Finding("access", "note", words, hint)


def outside_findings(settings: Settings) -> Iterator[Finding]:
    """What the broker and the webhook of the settings lack; nothing where neither is named."""
    if settings.mqtt.host:
        fault = broker_fault(settings.mqtt)
        good = "the broker lets the box in"
        yield Finding("mqtt", "note", str(fault)) if fault else Finding("mqtt", "good", good)
    if settings.webhook.url:
        try:
            check_address(settings.webhook.url)
            secret_in(settings.webhook.secret_file, OutsideFault("webhook_secret"))
        except OutsideFault as error:
            yield Finding("webhook", "note", str(error))
        else:
            yield Finding("webhook", "good", "its address and its secret are there")


def https_findings(settings: Settings) -> Iterator[Finding]:
    """What `dudo doctor` finds of https, where the settings want it. Nothing is made."""
    if not settings.web.https:
        return
    path = settings.data_folder / CERTIFICATE
    try:
        pem = kept(path)
        if pem is None:
            read(b"")
            yield Finding("https", "good", "a certificate is made when the companion starts")
            return
        load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), path)
    except NoHttps as error:
        yield Finding("https", "bad", f"the page is served by http: {error}")
        return
    yield _certificate(pem, path)


def _certificate(pem: bytes, path: Path) -> Finding:
    """The finding about a certificate that is served."""
    found = None
    with suppress(NoHttps):
        found = read(pem)
    if found is None or not found.own:
        ended = found is not None and found.until <= datetime.now(UTC)
        hint = f"Replace {path}, or delete it." if ended else ""
        return Finding("https", "bad" if ended else "good", f"served with the certificate in {path}", hint)
    return Finding("https", "good", f"served with the box's own https, until {found.until:%Y-%m-%d}")
