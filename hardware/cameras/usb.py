"""USB cameras through OpenCV and V4L2. A call into the driver may hang: the box runs all this in a process of
its own (`hardware/cameras/process.py`)."""

from __future__ import annotations

import logging
import os
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.folder import small
from hardware.cameras.reasons import VideoDevice, explained, held, usb_cameras
from hardware.clock import SystemClock
from hardware.errors import CameraMissing, CameraNotStarting, CameraSilent, HardwareError, NoPermission
from hardware.optics.focus import focused
from hardware.optics.pixels import Image, checked
from hardware.ports import SENSOR_TIME, Clock, Focus, Frame

if sys.platform == "linux":
    import fcntl

_log = logging.getLogger(__name__)

SIZE_PX = (1920, 1080)
_OLD_FRAMES = 6
_WAITED_FOR_S = 0.010
_FAILED_GRABS = 3
_LENS_PICTURES = 12

OpenVideo = Callable[[str], cv2.VideoCapture]
LensRange = Callable[[Path], "tuple[float, float] | None"]


class UsbCamera:
    """One USB camera, open with its first picture taken: what follows comes at its own pace.

    Raises on opening CameraMissing, CameraBusy, CameraNotStarting, NoPermission, CameraSilent.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        open_video: OpenVideo | None = None,
        memory: UsbMemory | None = None,
        range_of: LensRange | None = None,
    ) -> None:
        self.name = f"USB camera {path}"
        self.memory = memory or UsbMemory()
        self._path, self._clock, self._range_of = path, clock, range_of or lens_range
        self._video = (open_video or _open_video)(str(path))
        try:
            if not self._video.isOpened():
                raise why_not_open(path)
            self._recall()
            self._newest()
        except HardwareError:
            self.close()
            raise

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A picture taken after this call began. Raises CameraSilent, CameraMissing, PictureUnreadable."""
        image = checked(self._newest(), self.name)
        taken_ms = self._video.get(cv2.CAP_PROP_POS_MSEC)  # the driver's own label, 0 where it gives none
        metadata = {SENSOR_TIME: taken_ms * 1e6} if taken_ms > 0 else {}
        return Frame(image, self._clock.now_s(), metadata)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The same, small."""
        frame = self.capture(timeout_s)
        return replace(frame, image_bgr=small(frame.image_bgr))

    def lock_exposure(self) -> tuple[str, ...]:
        """Let exposure and white balance settle, then keep them; returns what this camera does not keep.

        Raises as `capture` does.
        """
        self.unlock_exposure()
        known, refused = self.memory.refused, tuple(a.name for a in AUTOMATICS if not self._stopped(a))
        self.memory.refused = refused
        if refused and refused != known:
            _log.warning("%s moves its %s during a reveal", self.name, " and ".join(refused))
        return refused

    def unlock_exposure(self) -> None:
        """Give exposure and white balance back to the automatics."""
        self.memory.kept.clear()
        for automatic in AUTOMATICS:
            self._start(automatic)

    @property
    def lens_range(self) -> tuple[float, float] | None:
        """The lens positions that the driver takes, in units of its own; None where no lens moves."""
        return self._range_of(self._path)

    def focus(self) -> Focus | None:
        """As `optics.focus.focused`."""
        return focused(self)

    def set_lens(self, position: float) -> None:
        """Move the lens and keep it there, also over reopening. Raises as `capture`."""
        self.memory.lens = position
        self._hold_lens(position)
        for _ in range(_LENS_PICTURES):
            self._newest()

    def close(self) -> None:
        """Give the camera back; may be called twice."""
        self._video.release()

    def _recall(self) -> None:
        """A newly opened camera as it was: locked within a reveal, else automatic whatever came before."""
        if not self.memory.kept:
            self.unlock_exposure()
        for prop, value in self.memory.kept.items():
            self._video.set(prop, value)
        if self.memory.lens is not None:
            self._hold_lens(self.memory.lens)

    def _hold_lens(self, position: float) -> None:
        """Have the camera's own focusing leave the lens at a position."""
        self._video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._video.set(cv2.CAP_PROP_FOCUS, position)

    def _start(self, automatic: Automatic) -> None:
        any(self._video.set(automatic.switch, on) for on in automatic.on)

    def _stopped(self, automatic: Automatic) -> bool:
        """Let an automatic settle and switch it off; whether it is off and the picture still the same."""
        before, value = settled(self._newest), self._video.get(automatic.value)
        if not self._video.set(automatic.switch, automatic.off):
            return False
        if value > 0:
            self._video.set(automatic.value, value)
        for _ in range(_LATE_PICTURES):
            self._newest()
        if not alike([before, mean(self._newest())]):
            self._start(automatic)
            return False
        self.memory.kept[automatic.switch] = automatic.off
        if value > 0:
            self.memory.kept[automatic.value] = value
        return True

    def _newest(self) -> Image:
        """Pass over the pictures that waited in the driver: those come at once, a new one takes time."""
        for _ in range(_OLD_FRAMES):
            began_s = time.monotonic()
            self._grab()
            if time.monotonic() - began_s > _WAITED_FOR_S:
                break
        good, image = self._video.retrieve()
        if not good:
            raise CameraSilent(f"{self.name} sent a broken picture.")
        return np.asarray(image, dtype=np.uint8)

    def _grab(self) -> None:
        for _ in range(_FAILED_GRABS):
            if self._video.grab():
                return
        if not self._path.exists():
            raise CameraMissing(f"{self.name} was unplugged.")
        raise CameraSilent(f"{self.name} sends no pictures.")


def _open_video(path: str) -> cv2.VideoCapture:
    """OpenCV's capture, with a size fit for dice and the shortest queue.

    A device that can't be opened is refused before OpenCV logs it, again with every attempt.
    """
    if not os.access(path, os.R_OK | os.W_OK):
        raise why_not_open(Path(path))
    video = cv2.VideoCapture(path, cv2.CAP_V4L2)
    if video.isOpened():
        video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return video


def why_not_open(path: Path) -> HardwareError:
    """The reason why the camera at `path` could not be opened, as an error to raise."""
    if not path.exists():
        return CameraMissing(f"There is no camera at {path}.")
    if not os.access(path, os.R_OK | os.W_OK):
        return NoPermission(f"This user may not use {path}.")
    try:
        os.close(os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0)))
    except OSError as error:
        return explained(error, f"The camera {path}", (str(path),))
    seen = held(f"The camera {path}", (str(path),))
    return seen or CameraNotStarting(f"The camera {path} is there but does not start.")


def open_usb(
    wanted: str,
    mains_hz: float | None = None,
    lens: float | None = None,
    memory: UsbMemory | None = None,
    cameras: Callable[[], tuple[VideoDevice, ...]] = usb_cameras,
    open_video: OpenVideo | None = None,
) -> UsbCamera:
    """A USB camera on the system's clock: the one whose /dev/video has the number `wanted`, or whose name
    contains it, which stays when another camera is plugged in; "" takes the first. `mains_hz` is the lamps'
    frequency, `lens` the stored position of the lens. Raises as `UsbCamera`."""
    path = Path(f"/dev/video{wanted}") if wanted.isdigit() else _named(wanted, cameras())
    against_flicker(path, mains_hz)
    return UsbCamera(path, SystemClock(), open_video, memory or UsbMemory(lens=lens))


def _named(wanted: str, cameras: tuple[VideoDevice, ...]) -> Path:
    """The first camera whose name contains `wanted`; raises CameraMissing with the names that there are."""
    if not cameras:
        raise CameraMissing("No USB camera is plugged in.")
    for camera in cameras:
        if wanted.lower() in camera.name.lower():
            return camera.path
    there = ", ".join(camera.name for camera in cameras)
    raise CameraMissing(f"No USB camera is called “{wanted}”; there are: {there}.")


_SET_CONTROL, _POWER_LINE = 0xC008561C, 0x00980918
_QUERY_CONTROL, _FOCUS = 0xC0445624, 0x009A090A
"""VIDIOC_S_CTRL and QUERYCTRL, V4L2_CID_POWER_LINE_FREQUENCY and FOCUS_ABSOLUTE (linux/videodev2.h): OpenCV
sets no such frequency, and knows no range of a property."""
_FREQUENCIES = {None: 0, 50.0: 1, 60.0: 2}


def against_flicker(path: Path, mains_hz: float | None) -> bool:
    """Have the camera expose by whole periods of the lamps' light, which ends dark bands; whether it can."""
    return _asked(path, _SET_CONTROL, bytearray(struct.pack("Ii", _POWER_LINE, _FREQUENCIES[mains_hz])))


def lens_range(path: Path) -> tuple[float, float] | None:
    """The lens positions that the camera's driver takes, in units of its own; None where no lens moves."""
    control = bytearray(struct.pack("I64x", _FOCUS))
    if not _asked(path, _QUERY_CONTROL, control):
        return None
    low, high = struct.unpack_from("ii", control, 40)  # behind number, type and 32 bytes of name
    return float(low), float(high)


def _asked(path: Path, request: int, control: bytearray) -> bool:
    """Whether the driver took a request, whose answer is in `control` then."""
    if sys.platform == "linux":
        with suppress(OSError):
            device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
            try:
                fcntl.ioctl(device, request, control)
                return True
            finally:
                os.close(device)
    return False


SETTLED_PICTURES = 5
MAX_PICTURES = 30
_LATE_PICTURES = 4
_ALIKE = 0.08


@dataclass(frozen=True, slots=True)
class Automatic:
    """One of a camera's automatics: its switch, what that takes for on (the first that works) and for off,
    and the value that it moves and that holds while it is off.

    What cameras make of it differs: most keep what the automatic had found, some fall back on a value of long
    ago, some have no switch. So the pictures before and after are compared; where they differ, it goes on.

    Source: the kernel's camera control reference, V4L2_CID_EXPOSURE_AUTO (1 is by hand, 0 automatic, 3
    aperture priority, as USB cameras call automatic) and V4L2_CID_AUTO_WHITE_BALANCE; OpenCV hands these
    numbers on.
    """

    name: str
    switch: int
    on: tuple[int, ...]
    off: int
    value: int


AUTOMATICS = (
    Automatic("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, (3, 0), 1, cv2.CAP_PROP_EXPOSURE),
    Automatic("white balance", cv2.CAP_PROP_AUTO_WB, (1,), 0, cv2.CAP_PROP_WB_TEMPERATURE),
)


@dataclass(slots=True)
class UsbMemory:
    """The locked values, kept while the camera is closed and opened again: by property, in order.
    `lens` is the position at which the lens was put; None leaves it as it is."""

    kept: dict[int, float] = field(default_factory=dict)
    lens: float | None = None
    refused: tuple[str, ...] = ()


def settled(newest: Callable[[], Image]) -> NDArray[np.float64]:
    """The mean colour once the last pictures were alike; after so many pictures as it is by then."""
    seen: list[NDArray[np.float64]] = []
    while len(seen) < MAX_PICTURES:
        seen.append(mean(newest()))
        if len(seen) >= SETTLED_PICTURES and alike(seen[-SETTLED_PICTURES:]):
            break
    return seen[-1]


def mean(image: Image) -> NDArray[np.float64]:
    """Mean blue, green and red of a picture."""
    return np.asarray(image[::8, ::8].mean(axis=(0, 1)), np.float64)


def alike(means: list[NDArray[np.float64]]) -> bool:
    """Whether each colour stays within 8 % over the pictures."""
    low, high = np.min(means, axis=0), np.max(means, axis=0)
    return bool((high - low <= _ALIKE * np.maximum(high, 1.0)).all())
