"""A camera as its own process serves it: calls by name; each answer holds what was asked of the camera."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from hardware.cameras.reasons import explained
from hardware.errors import HardwareError
from hardware.worker.child import named


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result or error of a call, and the camera's memory after it, kept while it is opened again.

    The memory is pickled: only the camera's own process knows its content.
    """

    value: object
    error: HardwareError | None
    memory: bytes


class RememberingCamera(Protocol):
    """A camera whose memory outlives it."""

    name: str

    @property
    def memory(self) -> object: ...


class CameraService:
    """The camera that `opener` ("module:function") opens with the arguments and `memory=`.

    Raises on opening whatever the opener does.
    """

    def __init__(self, opener: str, memory: bytes, *arguments: object) -> None:
        kept = pickle.loads(memory) if memory else None
        open_camera = cast("Callable[..., RememberingCamera]", named(opener))
        self._camera = open_camera(*arguments, memory=kept)

    def about(self) -> tuple[str, tuple[float, float] | None]:
        """Its name, and the lens positions in dioptres that it can take; None where no lens moves."""
        return self._camera.name, getattr(self._camera, "lens_range", None)

    def perform(self, method: str, *arguments: object) -> Outcome:
        """Call a method of the camera; one that it does not have gives None."""
        value, error = None, None
        try:
            work = getattr(self._camera, method, None)
            value = None if work is None else work(*arguments)
        except Exception as raised:
            error = explained(raised, self._camera.name)
        return Outcome(value, error, pickle.dumps(self._camera.memory))
