"""A camera in a process of its own, which can be killed when its driver hangs.

A driver that hangs keeps its device for as long as its process lives, so that the box itself could not open
the camera again. And the memory of its libraries stays out of the box's own process.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from hardware.cameras.reasons import explained
from hardware.errors import HardwareError
from hardware.ports import Clock
from hardware.worker import Worker
from hardware.worker.child import named

if TYPE_CHECKING:
    from hardware.cameras.pi import PiCamera
    from hardware.cameras.usb import UsbCamera


def camera_worker(opener: str, memory: bytes, *arguments: object, name: str, clock: Clock) -> Worker:
    """A worker whose process has not started yet, for the camera that CameraService opens of these."""
    target = "hardware.cameras.process:CameraService"
    return Worker(target, opener, memory, *arguments, name=name, clock=clock)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result or error of a call, and the camera's memory after it, kept while it is opened again.

    The memory is pickled: only the camera's own process knows its content.
    """

    value: object
    error: HardwareError | None
    memory: bytes


class CameraService:
    """The camera that `opener` ("module:function") opens with the arguments and `memory=`.

    Raises on opening whatever the opener does.
    """

    def __init__(self, opener: str, memory: bytes, *arguments: object) -> None:
        kept = pickle.loads(memory) if memory else None
        open_camera = cast("Callable[..., PiCamera | UsbCamera]", named(opener))
        self._camera = open_camera(*arguments, memory=kept)

    def lens_range(self) -> tuple[float, float] | None:
        """The lens positions that it can take, in the units of its lens; None where no lens moves."""
        found: tuple[float, float] | None = getattr(self._camera, "lens_range", None)
        return found

    def perform(self, method: str, *arguments: object) -> Outcome:
        """Call a method of the camera."""
        value, error = None, None
        try:
            value = getattr(self._camera, method)(*arguments)
        except Exception as raised:
            error = explained(raised, self._camera.name)
        return Outcome(value, error, pickle.dumps(self._camera.memory))
