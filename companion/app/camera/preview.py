"""Pictures for the page: JPEGs, and the camera's newest view for however many phones ask."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.app.reading.decoder import encoded
from companion.errors import CompanionError, PartFault
from companion.threads import Loop
from hardware.errors import HardwareError
from hardware.ports import Camera
from vision.arrays import Image

PREVIEW_KEPT_S, STALE_S = 0.2, 3.0
"""Between two live pictures; one that is older than the second is not shown any more."""

AWAKE_S, IDLE_S = 3.0, 1.0
"""So long after a phone has asked pictures are taken; so long the thread waits for one at a time."""

WAIT_S, MAX_WAITING = 0.5, 4
"""So long a phone waits for the first picture, and so many of them: each holds a thread of the page."""


class Preview:
    """The camera's newest small picture, taken and encoded once for however many phones ask.

    A thread of its own takes it, at most every PREVIEW_KEPT_S and only while somebody asks. Nobody waits for
    a camera that is silent: a picture older than STALE_S is none.
    """

    def __init__(self, camera: Camera, beat: Callable[[], None] = lambda: None) -> None:
        self._camera = camera
        self._changed = threading.Condition()
        self._asked_s = self._tried_s = float("-inf")
        self._image: Image | None = None
        self._jpeg: bytes | None = None
        self._taken_s, self._waiting, self._ended = float("-inf"), 0, False
        self._loop = Loop("live view", self._turn, beat)

    def stop(self) -> None:
        """Take no more, and let nobody wait; may be called twice."""
        self._loop.stop()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """Take no more; may be called twice."""
        self.stop()
        self._loop.close()

    def image(self) -> Image | None:
        """The picture, (height, width, 3) uint8, blue, green, red; None while the camera gives none."""
        return self._newest()[0]

    def jpeg(self) -> bytes | None:
        """The picture as JPEG, None while the camera gives none."""
        image, jpeg = self._newest()
        if image is None or jpeg is not None:
            return jpeg
        with self._changed:
            if self._jpeg is None and self._image is not None:
                self._jpeg = encoded(self._image)
            return self._jpeg

    def _newest(self) -> tuple[Image | None, bytes | None]:
        """The newest picture; a few wait a moment for one where there is none yet."""
        with self._changed:
            asked_s = time.monotonic()
            asleep, self._asked_s = asked_s - self._asked_s > AWAKE_S, asked_s
            self._changed.notify_all()
            if asleep and self._waiting < MAX_WAITING:
                self._waiting += 1
                self._changed.wait_for(lambda: self._ended or self._tried_s > asked_s, WAIT_S)
                self._waiting -= 1
            return (None, None) if self._stale() else (self._image, self._jpeg)

    def _stale(self) -> bool:
        return time.monotonic() - self._taken_s > STALE_S

    def _turn(self) -> float:
        """Take a picture if somebody has asked of late, else wait for somebody to ask."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._wanted(), IDLE_S)
            if not self._wanted():
                return 0.0
        image = self._take()
        with self._changed:
            self._tried_s = time.monotonic()
            if image is not None:
                self._image, self._jpeg, self._taken_s = image, None, self._tried_s
            self._changed.notify_all()
        return PREVIEW_KEPT_S

    def _wanted(self) -> bool:
        return not self._ended and time.monotonic() - self._asked_s < AWAKE_S

    def _take(self) -> Image | None:
        try:
            return self._camera.preview().image_bgr
        except (HardwareError, CompanionError):
            return None


def taken(camera: Camera) -> Image:
    """A picture now, (height, width, 3) uint8, blue, green, red; raises PartFault."""
    try:
        return camera.capture().image_bgr
    except HardwareError as error:
        raise PartFault(error.reason) from error
