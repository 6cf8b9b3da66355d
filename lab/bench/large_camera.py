"""The virtual camera with pictures as large as those of the Pi's camera, in place of the Pi's own.

Nothing is imported here that the box does not need: what these two processes take is measured.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware.cameras.pi import CameraOptions, Memory, PiCamera
from hardware.cameras.process import camera_worker
from hardware.clock import SystemClock
from hardware.ports import Clock
from hardware.worker import Worker
from tests.hardware.picamera2_real import virtual_camera

SIZE_PX = (2304, 1296)
SENSOR_FILE = "DUDO_TEST_SENSOR_BYTES"
"""The environment names a file for the bytes that the virtual sensor takes: they are no memory of a Pi's."""


def camera_process(_: object, clock: Clock, options: CameraOptions, memory: bytes) -> Worker:
    """Instead of the Pi's own camera: the virtual one, in the same process."""
    opener, large = f"{__name__}:open_large", replace(options, size_px=SIZE_PX)
    return camera_worker(opener, memory, large, name="Pi camera", clock=clock)


def open_large(options: CameraOptions, memory: Memory | None = None) -> PiCamera:
    """The virtual camera with pictures as large as those of the Pi's camera."""
    virtual_camera.SIZE_PX = SIZE_PX
    return PiCamera(SystemClock(), options, memory, _weighed)


def _weighed(number: int) -> Any:
    """The virtual camera, which writes down what its sensor takes, from picamera2's import until it is
    configured."""
    virtual_camera.library()
    before = _own_bytes()
    camera = virtual_camera.open_virtual(number)
    below = camera.configure

    def configure(configuration: Any) -> Any:
        try:
            return below(configuration)
        finally:
            Path(os.environ[SENSOR_FILE]).write_text(str(_own_bytes() - before))

    camera.configure = configure
    return camera


def _own_bytes() -> int:
    """What this process has written and shares with none: resident less what files and others hold."""
    _, resident, shared = Path("/proc/self/statm").read_text().split()[:3]
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
