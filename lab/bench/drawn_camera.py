"""A camera of 2304 x 1296 px that shows dice which were drawn, in a process as that of a real one."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.cameras.deviceless import WithoutDevice
from hardware.cameras.process import camera_worker
from hardware.cameras.simulated_dice import laid
from hardware.clock import SystemClock
from hardware.optics.pixels import Image
from hardware.ports import Clock, Frame
from hardware.worker import Worker

SIZE_PX, PREVIEW_PX = (2304, 1296), (640, 360)
DICE = [(face, colour) for colour in ("red", "blue") for face in (2, 3, 3, 4, 6)]


def camera_process(_: object, clock: Clock, options: object, memory: bytes) -> Worker:
    """Instead of the Pi's own camera: this one."""
    return camera_worker(f"{__name__}:DrawnCamera", memory, name="Pi camera", clock=clock)


class DrawnCamera(WithoutDevice):
    """Ten dice with fresh grain in each picture."""

    name = "Pi camera"

    def __init__(self, memory: object = None) -> None:
        self.memory, self._clock, self._rng = memory, SystemClock(), np.random.default_rng(3)
        self._large = laid(DICE, 3, width_px=SIZE_PX[0], height_px=SIZE_PX[1]).image_bgr
        self._small = cv2.resize(self._large, PREVIEW_PX, interpolation=cv2.INTER_AREA)

    def capture(self, timeout_s: float = 5.0) -> Frame:
        return self._frame(self._large)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        return self._frame(self._small)

    def _frame(self, image_bgr: Image) -> Frame:
        grain = self._rng.integers(0, 4, image_bgr.shape, np.uint8)
        return Frame(cv2.add(image_bgr, grain), self._clock.now_s())
