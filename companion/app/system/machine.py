"""Examines this machine for single commands: its wiring, cameras and parts, and whether they work."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.app.system import service_findings
from companion.app.system.bundle import pack
from companion.app.system.https import https_findings
from companion.app.system.log import HIDDEN
from companion.app.system.service_findings import access_findings, outside_findings
from companion.errors import Explained
from companion.settings import SECTIONS, Settings
from companion.side_files import ASIDE, SideFile
from companion.table.folder import is_busy
from companion.texts import translate
from hardware.buttons import keys
from hardware.buttons.evdev_keys import EvdevKeys
from hardware.calibration.advice import Advice
from hardware.calibration.calibrator import FILE, Calibration, Calibrator, parsed, pi_options, written
from hardware.cameras.choose import open_camera
from hardware.cameras.phones import PhonesCamera
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
    wiring = wiring_from(settings.pins)
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
        lambda: wiring_from(settings.pins),
        settings.box.pins,
        settings.camera.use,
        settings.data_folder,
        SystemClock(),
        at_work=at_work,
    )
    if at_work:
        health = service_findings.ask(settings.web.host, settings.web.port)
        findings += tuple(Finding(*found) for found in service_findings.findings(health, settings.web.port))
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
    wiring = wiring_from(settings.pins)
    known = _calibrated(settings).read(parsed, None)
    options = pi_options(known, mains_hz=settings.camera.flicker_hz)
    return open_bench(
        wiring,
        settings.box.pins,
        settings.camera.use,
        SystemClock(),
        _drawn_dice,
        options,
        settings.box.strip,
    )


def key_learning(settings: Settings) -> KeyLearning:
    """All keyboards of this machine, to learn keys for the buttons of the settings. Raises ValueError with
    every fault of a wiring that cannot work."""
    buttons = tuple(name for name, _ in wiring_from(settings.pins).buttons)
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
    lines += [f"Lens position {found.lens_dioptres:.2f} dioptres."] if found.lens_dioptres is not None else []
    return lines


def advice_words(advice: Advice) -> str:
    """The sentence of a `hardware.calibration.advice.Advice`."""
    return translate("en", f"advice.{advice.key}", **dict(advice.values))


def _drawn_dice() -> Image:
    """A picture of six dice for a test of the simulated table."""
    from hardware.cameras.simulated_dice import laid

    return laid([(face, "ivory") for face in range(1, 7)], 1).image_bgr
