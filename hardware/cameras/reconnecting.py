"""A camera that recovers by itself: opened when first needed, reopened when silent, tried again when
missing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from hardware.clock import BackOff
from hardware.errors import CameraMissing, CameraSilent, HardwareError
from hardware.optics.focus import Focus
from hardware.ports import Camera, Clock, Frame

T = TypeVar("T")
_log = logging.getLogger(__name__)

MISSES = 2
"""After so many calls in a row without a picture a camera is opened anew."""


class ReconnectingCamera:
    """One owner of a camera that `open_device` opens. Calls take turns; after any error it can recover.

    `fault` is the present fault, None when the last call worked; `why` is the reason for the choice of the
    camera. A camera that had worked is reopened at once, any other after a pause that doubles each time.
    """

    def __init__(
        self,
        name: str,
        why: str,
        open_device: Callable[[], Camera],
        clock: Clock,
    ) -> None:
        self.name, self.why = name, why
        self.fault: HardwareError | None = None
        self._open_device, self._back_off = open_device, BackOff(clock)
        self._lock = threading.Lock()
        self._device: Camera | None = None
        self._misses = 0
        self._worked = self._closing = False
        self._frozen = self._owes_unlock = False

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still of full quality. Raises the camera's own errors; the next call may work again."""
        with self._lock:
            return self._attempt(lambda device: device.capture(timeout_s))

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small, quick picture. Raises as `capture` does."""
        with self._lock:
            return self._attempt(lambda device: device.preview(timeout_s))

    def check(self) -> HardwareError | None:
        """The present fault. A camera that is not open or fails is tried, after a pause."""
        if self._device is None or self.fault is not None:
            with suppress(HardwareError):
                self.preview()
        return self.fault

    def lock_exposure(self) -> tuple[str, ...]:
        """Let exposure and colours settle and keep them, where the camera can: ring lit, table empty.

        Returns the controls that did not obey. Raises as `capture` does.
        """
        with self._lock:
            self._frozen, self._owes_unlock = True, False
            try:
                return self._attempt(lambda device: device.lock_exposure())
            except HardwareError:
                self._owes_unlock = True  # half of it may be locked
                raise

    def unlock_exposure(self) -> None:
        """Give exposure and colours back to the automatics. Raises as `capture` does.

        One that is closed or fails just now gets them back when it is used again.
        """
        with self._lock:
            self._owes_unlock = self._frozen
            if self._device is not None:
                self._attempted(self._opened)

    def can_focus(self) -> bool:
        """Whether the camera, as far as it is open, has a lens that moves."""
        return getattr(self._device, "lens_range", None) is not None

    def focus(self) -> Focus | None:
        """Find the sharpest lens position and stay there; None without autofocus."""
        with self._lock:
            return self._attempt(_focused)

    def stop(self) -> None:
        """Refuse every call until `close`, and end one in progress where the camera can be aborted."""
        self._closing = True
        abort = getattr(self._device, "abort", None)
        if abort is not None and self._lock.locked():
            abort()

    def close(self) -> None:
        """Give the camera back; may be called twice. A later call opens it again.

        A call in progress ends with CameraSilent where the camera can be aborted; elsewhere it is waited for.
        """
        self.stop()
        self._lock.acquire()
        try:
            self._drop()
        finally:
            self._closing = False
            self._lock.release()

    def _attempt(self, work: Callable[[Camera], T]) -> T:
        return self._attempted(lambda: work(self._opened()))

    def _attempted(self, work: Callable[[], T]) -> T:
        """The result of `work`. Its error is kept as the fault; its success ends an earlier fault."""
        if self._closing:
            raise CameraSilent(f"{self.name} is being closed.", "")
        if self.fault is not None and self._device is None and self._back_off.pause_s() > 0:
            raise self.fault.afresh()
        try:
            result = work()
        except HardwareError as error:
            self._note(error)
            raise
        self.fault, self._misses, self._worked = None, 0, True
        self._back_off.worked()
        return result

    def _opened(self) -> Camera:
        """The open camera, its exposure given back to the automatics if that is owed."""
        if self._device is None:
            self._device = self._open_device()
        if self._owes_unlock:
            self._device.unlock_exposure()
            self._frozen = self._owes_unlock = False
        return self._device

    def _note(self, error: HardwareError) -> None:
        """Remember what is wrong; close a camera that was silent too often or is over, for reopening."""
        if type(self.fault) is not type(error) and not self._closing:
            _log.warning("%s: %s", self.name, error)
        self.fault = error.afresh()
        self._misses += isinstance(error, CameraSilent)
        over = self._device is None or getattr(self._device, "over", False)
        if over or self._misses >= MISSES or isinstance(error, CameraMissing):
            if not self._worked:
                self._back_off.failed()
            self._drop()

    def _drop(self) -> None:
        device, self._device = self._device, None
        self._misses, self._worked = 0, False
        if device is not None:
            device.close()


def _focused(device: Camera) -> Focus | None:
    focus = getattr(device, "focus", None)
    found: Focus | None = None if focus is None else focus()
    return found
