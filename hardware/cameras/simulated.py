"""The simulated table: a camera that sees what `draw` draws, and can be made to fail on purpose."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.controls import WithoutControls
from hardware.errors import HardwareError
from hardware.optics.pixels import checked, shrunk
from hardware.ports import Clock, Frame

PREVIEW_WIDTH_PX = 640


class SimulatedCamera(WithoutControls):
    """Sees the picture that `draw` gives: (height, width, 3), uint8, blue, green, red.

    Setting `trouble` to an error makes every call raise it, as a real camera's fault would; None ends it.
    """

    name = "simulated table"

    def __init__(self, draw: Callable[[], NDArray[np.uint8]], clock: Clock, why: str = "") -> None:
        self.why = why
        self.trouble: HardwareError | None = None
        self._draw, self._clock = draw, clock

    @property
    def fault(self) -> HardwareError | None:
        """The present fault."""
        return self.trouble

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """The table as it is now; raises `trouble` when that is set."""
        if self.trouble is not None:
            raise self.trouble.afresh()
        image = checked(self._draw(), self.name)
        return Frame(image, self._clock.now_s(), self.name)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The same, small."""
        frame = self.capture(timeout_s)
        return Frame(shrunk(frame.image_bgr, PREVIEW_WIDTH_PX), frame.taken_s, frame.source)

    def check(self) -> HardwareError | None:
        """The present fault."""
        return self.trouble
