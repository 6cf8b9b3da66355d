"""Pictures for the page: the camera's newest view for however many phones ask."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from companion.errors import CompanionError, PartFault
from hardware.errors import HardwareError
from hardware.ports import Camera
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.arrays import Image

T = TypeVar("T")

PREVIEW_KEPT_S, STALE_S = 0.2, 3.0
"""Between two live pictures; one that is older than the second is not shown any more."""


class Preview:
    """The camera's newest small picture, taken and encoded once for however many phones ask.

    One of those that ask takes the next, the others get the newest meanwhile: a silent camera keeps a single
    thread of the page waiting.
    """

    def __init__(self, camera: Camera) -> None:
        self._camera, self._taking = camera, threading.Lock()
        self._newest: tuple[Image, bytes] | None = None
        self._taken_s = float("-inf")

    def image(self) -> Image | None:
        """The picture, (height, width, 3) uint8, blue, green, red; None while the camera gives none."""
        newest = self._now()
        return newest[0] if newest else None

    def jpeg(self) -> bytes | None:
        """The picture as JPEG, None while the camera gives none."""
        newest = self._now()
        return newest[1] if newest else None

    def _now(self) -> tuple[Image, bytes] | None:
        if self._age_s() > PREVIEW_KEPT_S and self._taking.acquire(blocking=False):
            try:
                self._take()
            finally:
                self._taking.release()
        return self._newest if self._age_s() < STALE_S else None

    def _age_s(self) -> float:
        return time.monotonic() - self._taken_s

    def _take(self) -> None:
        with suppress(HardwareError, CompanionError):
            image = self._camera.preview().image_bgr
            from companion.app.reading.decoder import encoded  # with numpy and OpenCV: none without a picture

            self._newest, self._taken_s = (image, encoded(image)), time.monotonic()


def reasoned(step: Callable[[], T]) -> T:
    """The result of a step; raises PartFault for an error of a part or of the reader."""
    try:
        return step()
    except HardwareError as error:
        raise PartFault(error.reason) from error
    except VisionError as error:
        raise PartFault(error.reason) from error
