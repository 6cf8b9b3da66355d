"""Which camera: by name, or chosen with a reason that is told."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.cameras.devices import usb_cameras
from hardware.cameras.pi import PiMemory, PiOptions, open_pi
from hardware.cameras.reconnecting import SteadyCamera
from hardware.cameras.simulated import SimulatedCamera
from hardware.errors import WrongChoice
from hardware.gpio.pins import pi_model
from hardware.optics.pixels import Image
from hardware.ports import Camera, Clock

if TYPE_CHECKING:
    from hardware.cameras.folder import FolderCamera

    BoxCamera = SimulatedCamera | SteadyCamera | FolderCamera

KINDS = ("auto", "pi", "usb", "folder", "simulated")
_NAMES = "auto, pi, pi:N, usb, usb:N, folder:PATH or simulated"


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of camera, what follows the colon, and why it was chosen."""

    kind: str
    detail: str
    why: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What matters of a machine for the choice of a camera."""

    model: str
    has_picamera2: bool
    usb: tuple[str, ...]


def this_machine() -> Machine:
    """The machine we are on. Looks for picamera2 without importing it, because that opens devices."""
    has_picamera2 = importlib.util.find_spec("picamera2") is not None
    return Machine(pi_model(), has_picamera2, tuple(f"{c.name} at {c.path}" for c in usb_cameras()))


def choose(asked: str, machine: Machine) -> Choice:
    """The camera that `asked` means on `machine`; raises WrongChoice for a name that is none.

    `auto` never switches on a laptop's own camera, which looks at faces and not at a table, and never shows
    simulated dice on a box that is a Raspberry Pi.
    """
    kind, _, detail = asked.strip().partition(":")
    if kind not in KINDS:
        raise WrongChoice(f"There is no camera called “{asked}”.", f"Use {_NAMES}.")
    if kind in ("pi", "usb") and detail and not detail.isdigit():
        raise WrongChoice(f"“{detail}” is no number of a camera.", f"Use {kind} or {kind}:0.")
    if kind == "folder" and not detail:
        raise WrongChoice("A folder camera needs a folder.", "Use folder:PATH.")
    if kind != "auto":
        return Choice(kind, detail, f"{asked}, because the settings ask for it")
    return _by_machine(machine)


def _by_machine(machine: Machine) -> Choice:
    if machine.model and machine.usb and not machine.has_picamera2:
        return Choice(
            "usb", "", f"{machine.usb[0]}, because picamera2 is not installed on this {machine.model}"
        )
    if machine.model:
        return Choice("pi", "", f"the Pi's own camera, because this is a {machine.model}")
    if machine.usb:
        return Choice("simulated", "", f"simulated table; for {machine.usb[0]} set the camera to usb")
    return Choice("simulated", "", "simulated table, because there is no camera on this machine")


def open_camera(
    asked: str,
    *,
    clock: Clock,
    draw: Callable[[], Image] | None = None,
    pi_options: PiOptions | None = None,
    machine: Machine | None = None,
) -> BoxCamera:
    """The camera that `asked` names: "auto", "pi[:N]", "usb[:N]", "folder:PATH" or "simulated".

    Its `why` says what was chosen and why. Raises WrongChoice for a wrong name, and for a simulated table
    without `draw`. A camera that is missing or busy raises when it is used, and is tried again each time.
    """
    choice = choose(asked, machine or this_machine())
    if choice.kind == "simulated":
        if draw is None:
            raise WrongChoice("The simulated table is not wanted here.", "Choose a real camera or a folder.")
        return SimulatedCamera(draw, clock, choice.why)
    if choice.kind == "folder":
        return _folder(choice, clock)
    if choice.kind == "usb":
        return SteadyCamera("USB camera", choice.why, _usb(choice, clock), clock)
    return SteadyCamera("Pi camera", choice.why, _pi(choice, clock, pi_options), clock)


def _folder(choice: Choice, clock: Clock) -> FolderCamera:
    from hardware.cameras.folder import FolderCamera

    return FolderCamera(Path(choice.detail).expanduser(), clock, why=choice.why)


def _usb(choice: Choice, clock: Clock) -> Callable[[], Camera]:
    from hardware.cameras.usb import open_usb
    from hardware.cameras.usb_light import UsbMemory

    number, memory = int(choice.detail) if choice.detail else None, UsbMemory()
    return lambda: open_usb(number, clock, memory=memory)


def _pi(choice: Choice, clock: Clock, options: PiOptions | None) -> Callable[[], Camera]:
    given = options or PiOptions()
    asked = replace(given, number=int(choice.detail)) if choice.detail else given
    memory = PiMemory()
    return lambda: open_pi(clock, asked, memory)
