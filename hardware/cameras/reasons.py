"""Why a camera does not work, from whatever its library raised: picamera2 knows little but RuntimeError.

This runs in the camera's own process; the box is the process that started it.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from hardware.cameras.devices import holders
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
MEMINFO = Path("/proc/meminfo")
_NO_MEMORY = ("cannot allocate memory", "failed to allocate", "out of memory")
_BUSY = ("resource busy", "in use by another", "code: -16")
_MISSING = ("not found", "no camera", "no such device")


def explained(error: BaseException, name: str, devices: tuple[str, ...] = DEVICES) -> HardwareError:
    """Our error for one of a camera's library; `devices` are the beginnings of its device files' paths."""
    if isinstance(error, HardwareError):
        return error
    if isinstance(error, ImportError):
        hint = "sudo apt install python3-picamera2, in an environment made with --system-site-packages."
        return CameraSoftwareMissing(f"picamera2 can't be imported ({error}).", hint)
    causes = _causes(error)
    words = " ".join(str(cause) for cause in causes).lower()
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    if (
        _means(words, _NO_MEMORY)
        or errno.ENOMEM in numbers
        or any(isinstance(c, MemoryError) for c in causes)
    ):
        return CameraNoMemory(f"There is not enough memory for {name}{_cma()}.")
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


def _cma(meminfo: Path = MEMINFO) -> str:
    """How much of the memory for devices is left, "" where there is none of its own."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
        total, free = (int(lines[key].split()[0]) // 1024 for key in ("CmaTotal", "CmaFree"))
    except (OSError, KeyError, ValueError, IndexError):
        return ""
    return f": of its {total} MB {free} are free" if total else ""
