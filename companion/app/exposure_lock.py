"""Exposure and white balance of a reveal: kept from its second picture to its last."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from hardware.errors import HardwareError


class LockableCamera(Protocol):
    """The part of the camera's port that the exposure lock uses."""

    def lock_exposure(self) -> object: ...

    def unlock_exposure(self) -> object: ...


class ExposureLock:
    """Locks the camera's automatics once, and leaves the light to them again once."""

    def __init__(self, camera: LockableCamera) -> None:
        self._camera = camera
        self._locked = False

    def lock(self) -> None:
        """Keep exposure and colours as they are: hands would move automatics. Raises HardwareError."""
        if not self._locked:
            self._camera.lock_exposure()
            self._locked = True

    def release(self) -> None:
        """Automatics again; a camera that fails here begins anew when it is used."""
        if self._locked:
            self._locked = False
            with suppress(HardwareError):
                self._camera.unlock_exposure()
