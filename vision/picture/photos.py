"""Loading a photograph: a picture, or one sentence that says why not."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import VisionError, shown
from vision.picture import decoders
from vision.picture.decoders import bytes_held
from vision.picture.headers import is_cut_off, kind_of, scans_of, size_of, without_words

MAX_BYTES = 200_000_000

MAX_PIXELS = 25_000_000
"""A larger picture is decoded at a half, a quarter or an eighth: reading needs less than one million."""

MAX_PIXELS_OF_ALL = 250_000_000
"""Of any picture, even of a JPEG that is shrunk while it is decoded."""

MAX_HELD = 340_000_000
"""Bytes that the file and its decoder may hold at once, where it can't shrink while it decodes: boards have
512 MB, and a program that reads takes 150 MB of them without any picture. For small files that is a PNG or
BMP of 85 megapixels, a WebP of 42, a GIF of 28, and a progressive JPEG of 85, or of 48 if it keeps its
colours at full size."""


MAX_SCANS = 100
"""Of a JPEG that is finished only with its last scan: programs write about ten, and each is gone through in
full. Thousands fit into 100 kB, and take seconds."""


class PhotoError(VisionError, ValueError):
    """The file is not a picture that can be read; the text is one sentence for the person."""

    reason = "file_unreadable"
    hint = ""


def load(path: str | Path) -> Image:
    """The picture in `path` as (height, width, 3) blue, green, red, upright as its EXIF says.

    Grey, 16-bit, transparent and CMYK pictures come out the same way. Raises PhotoError.
    """
    return decode(_bytes_of(Path(path)), shown(path))


def decode(data: bytes, name: str = "the picture", max_pixels: int = MAX_PIXELS) -> Image:
    """The picture encoded in `data`, smaller where it has more than `max_pixels`; `name` is used in the
    sentence of PhotoError.

    JPEG, PNG, WebP, BMP, the first picture of a GIF, and HEIC with its extra: kinds whose size is known
    before they are decoded.
    """
    if not data:
        raise PhotoError(f"{name} is empty: take the picture again.")
    if not kind_of(data):
        raise PhotoError(f"{name} is not a picture that can be read: use JPEG or PNG.")
    if is_cut_off(data):
        raise PhotoError(f"{name} is cut off, its end is missing: copy it again.")
    image = _decoder(data, name)(data, _reduction(data, name, max_pixels))
    if image is None or image.size == 0:
        raise PhotoError(f"{name} is a damaged picture: copy it again, or use JPEG or PNG.")
    return np.ascontiguousarray(image)


def _decoder(data: bytes, name: str) -> Callable[[bytes, int], Image | None]:
    """What decodes `data`, given it and by how much to shrink it. Raises PhotoError where it is missing."""
    if kind_of(data) != "heif":
        return _imdecode
    if not decoders.can_decode():
        raise PhotoError(f"{name} is HEIC: use JPEG or PNG, or install the extra heic.")
    return decoders.decoded


def _bytes_of(path: Path) -> bytes:
    """The file's content; raises PhotoError where there is none."""
    name = shown(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # a device or pipe has no size that could be asked for
    except FileNotFoundError:
        raise PhotoError(f"{name} does not exist: check the name.") from None
    except IsADirectoryError:
        raise PhotoError(f"{name} is a folder: name the pictures in it.") from None
    except OSError as error:
        raise PhotoError(f"{name} cannot be opened ({error.strerror}): check its rights.") from None
    if len(data) > MAX_BYTES:
        raise PhotoError(f"{name} has more than {MAX_BYTES // 1_000_000} MB: use a smaller picture.")
    return data


STDERR = 2
"""The process's own, whatever stands for it in Python."""

_DECODING = threading.Lock()

_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _imdecode(data: bytes, reduction: int) -> Image | None:
    """OpenCV's decoding; None where it fails."""
    try:
        with _quiet():
            image = cv2.imdecode(np.frombuffer(without_words(data), np.uint8), _FLAGS[reduction])
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing reaches the terminal: libpng and libjpeg write there past Python, and the sentence is ours.

    One at a time: of two that overlap, the second would keep the first one's silence for good.
    """
    with _DECODING:
        try:
            terminal = os.dup(STDERR)
        except OSError:  # it is closed, as in a service: nothing can be written
            yield
            return
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), STDERR)
        try:
            yield
        finally:
            os.dup2(terminal, STDERR)
            os.close(terminal)


def _reduction(data: bytes, name: str, max_pixels: int) -> int:
    """By how much to shrink while decoding. Raises PhotoError for pictures beyond all bounds."""
    width, height = size_of(data)
    held = bytes_held(data)
    if width * height > MAX_PIXELS_OF_ALL or (held and len(data) + held > MAX_HELD):
        raise PhotoError(f"{name} has {width} x {height} pixels: use a smaller picture.")
    if held and scans_of(data) > MAX_SCANS:
        raise PhotoError(f"{name} has too many scans: save it anew as a plain JPEG.")
    return next((r for r in (1, 2, 4) if width * height <= max_pixels * r * r), 8)
