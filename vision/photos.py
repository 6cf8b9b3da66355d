"""Loading a photograph: a picture, or one sentence that says why not."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image

MOST_BYTES = 200_000_000
MOST_PIXELS = 25_000_000
"""A larger picture is decoded at a half, a quarter or an eighth: reading needs less than one million."""

MOST_PIXELS_AT_ALL = 400_000_000
"""Beyond this decoding alone would take gigabytes."""


class PhotoError(ValueError):
    """The file is not a picture that can be read; the text is one sentence for the person."""


def load(path: str | Path) -> Image:
    """The picture in `path` as (height, width, 3) blue, green, red, upright as its EXIF says.

    Grey, 16-bit, transparent and CMYK pictures come out the same way. Raises PhotoError.
    """
    return decode(_bytes_of(Path(path)), str(path))


def decode(data: bytes, name: str = "the picture") -> Image:
    """The picture encoded in `data`; `name` is used in the sentence of PhotoError."""
    if not data:
        raise PhotoError(f"{name} is empty: take the picture again.")
    if _cut_off(data):
        raise PhotoError(f"{name} is cut off, its end is missing: copy it again.")
    reduction = _reduction(data, name)
    image = _imdecode(data, reduction)
    if image is None or image.size == 0:
        raise PhotoError(f"{name} is not a picture that can be read: use JPEG or PNG.")
    return np.ascontiguousarray(image)


def _bytes_of(path: Path) -> bytes:
    """The file's content; raises PhotoError where there is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PhotoError(f"{path} has more than {MOST_BYTES // 1_000_000} MB: use a smaller picture.")
        return path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(f"{path} does not exist: check the name.") from None
    except IsADirectoryError:
        raise PhotoError(f"{path} is a folder: name the pictures in it.") from None
    except OSError as error:
        raise PhotoError(f"{path} cannot be opened ({error.strerror}): check its rights.") from None


_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _imdecode(data: bytes, reduction: int) -> Image | None:
    """OpenCV's decoding; None where it fails. Quiet: the sentence is ours."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[reduction])
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _reduction(data: bytes, name: str) -> int:
    """By how much to shrink while decoding. Raises PhotoError for pictures beyond all bounds."""
    width, height = _size(data)
    if width * height > MOST_PIXELS_AT_ALL:
        raise PhotoError(f"{name} has {width} x {height} pixels: use a smaller picture.")
    return next((r for r in (1, 2, 4) if width * height <= MOST_PIXELS * r * r), 8)


def _size(data: bytes) -> tuple[int, int]:
    """Width and height as the header of a JPEG or PNG says; (0, 0) where it does not."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    for marker, start in _segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and start + 7 <= len(data):
            height, width = struct.unpack(">HH", data[start + 3 : start + 7])
            return int(width), int(height)
    return 0, 0


def _segments(data: bytes) -> list[tuple[int, int]]:
    """Marker and start of the content of each segment of a JPEG up to its scan."""
    segments: list[tuple[int, int]] = []
    if data[:2] != b"\xff\xd8":
        return segments
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        segments.append((marker, at + 4))
        if marker == 0xDA:
            break
        at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return segments


def _cut_off(data: bytes) -> bool:
    """Whether a JPEG has no end after its scan, or a PNG no last chunk."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return b"IEND" not in data[-64:]
    if data[:2] != b"\xff\xd8":
        return False
    scans = [start for marker, start in _segments(data) if marker == 0xDA]
    return not scans or data.find(b"\xff\xd9", scans[0]) < 0
