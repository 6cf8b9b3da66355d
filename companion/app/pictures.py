"""Pictures for the page: JPEGs, and the camera's newest view for however many phones ask."""

from __future__ import annotations

import threading
from typing import Any

from companion.errors import CompanionError, PartFault

PREVIEW_KEPT_S = 0.2
JPEG_QUALITY = 82
PHONE_PX, PHONE_QUALITIES, PHONE_BYTES = 960, (72, 60, 48, 36), 65_000
"""The first quality at which a picture is small enough is taken: a noisy one weighs twice a clear one."""


class Preview:
    """The newest small picture, taken at most every PREVIEW_KEPT_S, however many phones ask."""

    def __init__(self, camera: Any, clock: Any) -> None:
        self._camera, self._clock = camera, clock
        self._lock = threading.Lock()
        self._image: Any = None
        self._jpeg: bytes | None = None
        self._taken_s = float("-inf")

    def image(self) -> Any:
        """The picture, (height, width, 3) uint8, blue, green, red; None while the camera gives none."""
        with self._lock:
            return self._newest()

    def jpeg(self) -> bytes | None:
        """The picture as JPEG, None while the camera gives none."""
        with self._lock:
            image = self._newest()
            if self._jpeg is None and image is not None:
                self._jpeg = encoded(image)
            return self._jpeg

    def _newest(self) -> Any:
        from hardware.errors import HardwareError

        if self._clock.now_s() - self._taken_s > PREVIEW_KEPT_S:
            self._jpeg = None
            try:
                self._image = self._camera.preview().image_bgr
            except (HardwareError, CompanionError):
                self._image = None
            self._taken_s = self._clock.now_s()
        return self._image


def encoded(image_bgr: Any) -> bytes:
    """The picture as JPEG."""
    import cv2

    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])


def for_phones(image_bgr: Any) -> bytes:
    """The picture as JPEG no larger than a phone shows it: it is loaded with the first view of a verdict."""
    import cv2

    scale = min(1.0, PHONE_PX / max(image_bgr.shape[:2]))
    shown = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for quality in PHONE_QUALITIES:
        jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        if len(jpeg) <= PHONE_BYTES:
            break
    return bytes(jpeg)


def taken(camera: Any) -> Any:
    """A picture now, (height, width, 3) uint8, blue, green, red; raises PartFault."""
    from hardware.errors import HardwareError

    try:
        return camera.capture().image_bgr
    except HardwareError as error:
        raise PartFault(error.reason) from error
