"""Pictures for the page: JPEGs, and the camera's newest view for however many phones ask."""

from __future__ import annotations

import threading
from typing import Any

PREVIEW_KEPT_S = 0.2
JPEG_QUALITY = 82


class Preview:
    """The newest small picture as JPEG, taken at most every PREVIEW_KEPT_S, however many phones ask."""

    def __init__(self, camera: Any, clock: Any) -> None:
        self._camera, self._clock = camera, clock
        self._lock = threading.Lock()
        self._jpeg: bytes | None = None
        self._taken_s = float("-inf")

    def jpeg(self) -> bytes | None:
        """The picture, None while the camera gives none."""
        from hardware.errors import HardwareError

        with self._lock:
            if self._clock.now_s() - self._taken_s > PREVIEW_KEPT_S:
                try:
                    self._jpeg = encoded(self._camera.preview().image_bgr)
                except HardwareError:
                    self._jpeg = None
                self._taken_s = self._clock.now_s()
            return self._jpeg


def encoded(image_bgr: Any) -> bytes:
    """The picture as JPEG."""
    import cv2

    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])
