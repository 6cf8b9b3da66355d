"""Finds faults of this machine as a box: findings with a hint, each found on its own."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hardware.buttons.pin_buttons import PinButtons
from hardware.cameras.choose import choose, open_camera, this_machine
from hardware.errors import HardwareError
from hardware.gpio.pins import choose_pins, open_pins, pi_model
from hardware.gpio.wiring import Wiring
from hardware.lamps.pin_lights import PinLights
from hardware.lamps.strip import Strip
from hardware.ports import Clock

if sys.platform != "win32":
    import grp

MIN_FREE_MB = 200
_GROUPS = ("gpio", "video")
_THROTTLING = {
    0: "the voltage is too low now",
    1: "the processor's clock is limited now",
    2: "the processor is throttled now",
    3: "the processor is near its temperature limit now",
    16: "the voltage was too low since the start",
    17: "the processor's clock was limited since the start",
    18: "the processor was throttled since the start",
    19: "the processor was near its temperature limit since the start",
}


class Finding(NamedTuple):
    """The result of one check. `level` is "good", "note" or "bad"; `hint` is what helps, if anything."""

    topic: str
    level: str
    words: str
    hint: str = ""


Check = Callable[[], Iterable[Finding]]


def examine(
    wiring: Callable[[], Wiring],
    pins: str,
    camera: str,
    data_folder: Path,
    clock: Clock,
    *,
    at_work: bool = False,
) -> tuple[Finding, ...]:
    """Everything there is to find; `wiring` gives the wiring or raises its faults.

    While the companion is `at_work` its pins and camera are left to it. Nothing here raises; what can't be
    looked at is a finding too.
    """
    checks: tuple[tuple[str, Check], ...] = (
        ("machine", _machine),
        ("power", lambda: power(_throttled())),
        ("disk", lambda: disk(data_folder)),
        ("groups", lambda: groups(pi_model(), _own_groups())),
        ("libraries", lambda: software(libraries())),
    )
    parts: tuple[tuple[str, Check], ...] = (
        ("pins", lambda: _pins(wiring, pins, clock)),
        ("camera", lambda: _camera(camera, clock)),
    )
    checks += (("companion", _at_work),) if at_work else parts
    return tuple(finding for topic, check in checks for finding in _guarded(topic, check))


def _at_work() -> Iterable[Finding]:
    words = "the companion is running: pins and camera were left to it; its page tells of their faults"
    yield Finding("companion", "good", words)


def as_text(findings: Iterable[Finding]) -> str:
    """The findings for a terminal, one per line, the hint below."""
    marks = {"good": "ok  ", "note": "note", "bad": "BAD "}
    lines = []
    for finding in findings:
        lines.append(f"{marks[finding.level]} {finding.topic:<10} {finding.words}")
        lines += [f"     {'':<10} -> {finding.hint}"] if finding.hint else []
    return "\n".join(lines)


def _guarded(topic: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(check())
    except HardwareError as error:
        return [Finding(topic, "bad", error.sentence, error.hint)]
    except Exception as error:  # a doctor must not fall ill: whatever it is, it is a finding
        return [Finding(topic, "bad", f"could not be looked at ({type(error).__name__}: {error})")]


def _machine() -> Iterable[Finding]:
    model = pi_model() or f"{platform.machine()}, no Raspberry Pi"
    system = platform.system()
    with suppress(OSError):  # Windows and macOS have no such file
        system = platform.freedesktop_os_release().get("PRETTY_NAME", system)
    yield Finding("machine", "good", f"{model}; {system}; kernel {platform.release()}")
    yield Finding("machine", "good", f"Python {sys.version.split()[0]} in {sys.prefix}")


def _throttled() -> str | None:
    """The firmware's state of the power supply; None where there is no such firmware."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    asked = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=False)
    return asked.stdout.strip()


def power(answer: str | None) -> Iterable[Finding]:
    """The findings in the answer of `vcgencmd get_throttled`, as "throttled=0x50005"."""
    if answer is None:
        return
    _, _, number = answer.partition("=")
    try:
        bits = int(number, 16)
    except ValueError:
        yield Finding("power", "note", f"vcgencmd says “{answer}”, which is not understood")
        return
    hint = "Use the Raspberry Pi's own power supply and a short, thick cable; let air reach the processor."
    for bit, words in _THROTTLING.items():
        if bits >> bit & 1:
            yield Finding("power", "bad" if bit < 16 else "note", words, hint)
    if not bits:
        yield Finding("power", "good", "voltage and temperature were always good")


def disk(folder: Path) -> Iterable[Finding]:
    """Whether there is room for the journal, and whether it can be written."""
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free_mb = shutil.disk_usage(existing).free // 1_000_000
    level, hint = ("good", "") if free_mb >= MIN_FREE_MB else ("bad", "Delete what is not needed.")
    yield Finding("disk", level, f"{free_mb} MB free for {folder}", hint)
    if not os.access(existing, os.W_OK):
        yield Finding("disk", "bad", f"{existing} can't be written", f"Run: sudo chown $USER {existing}")


def _own_groups() -> frozenset[str]:
    names = set[str]()
    if sys.platform != "win32":
        for number in {*os.getgroups(), os.getegid()}:
            try:
                names.add(grp.getgrgid(number).gr_name)
            except KeyError:
                names.add(str(number))
    return frozenset(names)


def groups(model: str, own: frozenset[str]) -> Iterable[Finding]:
    """Whether the user may use pins and camera; only a Raspberry Pi has these groups to look for."""
    missing = [group for group in _GROUPS if group not in own]
    if sys.platform == "win32" or not model or os.geteuid() == 0:
        return
    if missing:
        hint = f"Run: sudo usermod -aG {','.join(missing)} $USER, then log in again."
        yield Finding("groups", "bad", f"this user is not in {' and '.join(missing)}", hint)
    else:
        yield Finding("groups", "good", f"this user is in {' and '.join(_GROUPS)}")


def software(found: tuple[Library, ...]) -> Iterable[Finding]:
    """Versions and origins; libraries of the Pi are missed only on a Pi."""
    model = pi_model()
    for library in found:
        if library.place is not None:
            yield Finding("libraries", "good", f"{library.name} {library.version} from {library.place}")
        elif model and library.name in ("lgpio", "picamera2", "libcamera"):
            hint = f"Run: sudo apt install python3-{library.name}"
            yield Finding("libraries", "bad", f"{library.name} is not installed", hint)
    by_name = {library.name: library for library in found}
    camera, numpy = by_name.get("picamera2"), by_name.get("numpy")
    if camera and numpy and camera.from_system and not numpy.from_system:
        # it is compiled against the system's
        words = f"picamera2 comes from the system but numpy from {numpy.place}"
        yield Finding("libraries", "bad", words, "Remove numpy from the environment.")


def _pins(give_wiring: Callable[[], Wiring], choice: str, clock: Clock) -> Iterable[Finding]:
    """Open every pin of the wiring once, and give it back."""
    wiring = give_wiring()
    _, why = choose_pins(choice, pi_model())
    with closing(open_pins(choice, clock)) as opened:
        strip = Strip(wiring.strip, simulated=opened.simulated) if wiring.strip else None
        with (
            closing(PinButtons(wiring, opened)) as buttons,
            closing(PinLights(wiring, opened, clock, strip)) as lights,
        ):
            faults = (*lights.faults(), *buttons.faults())
    yield Finding("pins", "good", f"{why}; {len(wiring.parts())} pins tried, faults: {len(faults)}")
    for fault in faults:
        yield Finding("pins", "bad", fault.sentence, fault.hint)


def _camera(choice: str, clock: Clock) -> Iterable[Finding]:
    """Take one picture, unless the table is simulated."""
    machine = this_machine(choice)
    chosen = choose(choice, machine)
    if chosen.kind in ("simulated", "phones"):
        real = "With real dice phones take the pictures: choose that at set-up."
        hint = real if chosen.kind == "simulated" else ""
        yield Finding("camera", "good", chosen.why, hint)
        return
    with closing(open_camera(choice, clock=clock, machine=machine)) as camera:
        frame = camera.capture(10.0)
    height, width = frame.image_bgr.shape[:2]
    yield Finding("camera", "good", f"{chosen.why}; gives pictures of {width} x {height} pixels")


MODULES = ("numpy", "cv2", "flask", "gpiozero", "lgpio", "picamera2", "libcamera")
PACKAGES = {"cv2": ("opencv-python-headless", "opencv-python", "opencv")}
"""What brings a module that is called otherwise."""


@dataclass(frozen=True, slots=True)
class Library:
    """One library: `version` is "" when unknown, `place` None when it is not installed."""

    name: str
    version: str
    place: Path | None

    @property
    def from_system(self) -> bool:
        """Whether the operating system's packages brought it."""
        return self.place is not None and self.place.is_relative_to("/usr/lib")


def libraries() -> tuple[Library, ...]:
    """Every library that matters."""
    return tuple(map(_library, MODULES))


def _library(module: str) -> Library:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return Library(module, "", None)
    return Library(module, _version(PACKAGES.get(module, (module,))), Path(spec.origin).parent)


def _version(packages: tuple[str, ...]) -> str:
    for name in packages:
        with suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(name)
    return ""
