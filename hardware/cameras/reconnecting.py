"""A camera that mends itself: opened when first needed, reopened when silent, tried again when missing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from hardware.errors import CameraMissing, CameraSilent, HardwareError
from hardware.optics.focus import Focus
from hardware.ports import Camera, Clock, Frame

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patiently:
    """How often a camera is tried: misses in a row before it is reopened, pauses between failed openings.

    An opening that hangs leaves a thread behind, so those are tried far more rarely.
    """

    misses: int = 2
    first_pause_s: float = 1.0
    longest_pause_s: float = 30.0
    hung_pause_s: float = 300.0


class SteadyCamera:
    """One owner of a camera that `open_device` opens. Calls take turns; after any error it can recover.

    `fault` is what is wrong now, None when the last call worked; `why` says how the camera was chosen.
    """

    def __init__(
        self,
        name: str,
        why: str,
        open_device: Callable[[], Camera],
        clock: Clock,
        how: Patiently | None = None,
    ) -> None:
        self.name, self.why = name, why
        self.fault: HardwareError | None = None
        self._open_device, self._clock, self._how = open_device, clock, how or Patiently()
        self._lock = threading.Lock()
        self._device: Camera | None = None
        self._misses, self._failures, self._again_s = 0, 0, float("-inf")
        self._frozen = self._owes_thaw = False

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still of full quality. Raises the camera's own errors; the next call may work again."""
        with self._lock:
            return self._attempt(lambda device: device.capture(timeout_s))

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small, quick picture. Raises as `capture` does."""
        with self._lock:
            return self._attempt(lambda device: device.preview(timeout_s))

    def check(self) -> HardwareError | None:
        """What is wrong now. A camera that is not open or fails is tried, as rarely as `Patiently` says."""
        if self._device is None or self.fault is not None:
            with suppress(HardwareError):
                self.preview()
        return self.fault

    def freeze(self) -> tuple[str, ...]:
        """Let exposure and colours settle and keep them, where the camera can: ring lit, table empty.

        Returns the controls that did not obey. Raises as `capture` does.
        """
        with self._lock:
            self._frozen, self._owes_thaw = True, False
            try:
                return self._attempt(lambda device: device.freeze())
            except HardwareError:
                self._owes_thaw = True  # half of it may be frozen
                raise

    def thaw(self) -> None:
        """Give exposure and colours back to the automatics. Raises as `capture` does.

        One that is closed or fails just now gets them back when it is used again.
        """
        with self._lock:
            self._owes_thaw = self._frozen
            if self._device is not None:
                self._attempted(self._opened)

    def can_focus(self) -> bool:
        """Whether the camera, as far as it is open, has a lens that moves."""
        return getattr(self._device, "lens_range", None) is not None

    def focus(self) -> Focus | None:
        """Find the sharpest lens position and stay there; None without autofocus."""
        with self._lock:
            focus = getattr(self._opened(), "focus", None)
            return self._attempted(focus) if focus is not None else None

    def close(self) -> None:
        """Give the camera back; may be called twice. A later call opens it again."""
        with self._lock:
            self._drop()

    def _attempt(self, work: Callable[[Camera], T]) -> T:
        return self._attempted(lambda: work(self._opened()))

    def _attempted(self, work: Callable[[], T]) -> T:
        """What `work` gives; its fault is noted, its success ends an earlier fault."""
        try:
            result = work()
        except HardwareError as error:
            self._note(error)
            raise
        self.fault, self._misses = None, 0
        return result

    def _opened(self) -> Camera:
        """The open camera; while it keeps failing, openings are spaced out and refuse with the last fault."""
        if self._device is None:
            if self.fault is not None and self._clock.now_s() < self._again_s:
                raise self.fault.afresh()
            self._device = self._try_open()
            self._failures = 0
        if self._owes_thaw:
            self._device.thaw()
            self._frozen = self._owes_thaw = False
        return self._device

    def _try_open(self) -> Camera:
        try:
            return self._open_device()
        except HardwareError as error:
            pause_s = min(self._how.longest_pause_s, self._how.first_pause_s * 2.0**self._failures)
            pause_s = self._how.hung_pause_s if isinstance(error, CameraSilent) else pause_s
            self._failures = min(self._failures + 1, 16)
            self._again_s = self._clock.now_s() + pause_s
            raise

    def _note(self, error: HardwareError) -> None:
        """Remember what is wrong; close a camera that was silent too often, or has gone, for reopening."""
        if type(self.fault) is not type(error):
            _log.warning("%s: %s", self.name, error)
        self.fault = error.afresh()
        self._misses += isinstance(error, CameraSilent)
        if self._misses >= self._how.misses or isinstance(error, CameraMissing):
            self._drop()

    def _drop(self) -> None:
        device, self._device = self._device, None
        self._misses = 0
        if device is not None:
            device.close()
