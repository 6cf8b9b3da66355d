"""Why a camera does not work, from whatever its library raised: picamera2 knows little but RuntimeError.
Which cameras Linux knows, and the programs that hold them, is read from /sys and /proc.

Errors are explained in the camera's own process; the box is the process that started it.
"""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hardware.errors import (
    CameraBusy,
    CameraMissing,
    CameraNoMemory,
    CameraNotStarting,
    CameraSoftwareMissing,
    HardwareError,
    NoPermission,
)

DEVICES = ("/dev/media", "/dev/video")
_NO_MEMORY = ("cannot allocate memory", "failed to allocate", "out of memory")
_BUSY = ("resource busy", "in use by another", "code: -16")
_INSTALL = "sudo apt install python3-picamera2, in an environment made with --system-site-packages."
_UPGRADE = "sudo apt update, then sudo apt full-upgrade."
_MISSING = ("not found", "no camera", "no such device")


def explained(error: BaseException, name: str, devices: tuple[str, ...] = DEVICES) -> HardwareError:
    """Our error for one of a camera's library; `devices` are the beginnings of its device files' paths."""
    if isinstance(error, HardwareError):
        return error
    if isinstance(error, ImportError):
        there = not isinstance(error, ModuleNotFoundError)  # but unlike its libcamera, after half an upgrade
        hint = _UPGRADE if there else _INSTALL
        return CameraSoftwareMissing(f"picamera2 can't be imported ({error}).", hint)
    causes = _causes(error)
    words = " ".join(str(cause) for cause in causes).lower()
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    if (
        _means(words, _NO_MEMORY)
        or errno.ENOMEM in numbers
        or any(isinstance(c, MemoryError) for c in causes)
    ):
        return CameraNoMemory(f"There is not enough memory for {name}.")
    if "permission" in words or numbers & {errno.EACCES, errno.EPERM}:
        return NoPermission(f"This user may not use {name}.")
    if _means(words, _MISSING) or numbers & {errno.ENODEV, errno.ENXIO, errno.ENOENT}:
        return CameraMissing(f"{name} was not found.")
    busy = _means(words, _BUSY) or errno.EBUSY in numbers
    return held(name, devices, busy=busy) or CameraNotStarting(f"{name} does not start ({causes[-1]}).")


def held(name: str, devices: tuple[str, ...] = DEVICES, *, busy: bool = False) -> HardwareError | None:
    """Who holds the camera: another program, or an earlier process of the box; None if nobody is seen.

    With `busy` the camera itself said so: then it is a program of another user, which can't be seen.
    """
    known = holders(devices, os.getppid())
    for one in known:
        if not one.ours:
            return CameraBusy(f"{name} is used by {one}.")
    if known:
        words = f"{name} is still held by an attempt of the box that can't be ended (process {known[0].pid})."
        return CameraNotStarting(words, "Switch the box off and on again.")
    return CameraBusy(f"{name} is used by another user's program.") if busy else None


def _causes(error: BaseException) -> list[BaseException]:
    """The error and what it came of, the first cause last."""
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        following = following.__cause__ or following.__context__
    return chain


def _means(words: str, any_of: tuple[str, ...]) -> bool:
    return any(known in words for known in any_of)


SYS_VIDEO = Path("/sys/class/video4linux")
PROC = Path("/proc")
_USB_DRIVER = "uvcvideo"


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """One USB camera: /dev/video`number`, called `name` by its maker."""

    number: int
    name: str

    @property
    def path(self) -> Path:
        return Path(f"/dev/video{self.number}")


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a device open; `ours` when it belongs to the box itself."""

    pid: int
    program: str
    ours: bool = False

    def __str__(self) -> str:
        return f"{self.program} (process {self.pid})"


_INFRARED = re.compile(r"\bIR\b|: Integrated I$|infra-?red", re.IGNORECASE)
"""In a name; the kernel cuts it after 31 letters, of "Integrated Camera: Integrated IR" too."""


def usb_cameras(sys_video: Path = SYS_VIDEO) -> tuple[VideoDevice, ...]:
    """The USB cameras, by number. A Pi's codecs, a camera's second, picture-less node, and cameras that see
    infrared alone, as laptops have for faces, are left out."""
    found = []
    for entry in sys_video.iterdir() if sys_video.is_dir() else ():
        digits = entry.name.removeprefix("video")
        driver = (entry / "device" / "driver").resolve().name
        name = _text(entry / "name") or "USB camera"
        if digits.isdigit() and driver == _USB_DRIVER and _text(entry / "index") in ("", "0"):
            found += [] if _INFRARED.search(name) else [VideoDevice(int(digits), name)]
    return tuple(sorted(found, key=lambda device: device.number))


def holders(prefixes: tuple[str, ...], box: int, proc: Path = PROC) -> tuple[Holder, ...]:
    """The programs that have a device open whose path starts with one of `prefixes`, except this process.

    `box` is the process that is the box: it and all it started are `ours`. Without root only the user's own
    programs can be seen.
    """
    found = []
    for entry in proc.iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid() and _has_open(entry, prefixes):
            pid = int(entry.name)
            found.append(Holder(pid, _text(entry / "comm") or "a program", _descends(pid, box, proc)))
    return tuple(found)


def _descends(pid: int, ancestor: int, proc: Path) -> bool:
    """Whether a process is `ancestor` or was started by it or by one that it started."""
    while pid not in (ancestor, 0):
        fields = _text(proc / str(pid) / "stat").rpartition(")")[2].split()
        pid = int(fields[1]) if len(fields) > 1 else 0
    return pid == ancestor


def _has_open(process: Path, prefixes: tuple[str, ...]) -> bool:
    try:
        links = [os.readlink(link) for link in (process / "fd").iterdir()]
    except OSError:
        return False
    return any(link.startswith(prefixes) for link in links)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
