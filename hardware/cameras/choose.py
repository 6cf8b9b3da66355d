"""The choice of a camera: by name, or automatic with a reason that people can read."""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hardware.cameras.deviceless import PhonesCamera, SimulatedCamera
from hardware.cameras.options import CameraOptions
from hardware.cameras.process import camera_worker
from hardware.cameras.reasons import usb_cameras
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.clock import SystemClock
from hardware.errors import CameraMissing, CameraSoftwareMissing, WrongChoice
from hardware.gpio.pins import pi_model
from hardware.ports import Camera, Clock
from hardware.worker import START_S, Worker

if TYPE_CHECKING:
    from hardware.optics.pixels import Image

KINDS = ("auto", "pi", "usb", "folder", "phones", "simulated")
_NAMED = {"pi": "Pi camera", "usb": "USB camera"}
_log = logging.getLogger(__name__)
_NAMES = "auto, pi, pi:N, usb, usb:N, usb:NAME, folder:PATH, phones or simulated"


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of camera, what follows the colon, and why it was chosen; `of_itself` by "auto"."""

    kind: str
    detail: str
    why: str
    of_itself: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts of a machine that the choice of a camera depends on.

    `own` is how many cameras of its own libcamera finds on a Pi; None where nobody asked or got an answer.
    """

    model: str
    has_picamera2: bool
    usb: tuple[str, ...]
    own: int | None = None


def this_machine(asked: str = "auto") -> Machine:
    """The machine we are on. Looks for picamera2 without importing it, because that opens devices.

    Only where a Pi has a USB camera and "auto" has to choose, libcamera is asked, too: it takes seconds.
    """
    has_picamera2 = importlib.util.find_spec("picamera2") is not None
    machine = Machine(pi_model(), has_picamera2, tuple(f"{c.name} at {c.path}" for c in usb_cameras()))
    if asked.strip() == "auto" and machine.model and machine.usb and has_picamera2:
        return replace(machine, own=_own_cameras())
    return machine


def _own_cameras() -> int | None:
    """How many cameras of its own libcamera finds on this Pi, asked in a process that may hang."""
    asking = Worker("hardware.cameras.pi", name="libcamera", clock=SystemClock())
    try:
        found = cast(int, asking.call("cameras_there", timeout_s=START_S))
    except CameraSoftwareMissing:
        return 0
    except Exception as error:  # whatever its libraries raise: then the Pi's own camera is tried
        _log.warning("libcamera does not say which cameras there are: %s", error)
        return None
    finally:
        asking.close()
    return found


def choose(asked: str, machine: Machine) -> Choice:
    """The camera that `asked` means on `machine`; raises WrongChoice for a name that is none.

    `auto` never switches on a laptop's own camera, which looks at faces and not at a table, and never shows
    simulated dice on a box that is a Raspberry Pi.
    """
    kind, _, detail = asked.strip().partition(":")
    if kind not in KINDS:
        raise WrongChoice(f"There is no camera called “{asked}”.", f"Use {_NAMES}.")
    if kind == "pi" and detail and not detail.isdigit():
        raise WrongChoice(f"“{detail}” is no number of a camera.", "Use pi or pi:0.")
    if kind == "folder" and not detail:
        raise WrongChoice("A folder camera needs a folder.", "Use folder:PATH.")
    if kind != "auto":
        return Choice(kind, detail, f"{asked}, because the settings ask for it")
    return replace(_by_machine(machine), of_itself=True)


def _by_machine(machine: Machine) -> Choice:
    if machine.model and machine.usb and not machine.has_picamera2:
        return Choice(
            "usb", "", f"{machine.usb[0]}, because picamera2 is not installed on this {machine.model}"
        )
    if machine.model and machine.usb and machine.own == 0:
        return Choice("usb", "", f"{machine.usb[0]}, because this {machine.model} has no camera of its own")
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
    options: CameraOptions | None = None,
    machine: Machine | None = None,
) -> Camera:
    """The camera that `asked` names: "auto", "pi[:N]", "usb[:N]", "usb:NAME", "folder:PATH", "phones" or
    "simulated".

    Its `why` says what was chosen and why. Raises WrongChoice for a wrong name, and for a simulated table
    without `draw`. A camera that is missing or busy raises when it is used, and is tried again each time.
    """
    choice = choose(asked, machine or this_machine(asked))
    if choice.kind == "simulated":
        if draw is None:
            raise WrongChoice("The simulated table is not wanted here.", "Choose a real camera or a folder.")
        return SimulatedCamera(draw, clock, choice.why)
    if choice.kind == "phones":
        return PhonesCamera(clock, choice.why)
    if choice.kind == "folder":
        from hardware.cameras.folder import FolderCamera

        return FolderCamera(Path(os.path.expanduser(choice.detail)), clock, why=choice.why)
    return _real(choice, clock, options or CameraOptions(), lambda: machine or this_machine())


def _real(
    choice: Choice, clock: Clock, options: CameraOptions, probe: Callable[[], Machine]
) -> ReconnectingCamera:
    """A camera in a process of its own. Where it is missing, and the choice was ours, it is made anew."""
    chosen = choice

    def start(memory: bytes) -> Worker:
        nonlocal chosen
        before = chosen
        if choice.of_itself and isinstance(camera.fault, CameraMissing | CameraSoftwareMissing):
            chosen = _by_machine(probe())
            camera.name, camera.why = _NAMED[chosen.kind], chosen.why
        return _in_process(chosen, clock, options, memory if chosen.kind == before.kind else b"")

    camera = ReconnectingCamera(_NAMED[choice.kind], choice.why, start, clock)
    return camera


def _in_process(choice: Choice, clock: Clock, options: CameraOptions, memory: bytes) -> Worker:
    if choice.kind == "usb":
        opener, wanted = "hardware.cameras.usb:open_usb", (choice.detail, options.mains_hz, options.usb_lens)
        return camera_worker(opener, memory, *wanted, name="USB camera", clock=clock)
    asked = replace(options, number=int(choice.detail)) if choice.detail else options
    return camera_worker("hardware.cameras.pi:open_pi", memory, asked, name="Pi camera", clock=clock)
