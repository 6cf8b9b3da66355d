"""Cameras without a device, to which their pictures are given: the simulated table, and phones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hardware.errors import HardwareError, NoPhonePicture
from hardware.ports import PREVIEW_WIDTH_PX, Camera, Clock, Focus, Frame

if TYPE_CHECKING:
    from hardware.optics.pixels import Image

KEPT_S = 120.0
"""So long a phone's picture stands for what lies on the table."""


class WithoutDevice(Camera):
    """A camera with no exposure to keep, no lens to move and nothing to give back."""

    fault: HardwareError | None = None

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The same, small."""
        frame = self.capture(timeout_s)
        from hardware.optics.pixels import shrunk

        return replace(frame, image_bgr=shrunk(frame.image_bgr, PREVIEW_WIDTH_PX))

    def lock_exposure(self) -> tuple[str, ...]:
        """Pictures of this kind have no exposure to keep."""
        return ()

    def unlock_exposure(self) -> None:
        """And none to let go."""

    def can_focus(self) -> bool:
        """No lens here moves."""
        return False

    def focus(self) -> Focus | None:
        """Nor a lens to move."""
        return None

    def stop(self) -> None:
        """Nobody waits for these pictures."""

    def check(self) -> HardwareError | None:
        """The present fault."""
        return self.fault

    def close(self) -> None:
        """Nothing to give back."""


class SimulatedCamera(WithoutDevice):
    """Sees the picture that `draw` gives: (height, width, 3), uint8, blue, green, red.

    Setting `fault` to an error makes every call raise it, as a real camera's would; None ends it.
    """

    name = "simulated table"

    def __init__(self, draw: Callable[[], Image], clock: Clock, why: str = "") -> None:
        self.why = why
        self._draw, self._clock = draw, clock

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """The table as it is now; raises `fault` when that is set."""
        if self.fault is not None:
            raise self.fault.afresh()
        return Frame(self._draw(), self._clock.now_s())


class PhonesCamera(WithoutDevice):
    """A camera that has nothing to look with by itself; `show` brings a phone's picture."""

    name = "phones"

    def __init__(self, clock: Clock, why: str = "") -> None:
        self.why = why
        self._clock = clock
        self._lock = threading.Lock()
        self._newest: Frame | None = None

    def show(self, image_bgr: Image) -> None:
        """Let a picture, (height, width, 3) uint8, be what the box sees."""
        frame = Frame(image_bgr, self._clock.now_s())
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
