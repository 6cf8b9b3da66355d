"""A folder of pictures as a camera: one picture for each capture, in order of their names."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.deviceless import WithoutDevice
from hardware.errors import CameraMissing, HardwareError, NoPermission, PictureUnreadable
from hardware.ports import PREVIEW_WIDTH_PX, Clock, Frame

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
LARGEST_BYTES = 80_000_000


class FolderCamera(WithoutDevice):
    """Gives the pictures of `folder` in order of their names, again from the first after the last.

    The folder is looked at anew each time, so pictures can be dropped in during a game.
    """

    def __init__(self, folder: Path, clock: Clock, *, why: str = "") -> None:
        self.name, self.why = f"folder {folder}", why
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._last: Path | None = None

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """The next picture. Raises CameraMissing without pictures, PictureUnreadable for one that is none.

        After an unreadable one the next capture goes on with the next.
        """
        with self._lock:
            self._last = self._following()
            return self._frame(self._last)

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """The picture captured last (the first one before that), small. Raises as `capture` does."""
        with self._lock:
            seen = self._last if self._last is not None and self._last.exists() else self._following()
            frame = self._frame(seen)
            return replace(frame, image_bgr=small(frame.image_bgr))

    def check(self) -> HardwareError | None:
        """The present fault: a folder without pictures, or the last picture that could not be read."""
        with self._lock, suppress(HardwareError):
            self._paths()
            if isinstance(self.fault, CameraMissing | NoPermission):
                self.fault = None
        return self.fault

    def _following(self) -> Path:
        """The picture after the last one given, by name; pictures that have gone are skipped."""
        paths = self._paths()
        return next((path for path in paths if self._last is None or path.name > self._last.name), paths[0])

    def _paths(self) -> list[Path]:
        try:
            paths = [p for p in self._folder.iterdir() if p.suffix.lower() in ENDINGS and p.is_file()]
        except PermissionError:
            raise self._noted(NoPermission(f"The folder {self._folder} may not be read.", "")) from None
        except OSError:
            raise self._noted(
                CameraMissing(f"There is no folder {self._folder}.", "Check the path.")
            ) from None
        if not paths:
            empty = CameraMissing(
                f"The folder {self._folder} has no pictures.", "Put JPEG or PNG files there."
            )
            raise self._noted(empty)
        return sorted(paths, key=lambda path: path.name)

    def _frame(self, path: Path) -> Frame:
        try:
            image = load(path)
        except HardwareError as error:
            raise self._noted(error) from None
        self.fault = None
        return Frame(image, self._clock.now_s())

    def _noted(self, error: HardwareError) -> HardwareError:
        self.fault = error.afresh()
        return error


def load(path: Path) -> NDArray[np.uint8]:
    """The picture in a file, turned by its EXIF orientation. Raises PictureUnreadable, NoPermission."""
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise PictureUnreadable(f"{path.name} is larger than {LARGEST_BYTES // 1_000_000} MB.")
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except PermissionError:
        raise NoPermission(f"{path.name} may not be read.", "Give the user the right to read it.") from None
    except OSError as error:
        raise PictureUnreadable(f"{path.name} can't be read ({error.strerror}).") from None
    return _decoded(data, path.name)


def _decoded(data: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        image = None
    if image is None:
        raise PictureUnreadable(f"{name} is no picture that can be read.")
    return np.asarray(image, dtype=np.uint8)


def small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture no wider than a preview, every pixel the mean of those it stands for."""
    height, width = image.shape[:2]
    if width <= PREVIEW_WIDTH_PX:
        return image
    size = (PREVIEW_WIDTH_PX, max(1, round(height * PREVIEW_WIDTH_PX / width)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
