"""A camera served as by its process, in the test's own."""

from collections.abc import Callable
from typing import Any

from hardware.cameras.process import CameraService
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.errors import WorkerEnded
from hardware.ports import Camera, Clock


class InlineWorker(CameraService):
    """Serves the camera that `make` opens; `end` is what the end of a process is."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make, self.pid, self.log = make, None, ()
        self.ended = False

    def start(self) -> None:
        self._camera = self._make()
        self._camera.memory = getattr(self._camera, "memory", None)
        self.pid = 1

    def call(self, method: str, *arguments: object, timeout_s: float) -> object:
        if self.ended:
            raise WorkerEnded("Killed.")
        return getattr(self, method)(*arguments)

    def end(self) -> None:
        self.ended, self.pid = True, None

    abort = end

    def close(self, timeout_s: float) -> None:
        self.end()


def reconnecting(make: Callable[[], Camera], clock: Clock) -> ReconnectingCamera:
    """The camera that `make` opens, with its recovery."""
    return ReconnectingCamera("camera", "because", lambda memory: InlineWorker(make), clock)  # type: ignore[arg-type, return-value]
