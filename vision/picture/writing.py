"""Writing pictures about photographs into folders, so that no photograph is lost."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path

import cv2

from vision.arrays import Image
from vision.errors import VisionError, shown

BESIDE = "-seen"
"""Behind the names of pictures that lie beside the photographs they were made of."""

LONGEST_PX = 65_500
"""Of a JPEG's side, to the library that writes it."""


class WritingError(VisionError, OSError):
    """A folder or picture cannot be written; the text is one sentence for the person."""

    reason = "file_unwritable"
    hint = "name another folder, or make room"


class PictureTooLong(WritingError):
    """No JPEG holds a picture of so many pixels along a side; others in the same folder can be written."""

    hint = "cut it to its dice"


def make_folder(folder: Path) -> None:
    """The folder is there after this, or WritingError was raised."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WritingError(
            f"{shown(folder)} cannot be made ({error.strerror}): {WritingError.hint}."
        ) from None


def write(path: Path, image_bgr: Image) -> None:
    """Write the picture as a JPEG; raises WritingError."""
    height, width = image_bgr.shape[:2]
    if max(height, width) > LONGEST_PX:
        size = f"{width} x {height} pixels, more than a JPEG holds"
        raise PictureTooLong(f"{shown(path)} would have {size}: {PictureTooLong.hint}.")
    try:
        path.write_bytes(cv2.imencode(".jpg", image_bgr)[1].tobytes())
    except OSError as error:
        raise WritingError(
            f"{shown(path)} cannot be written ({error.strerror}): {WritingError.hint}."
        ) from None


class Names:
    """Names for what is written about photographs: never that of one of the photographs, never one twice."""

    def __init__(self, photos: Iterable[Path]) -> None:
        photos = tuple(photos)
        self._photos = {same for photo in photos if (same := _identity(photo))}
        self._homes = {
            home for photo in photos for home in (_resolved(photo.parent), _resolved(photo).parent)
        }
        self._given: set[str] = set()

    def claim(self, folder: Path, stem: str, endings: Sequence[str]) -> str:
        """The beginning of the names of files in `folder`, one for each ending.

        It is `stem`, beside photographs with BESIDE, since one that was not read may have that name, and with
        -2, -3 and so on where a name was given before or is a photograph's.
        """
        folder = _resolved(folder)
        stem += BESIDE if folder in self._homes else ""
        for number in count(1):
            name = stem if number == 1 else f"{stem}-{number}"
            paths = [folder / f"{name}{ending}" for ending in endings]
            keys = {str(path).casefold() for path in paths}  # memory cards take x and X for the same
            if not keys & self._given and not any(_identity(path) in self._photos for path in paths):
                break
        self._given |= keys
        return name


def _resolved(path: Path) -> Path:
    """The path without symbolic links; Path.resolve raises for a loop of them under Python 3.11 and 3.12."""
    return Path(os.path.realpath(path))


def _identity(path: Path) -> tuple[int, int] | None:
    """What is the same for all names of one file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
