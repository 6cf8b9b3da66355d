"""USB cameras through OpenCV and V4L2. A call into the driver may hang: the box runs all this in a process of
its own (`hardware/cameras/process.py`)."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras import usb_light
from hardware.cameras.devices import VideoDevice, usb_cameras
from hardware.cameras.folder import small
from hardware.cameras.reasons import explained, held
from hardware.cameras.usb_light import UsbMemory
from hardware.clock import SystemClock
from hardware.errors import CameraMissing, CameraNotStarting, CameraSilent, HardwareError, NoPermission
from hardware.optics.pixels import Image, checked
from hardware.ports import SENSOR_TIME, Clock, Frame

_log = logging.getLogger(__name__)

SIZE_PX = (1920, 1080)
_OLD_FRAMES = 6
_WAITED_FOR_S = 0.010
_FAILED_GRABS = 3

OpenVideo = Callable[[str], cv2.VideoCapture]


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
    ) -> None:
        self.name = f"USB camera {path}"
        self.memory = memory or UsbMemory()
        self._path, self._clock = path, clock
        self._video = (open_video or _open_video)(str(path))
        try:
            if not self._video.isOpened():
                raise why_not_open(path)
            usb_light.recall(self._video, self.memory)
            self._newest()
        except HardwareError:
            self.close()
            raise

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A picture taken after this call began. Raises CameraSilent, CameraMissing, PictureUnreadable."""
        image = checked(self._newest(), self.name)
        taken_ms = self._video.get(cv2.CAP_PROP_POS_MSEC)  # the driver's own label, 0 where it gives none
        metadata = {SENSOR_TIME: taken_ms * 1e6} if taken_ms > 0 else {}
        return Frame(image, self._clock.now_s(), self.name, metadata)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The same, small."""
        frame = self.capture(timeout_s)
        return replace(frame, image_bgr=small(frame.image_bgr))

    def lock_exposure(self) -> tuple[str, ...]:
        """Let exposure and white balance settle, then keep them; returns what this camera does not keep.

        Raises as `capture` does.
        """
        known = self.memory.refused
        refused = usb_light.lock_exposure(self._video, self.memory, self._newest)
        if refused and refused != known:
            _log.warning("%s moves its %s during a reveal", self.name, " and ".join(refused))
        return refused

    def unlock_exposure(self) -> None:
        """Give exposure and white balance back to the automatics."""
        usb_light.unlock_exposure(self._video, self.memory)

    def close(self) -> None:
        """Give the camera back; may be called twice."""
        self._video.release()

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
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        return explained(error, f"The camera {path}", (str(path),))
    seen = held(f"The camera {path}", (str(path),))
    return seen or CameraNotStarting(f"The camera {path} is there but does not start.")


def open_usb(
    number: int | None,
    memory: UsbMemory | None = None,
    cameras: Callable[[], tuple[VideoDevice, ...]] = usb_cameras,
    open_video: OpenVideo | None = None,
) -> UsbCamera:
    """The USB camera /dev/video`number`, or the first one, on the system's clock. Raises as `UsbCamera`."""
    clock = SystemClock()
    if number is not None:
        return UsbCamera(Path(f"/dev/video{number}"), clock, open_video, memory)
    found = cameras()
    if not found:
        raise CameraMissing("No USB camera is plugged in.")
    return UsbCamera(found[0].path, clock, open_video, memory)
