"""Phones as the camera of the box: what one of them has just sent is what the box sees."""

from __future__ import annotations

import threading

from hardware.cameras.controls import WithoutControls
from hardware.errors import HardwareError, NoPhonePicture
from hardware.optics.pixels import Image, checked, shrunk
from hardware.ports import Clock, Frame

PREVIEW_WIDTH_PX = 640

KEPT_S = 120.0
"""So long a picture stands for what lies on the table."""


class PhonesCamera(WithoutControls):
    """A camera that has nothing to look with by itself; `show` brings a phone's picture."""

    name = "phones"

    def __init__(self, clock: Clock, why: str = "") -> None:
        self.why = why
        self.fault: HardwareError | None = None
        self._clock = clock
        self._lock = threading.Lock()
        self._newest: Frame | None = None

    def show(self, image_bgr: Image) -> None:
        """Let a picture, (height, width, 3) uint8, be what the box sees; raises PictureUnreadable."""
        frame = Frame(checked(image_bgr, self.name), self._clock.now_s(), self.name)
        with self._lock:
            self._newest = frame

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """The newest picture of a phone; raises NoPhonePicture where none came of late."""
        with self._lock:
            newest = self._newest
            if newest is not None and self._clock.now_s() - newest.taken_s <= KEPT_S:
                return newest
            self._newest = None
        raise NoPhonePicture("No phone has taken a picture just now.")

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The same, small."""
        frame = self.capture(timeout_s)
        return Frame(shrunk(frame.image_bgr, PREVIEW_WIDTH_PX), frame.taken_s, frame.source)

    def check(self) -> HardwareError | None:
        """Nothing here can be broken."""
        return None
