"""Examines this machine for single commands: its wiring, cameras and parts, and whether they work; and packs
a report for somebody who helps, without secrets."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.app.findings import access_findings, ask, https_findings, outside_findings, service_findings
from companion.app.system.log import HIDDEN, masked
from companion.errors import Explained
from companion.json_types import Body
from companion.reveal.evidence import FILE as EVIDENCE
from companion.settings import SECTIONS, Settings
from companion.side_files import ASIDE, SideFile
from companion.storage.database import connected
from companion.storage.journal import Journal
from companion.table.folder import FILE as ACCESS
from companion.table.folder import is_busy, private_files
from companion.table.resuming import GAMES, without_dice
from companion.texts import translate
from hardware.buttons import keys
from hardware.buttons.evdev_keys import EvdevKeys
from hardware.calibration.advice import Advice
from hardware.calibration.calibrator import FILE, Calibration, Calibrator, parsed, pi_options, written
from hardware.cameras.choose import open_camera
from hardware.cameras.deviceless import PhonesCamera
from hardware.clock import SystemClock
from hardware.diagnostics.doctor import Finding, as_text, examine
from hardware.diagnostics.selftest import Bench, ButtonReport, KeyLearning, PictureReport, open_bench
from hardware.gpio import wiring_table
from hardware.gpio.breadboard_drawing import breadboard_svg
from hardware.gpio.drawing import wiring_svg
from hardware.gpio.wiring import wiring_from
from hardware.optics.plan import LENSES, plan_text
from vision.arrays import Image

PHONES = PhonesCamera.name
"""The name of a camera that phones are: nothing of it can be tested or calibrated here."""

OpenBench: TypeAlias = Bench
OneButton: TypeAlias = ButtonReport
OnePicture: TypeAlias = PictureReport
LearntKeys: TypeAlias = KeyLearning
"""What a test of the parts works with, for commands, which know no hardware."""


@dataclass(frozen=True, slots=True)
class WiringPlan:
    """A wiring as a table for people, as plain data, and as two SVG drawings: circuits and breadboard."""

    text: str
    data: dict[str, object]
    circuit: str
    breadboard: str


def wiring_plan(settings: Settings) -> WiringPlan:
    """The wiring of the settings. Raises ValueError with every fault of a wiring that cannot work."""
    wiring = wiring_from(settings.pins, settings.box.strip)
    return WiringPlan(
        wiring_table.as_text(wiring),
        wiring_table.as_data(wiring),
        wiring_svg(wiring),
        breadboard_svg(wiring),
    )


def camera_plan(die_mm: float, height_mm: float | None, lenses: tuple[str, ...]) -> str:
    """How high each camera must be, as text for people. Raises ValueError for a lens that is not known."""
    known = [lens.key for lens in LENSES]
    if unknown := [key for key in lenses if key not in known]:
        raise ValueError(f"There is no camera called {unknown[0]}; there are {', '.join(known)}.")
    return plan_text(die_mm, height_mm, lenses)


def examine_machine(settings: Settings) -> tuple[str, bool]:
    """Findings of `dudo doctor` as text for people, and whether nothing is bad."""
    at_work = companion_at_work(settings)
    findings = examine(
        lambda: wiring_from(settings.pins, settings.box.strip),
        settings.box.pins,
        settings.camera.use,
        settings.data_folder,
        SystemClock(),
        at_work=at_work,
    )
    if at_work:
        health = ask(settings.web.host, settings.web.port)
        findings += tuple(Finding(*found) for found in service_findings(health, settings.web.port))
    else:
        findings += tuple(Finding(*found) for found in outside_findings(settings))
    findings += tuple(Finding(*found) for found in (*https_findings(settings), *access_findings(settings)))
    findings += tuple(_set_aside(settings))
    findings = (*findings, _reading_works(settings.camera.reader))
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

        photographs.get_ready(reader)
        runtime = photographs.load_what_waits_for_dice()
    except Exception as error:  # a doctor must not fall ill: whatever it is, it is a finding
        hint = error.hint if isinstance(error, Explained) else "install the project again"
        return Finding("reading", "bad", str(error).removesuffix(f": {hint}"), hint)
    return Finding("reading", "good", f"pictures can be read; {runtime} runs the nets")


def companion_at_work(settings: Settings) -> bool:
    """Whether a companion is running with this data folder just now."""
    return is_busy(settings.data_folder)


def hardware_bench(settings: Settings) -> Bench:
    """Every part of the box opened for a test: a `hardware.diagnostics.selftest.Bench`; close it after use.

    Raises ValueError, OSError or ImportError with sentence and hint when the box can't be opened.
    """
    if settings.box.pins != "mock":
        _refuse_beside_the_companion(settings, "hardware-test")
    wiring = wiring_from(settings.pins, settings.box.strip)
    known = _calibrated(settings).read(parsed, None)
    options = pi_options(known, mains_hz=settings.camera.flicker_hz)
    return open_bench(
        wiring,
        settings.box.pins,
        settings.camera.use,
        SystemClock(),
        _drawn_dice,
        options,
    )


def key_learning(settings: Settings) -> KeyLearning:
    """All keyboards of this machine, to learn keys for the buttons of the settings. Raises ValueError with
    every fault of a wiring that cannot work."""
    buttons = tuple(name for name, _ in wiring_from(settings.pins, settings.box.strip).buttons)
    clock, file = SystemClock(), SideFile(settings.data_folder / keys.FILE)
    return KeyLearning(EvdevKeys(clock), buttons, lambda learnt: file.write(keys.written(learnt)), clock)


def _refuse_beside_the_companion(settings: Settings, page: str) -> None:
    """Raises OSError where a companion holds pins and camera; its own page does the same work."""
    if companion_at_work(settings):
        address = f"http://localhost:{settings.web.port}/{page}"
        stop = "sudo systemctl stop dudo-companion"
        raise OSError(f"The companion is running: use its page {address}, or stop it first ({stop}).")


def pack_report(bundle: Path, findings: str, settings: Settings) -> tuple[str, ...]:
    """Write a report for somebody who helps, without secrets; returns the names of what is in it.

    Raises OSError when it cannot be written."""
    plain = dataclasses.asdict(dataclasses.replace(settings, pins=dict(settings.pins)))
    known = [*_first_lines(settings)]
    for section, kind in SECTIONS.items():
        for item in dataclasses.fields(kind):
            if item.metadata["secret"] and (value := plain[section][item.name]):
                known.append(value)
                plain[section][item.name] = HIDDEN
    return pack(bundle, findings=findings, settings=plain, secrets=known, data_folder=settings.data_folder)


def _first_lines(settings: Settings) -> Iterator[str]:
    """What stands in the files of secrets that the settings name."""
    for path in (settings.mqtt.password_file, settings.webhook.secret_file):
        if path:
            with suppress(OSError), Path(path).expanduser().open(encoding="utf-8", errors="replace") as file:
                yield file.readline()


def calibrate_camera(settings: Settings, *, empty: bool = False) -> tuple[str, ...]:
    """Focus and measure the camera, or with `empty` record the table without dice; keep the result and return
    it in lines for people.

    Raises ValueError, OSError or ImportError with sentence and hint when there is no picture, and the errors
    of `get_ready`.
    """
    if settings.camera.use == PHONES:
        raise ValueError("Phones take the pictures, so there is nothing to calibrate.")
    from companion.app.reading import photographs  # here: most commands of this module read no picture
    from companion.app.reading.reader import Reader

    if settings.camera.use != "simulated":
        _refuse_beside_the_companion(settings, "calibrate")
    if not empty:
        photographs.get_ready()
    file = _calibrated(settings)
    options = pi_options(None, mains_hz=settings.camera.flicker_hz)
    camera = open_camera(settings.camera.use, clock=SystemClock(), draw=_drawn_dice, pi_options=options)
    calibrator = Calibrator(camera, Reader().dice, file.read(parsed, None))
    try:
        advice = calibrator.empty() if empty else (*calibrator.focus(), *calibrator.dice())
    finally:
        camera.close()
    file.write(written(calibrator.found))
    lines = [f"Camera: {camera.why}.", *([] if empty else _found_lines(calibrator.found))]
    return (*lines, *map(advice_words, advice), f"Kept in {file.path}.")


def _calibrated(settings: Settings) -> SideFile:
    return SideFile(settings.data_folder / FILE)


def _found_lines(found: Calibration) -> list[str]:
    """Lines that describe the result of a calibration."""
    lines = [f"Sharpness {found.sharpness:.0f}, brightness {found.brightness:.0%}."]
    lines += [f"Dice are {found.die_px:.0f} pixels wide."] if found.die_px else []
    lines += [] if found.tilt_deg is None else [f"The camera leans by {found.tilt_deg:.0f} degrees."]
    lines += [f"Lens position {found.lens_position:.2f}."] if found.lens_position is not None else []
    return lines


def advice_words(advice: Advice) -> str:
    """The sentence of a `hardware.calibration.advice.Advice`."""
    return translate("en", f"advice.{advice.key}", **dict(advice.values))


def _drawn_dice() -> Image:
    """A picture of six dice for a test of the simulated table."""
    from hardware.cameras.simulated_dice import laid

    return laid([(face, "ivory") for face in range(1, 7)], 1).image_bgr


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
        yield from (data_folder / ACCESS).read_text(errors="replace").split()


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
