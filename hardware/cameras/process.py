"""A camera in a process of its own, which can be killed when its driver hangs.

A driver that hangs keeps its device for as long as its process lives, so that the box itself could not open
the camera again. And the memory of its libraries stays out of the box's own process.
"""

from __future__ import annotations

import logging
import pickle
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, cast

import numpy as np

from hardware.cameras.reasons import explained
from hardware.errors import CameraNotStarting, CameraSilent, HardwareError, WorkerError, WorkerHung
from hardware.optics.focus import Focus
from hardware.optics.pixels import Image
from hardware.ports import SENSOR_TIME, Clock, Frame
from hardware.worker import START_S, Worker
from hardware.worker.child import named

_log = logging.getLogger(__name__)

GRACE_S = 2.0
_LOCKING_S, _FOCUSING_S, _FREEING_S, _CLOSING_S = 40.0, 90.0, 5.0, 2.0
_LOG_LINES = 8
_MARKS = 32
_ONE_TONE = 24


About = tuple[str, tuple[float, float] | None]
"""A camera's name, and the lens positions in dioptres that it can take."""


@dataclass(slots=True)
class Kept:
    """The state requested of the camera over all its processes, why it last did not start, and the marks of
    its newest pictures."""

    memory: bytes = b""
    reported: str = ""
    marks: deque[tuple[str, float]] = field(default_factory=lambda: deque(maxlen=_MARKS))


class ProcessCamera:
    """One life of a camera: opened by the first call, over when its process ends. Then a new one is made.

    `opener` and `arguments` as in CameraService. Calls take turns; `abort` may come from any thread.
    """

    def __init__(self, opener: str, *arguments: object, name: str, clock: Clock, kept: Kept) -> None:
        self.name = name
        self.lens_range: tuple[float, float] | None = None
        self.over = False
        self._clock, self._kept = clock, kept
        self._worker = Worker(
            "hardware.cameras.process:CameraService",
            opener,
            kept.memory,
            *arguments,
            name=name,
            clock=clock,
        )

    @property
    def pid(self) -> int | None:
        """The number of its process, None before it is opened and after its end."""
        return self._worker.pid

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still of full quality. Raises CameraSilent, and on opening what the camera's opener raises."""
        return self._frame("capture", timeout_s)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small, quick picture. Raises as `capture` does."""
        return self._frame("preview", timeout_s)

    def lock_exposure(self) -> tuple[str, ...]:
        """Let exposure and colours settle and keep them; returns what is not kept. Raises as `capture`."""
        return cast("tuple[str, ...]", self._perform("lock_exposure", limit_s=_LOCKING_S))

    def unlock_exposure(self) -> None:
        """Give exposure and colours back to the automatics. Raises as `capture`."""
        self._perform("unlock_exposure", limit_s=_FREEING_S)

    def focus(self) -> Focus | None:
        """Find the sharpest lens position and stay there; None without autofocus. Raises as `capture`."""
        return cast("Focus | None", self._perform("focus", limit_s=_FOCUSING_S))

    def close(self) -> None:
        """Give the camera back, by force where it does not answer; may be called twice."""
        if not self.over and self._worker.pid is not None:
            with suppress(HardwareError):
                self._perform("close", limit_s=_CLOSING_S)
        self.over = True
        self._worker.close(_CLOSING_S)

    def abort(self) -> None:
        """Kill the process; a call in progress raises CameraSilent."""
        self.over = True
        self._worker.abort()

    def _frame(self, stream: str, timeout_s: float) -> Frame:
        frame = cast(Frame, self._perform(stream, timeout_s, limit_s=timeout_s + GRACE_S))
        marks = _marks(stream, frame)
        if any(mark in self._kept.marks for mark in marks) and _shows_something(frame.image_bgr):
            raise CameraSilent(f"{self.name} gives an old picture again.")
        self._kept.marks.extend(marks)
        return replace(frame, taken_s=self._clock.now_s())

    def _perform(self, method: str, *arguments: object, limit_s: float) -> object:
        """The result of the camera's method. A process that ends, or has to be ended, ends this camera."""
        if self._worker.pid is None:
            self._open()
        try:
            outcome = cast(Outcome, self._worker.call("perform", method, *arguments, timeout_s=limit_s))
        except WorkerHung:
            self.over = True
            raise CameraSilent(f"{self.name} gave no answer within {limit_s:g} seconds.") from None
        except WorkerError as error:
            self.over = True
            words = f"The process of the camera: {error.sentence}"
            raise CameraSilent(words, "The box opens the camera again by itself.") from None
        self._kept.memory = outcome.memory
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def _open(self) -> None:
        """Start the process and open the camera in it. An error carries the process's log."""
        if self.over:
            raise self._closed()
        try:
            self._worker.start()
            about = cast(About, self._worker.call("about", timeout_s=GRACE_S))
            self.name, self.lens_range = about
            self._kept.reported = ""
        except Exception as error:
            aborted, self.over = self.over, True
            raise (self._closed() if aborted else self._explained(error)) from None

    def _closed(self) -> CameraSilent:
        return CameraSilent(f"{self.name} is closed.", "")

    def _explained(self, error: Exception) -> HardwareError:
        """Why the camera could not be opened. What its software wrote is passed on, once for each reason."""
        if isinstance(error, WorkerHung):
            return CameraSilent(f"{self.name} did not open within {START_S:g} seconds.")
        if isinstance(error, WorkerError):
            return CameraNotStarting(f"{self.name} does not start: {error.sentence}")
        if not isinstance(error, HardwareError):
            error = CameraNotStarting(f"{self.name} does not start ({type(error).__name__}: {error}).")
        if isinstance(error, CameraNotStarting) and error.sentence != self._kept.reported:
            _log.warning("%s wrote:\n  %s", self.name, "\n  ".join(self._worker.log[-_LOG_LINES:]))
            self._kept.reported = error.sentence
        return error


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


def _marks(stream: str, frame: Frame) -> tuple[tuple[str, float], ...]:
    """What tells a picture from all others: its bytes, and the moment of the sensor where the driver says it.

    Light is never the same twice: a driver that gives a picture again sees nothing, whatever it answers.
    """
    taken = frame.metadata.get(SENSOR_TIME)
    times = () if taken is None else ((f"{stream} at", taken),)
    return ((stream, float(zlib.crc32(np.ascontiguousarray(frame.image_bgr).data))), *times)


def _shows_something(image: Image) -> bool:
    """Whether there is more in it than one tone: a covered lens gives the same black each time."""
    return bool(np.ptp(image, axis=(0, 1)).max() > _ONE_TONE)


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
