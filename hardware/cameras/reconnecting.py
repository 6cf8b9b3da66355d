"""A camera that recovers by itself: opened in a process when first needed, in another one when it is silent
or the process ended, tried again when missing."""

from __future__ import annotations

import logging
import threading
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from hardware.cameras.process import Outcome
from hardware.clock import BackOff
from hardware.errors import (
    CameraMissing,
    CameraNotStarting,
    CameraSilent,
    HardwareError,
    WorkerError,
    WorkerHung,
)
from hardware.ports import SENSOR_TIME, Clock, Focus, Frame
from hardware.worker import START_S, Worker

if TYPE_CHECKING:
    from hardware.optics.pixels import Image

T = TypeVar("T")
_log = logging.getLogger(__name__)

MISSES = 2
"""After so many calls in a row without a picture a camera is opened anew."""

GRACE_S = 2.0
_LOCKING_S, _FOCUSING_S, _FREEING_S, _CLOSING_S = 40.0, 90.0, 5.0, 2.0
_LOG_LINES = 8
_MARKS = 32
_ONE_TONE = 24


class ReconnectingCamera:
    """One owner of a camera that lives in one process after another. Calls take turns; after any error it can
    recover.

    `start` gives a worker that serves a CameraService (`hardware/cameras/process.py`), for the memory of the
    camera's earlier lives. `fault` is the present fault, None when the last call worked; `why` is the reason
    for the choice of the camera. A camera that had worked is reopened at once, any other after a pause that
    doubles each time.
    """

    def __init__(self, name: str, why: str, start: Callable[[bytes], Worker], clock: Clock) -> None:
        self.name, self.why = name, why
        self.fault: HardwareError | None = None
        self._start, self._clock, self._back_off = start, clock, BackOff(clock)
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._lens_range: tuple[float, float] | None = None
        self._memory, self._reported = b"", ""
        self._marks = deque[tuple[str, float]](maxlen=_MARKS)
        self._misses = 0
        self._worked = self._closing = False
        self._frozen = self._owes_unlock = False

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still of full quality. Raises the camera's own errors; the next call may work again."""
        with self._lock:
            return self._attempted(lambda: self._frame("capture", timeout_s))

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small, quick picture. Raises as `capture` does."""
        with self._lock:
            return self._attempted(lambda: self._frame("preview", timeout_s))

    def check(self) -> HardwareError | None:
        """The present fault. A camera that is not open or fails is tried, after a pause."""
        if self._worker is None or self.fault is not None:
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
                refused = self._attempted(lambda: self._perform("lock_exposure", limit_s=_LOCKING_S))
                return cast("tuple[str, ...]", refused)
            except HardwareError:
                self._owes_unlock = True  # half of it may be locked
                raise

    def unlock_exposure(self) -> None:
        """Give exposure and colours back to the automatics. Raises as `capture` does.

        One that is closed or fails just now gets them back when it is used again.
        """
        with self._lock:
            self._owes_unlock = self._frozen
            if self._worker is not None:
                self._attempted(self._opened)

    def can_focus(self) -> bool:
        """Whether the camera, as far as it is open, has a lens that moves."""
        return self._lens_range is not None

    def focus(self) -> Focus | None:
        """Find the sharpest lens position and stay there; None without autofocus."""
        with self._lock:
            found = self._attempted(lambda: self._perform("focus", limit_s=_FOCUSING_S))
            return cast("Focus | None", found)

    def stop(self) -> None:
        """Refuse every call until `close`, and end one in progress with its process."""
        self._closing = True
        worker = self._worker
        if worker is not None and self._lock.locked():
            worker.abort()

    def close(self) -> None:
        """Give the camera back; may be called twice. A later call opens it again.

        A call in progress ends with CameraSilent.
        """
        self.stop()
        with self._lock:
            self._drop()
            self._closing = False

    def _attempted(self, work: Callable[[], T]) -> T:
        """The result of `work`. Its error is kept as the fault; its success ends an earlier fault."""
        if self._closing:
            raise CameraSilent(f"{self.name} is being closed.", "")
        if self.fault is not None and self._worker is None and self._back_off.pause_s() > 0:
            raise self.fault.afresh()
        try:
            result = work()
        except HardwareError as error:
            self._note(error)
            raise
        self.fault, self._misses, self._worked = None, 0, True
        self._back_off.worked()
        return result

    def _frame(self, stream: str, timeout_s: float) -> Frame:
        """A picture. One that came before is none: a driver gave it again that sees nothing."""
        frame = cast(Frame, self._perform(stream, timeout_s, limit_s=timeout_s + GRACE_S))
        marks = _marks(stream, frame)
        if any(mark in self._marks for mark in marks) and _shows_something(frame.image_bgr):
            raise CameraSilent(f"{self.name} gives an old picture again.")
        self._marks.extend(marks)
        return replace(frame, taken_s=self._clock.now_s())

    def _perform(self, method: str, *arguments: object, limit_s: float) -> object:
        """The result of a method of the camera, opened if need be."""
        return self._asked(self._opened(), method, *arguments, limit_s=limit_s)

    def _opened(self) -> Worker:
        """The worker of the open camera, its exposure given back to the automatics if that is owed."""
        worker = self._worker or self._started()
        if self._owes_unlock:
            self._asked(worker, "unlock_exposure", limit_s=_FREEING_S)
            self._frozen = self._owes_unlock = False
        return worker

    def _started(self) -> Worker:
        """Start a process and open the camera in it. An error carries the process's log."""
        worker = self._worker = self._start(self._memory)
        try:
            worker.start()
            found = worker.call("lens_range", timeout_s=GRACE_S)
        except Exception as error:
            closed = CameraSilent(f"{self.name} is closed.", "")
            raise (closed if self._closing else self._explained(error, worker)) from None
        self._lens_range, self._reported = cast("tuple[float, float] | None", found), ""
        return worker

    def _asked(self, worker: Worker, method: str, *arguments: object, limit_s: float) -> object:
        """The result of a method of the camera in a worker. One that does not answer ends its process."""
        try:
            outcome = cast(Outcome, worker.call("perform", method, *arguments, timeout_s=limit_s))
        except WorkerHung:
            raise CameraSilent(f"{self.name} gave no answer within {limit_s:g} seconds.") from None
        except WorkerError as error:
            words = f"The process of the camera: {error.sentence}"
            raise CameraSilent(words, "The box opens the camera again by itself.") from None
        self._memory = outcome.memory
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def _explained(self, error: Exception, worker: Worker) -> HardwareError:
        """Why the camera could not be opened. What its software wrote is passed on, once for each reason."""
        if isinstance(error, WorkerHung):
            return CameraSilent(f"{self.name} did not open within {START_S:g} seconds.")
        if isinstance(error, WorkerError):
            return CameraNotStarting(f"{self.name} does not start: {error.sentence}")
        if not isinstance(error, HardwareError):
            error = CameraNotStarting(f"{self.name} does not start ({type(error).__name__}: {error}).")
        if isinstance(error, CameraNotStarting) and error.sentence != self._reported:
            _log.warning("%s wrote:\n  %s", self.name, "\n  ".join(worker.log[-_LOG_LINES:]))
            self._reported = error.sentence
        return error

    def _note(self, error: HardwareError) -> None:
        """Remember what is wrong; close a camera that was silent too often or whose process ended."""
        if type(self.fault) is not type(error) and not self._closing:
            _log.warning("%s: %s", self.name, error)
        self.fault = error.afresh()
        self._misses += isinstance(error, CameraSilent)
        over = self._worker is None or self._worker.pid is None
        if over or self._misses >= MISSES or isinstance(error, CameraMissing):
            if not self._worked:
                self._back_off.failed()
            self._drop()

    def _drop(self) -> None:
        """Give the camera back, by force where it does not answer."""
        worker, self._worker, self._lens_range = self._worker, None, None
        self._misses, self._worked = 0, False
        if worker is None:
            return
        if worker.pid is not None:
            with suppress(HardwareError):
                self._asked(worker, "close", limit_s=_CLOSING_S)
        worker.close(_CLOSING_S)


def _marks(stream: str, frame: Frame) -> tuple[tuple[str, float], ...]:
    """What tells a picture from all others: its bytes, and the moment of the sensor where the driver says it.

    Light is never the same twice: a driver that gives a picture again sees nothing, whatever it answers.
    """
    taken = frame.metadata.get(SENSOR_TIME)
    times = () if taken is None else ((f"{stream} at", taken),)
    return ((stream, float(zlib.crc32(frame.image_bgr.ravel().data))), *times)


def _shows_something(image: Image) -> bool:
    """Whether there is more in it than one tone: a covered lens gives the same black each time."""
    return bool((image.max(axis=(0, 1)) - image.min(axis=(0, 1))).max() > _ONE_TONE)
