"""The cameras of this machine that Linux knows, and the programs that hold them. Reads /sys and /proc
only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

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


def usb_cameras(sys_video: Path = SYS_VIDEO) -> tuple[VideoDevice, ...]:
    """The USB cameras, by number. A Pi's codecs and a camera's second, picture-less node are left out."""
    found = []
    for entry in sys_video.iterdir() if sys_video.is_dir() else ():
        digits = entry.name.removeprefix("video")
        driver = (entry / "device" / "driver").resolve().name
        if digits.isdigit() and driver == _USB_DRIVER and _text(entry / "index") in ("", "0"):
            found.append(VideoDevice(int(digits), _text(entry / "name") or "USB camera"))
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
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
