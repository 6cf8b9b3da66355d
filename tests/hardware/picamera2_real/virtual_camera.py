"""libcamera's virtual camera through picamera2's own code, opened in a process of its own.

The virtual pipeline sends NV12 whatever is asked and has no controls of exposure or focus; the parts of
picamera2 that need a screen or a sensor's raw modes are replaced here.
"""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardware.cameras import pi
from hardware.cameras.pi import CameraOptions, Memory, PiCamera
from hardware.clock import SystemClock
from hardware.ports import Frame

SIZE_PX = (1280, 960)
OPENER = "tests.hardware.picamera2_real.virtual_camera:open_moody"


class _Screen(ModuleType):
    """Stands in for `pykms`: any name in it means something. A mock takes 5 MB."""

    def __getattr__(self, name: str) -> Any:
        return _Screen(name)


def library() -> Any:
    """picamera2's class as the box opens it, imported without a screen."""
    sys.modules["pykms"] = _Screen("pykms")
    return pi.mapping(pi.library())


def open_virtual(number: int) -> Any:
    Picamera2 = library()  # noqa: N806 (a class)
    from picamera2.allocators import LibcameraAllocator

    class VirtualPicamera2(Picamera2):  # type: ignore[misc]
        def _get_raw_modes(self) -> list[dict[str, Any]]:
            return [{"format": "NV12", "size": SIZE_PX}]

    camera = VirtualPicamera2(number)
    camera.allocator = LibcameraAllocator(camera.camera)
    return camera


class _Lit(PiCamera):
    """The bars begin anew with each process; light is never the same twice, and the box knows that."""

    def _frame(self, stream: str, timeout_s: float) -> Frame:
        frame = super()._frame(stream, timeout_s)
        frame.image_bgr[0, :8] = np.frombuffer(os.urandom(24), np.uint8).reshape(8, 3)
        return frame


def open_moody(folder: Path, options: CameraOptions, memory: Memory | None = None) -> PiCamera:
    """The virtual camera, whose calls go wrong as the file in `folder` says."""
    from tests.hardware.child_cameras import heed  # here: it takes 10 MB that are no part of a camera

    def opening(number: int) -> Any:
        camera = open_virtual(number)
        below = camera.wait

        def wait(job: Any, timeout: float) -> Any:
            heed(folder, "frame")
            return below(job, timeout=timeout)

        camera.wait = wait
        return camera

    return _Lit(SystemClock(), options, memory, opening)
