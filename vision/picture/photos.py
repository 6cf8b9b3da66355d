"""Loading a photograph: a picture, or one sentence that says why not."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import shown
from vision.picture.headers import PhotoError, checked
from vision.picture.working import resized

MAX_BYTES = 200_000_000

MAX_PIXELS = 25_000_000
"""A larger picture is decoded at a half, a quarter or an eighth: reading needs less than one million."""


def load(path: str | Path) -> Image:
    """The picture in `path` as (height, width, 3) blue, green, red, upright as its EXIF says.

    Grey, 16-bit, transparent and CMYK pictures come out the same way. Raises PhotoError.
    """
    return decode(_bytes_of(Path(path)), shown(path))


def decode(data: bytes, name: str = "the picture", max_pixels: int = MAX_PIXELS) -> Image:
    """The picture encoded in `data`, smaller where it has more than `max_pixels`; `name` is used in the
    sentence of PhotoError.

    JPEG, PNG, WebP, and HEIC with its extra: kinds whose size is known before they are decoded.
    """
    header = checked(data, name)
    reduction = next((r for r in (1, 2, 4) if header.pixels <= max_pixels * r * r), 8)
    image = (_heif if header.kind == "heif" else _imdecode)(data, reduction)
    if image is None or image.size == 0:
        raise PhotoError(f"{name} is a damaged picture: copy it again, or use JPEG or PNG.")
    return np.ascontiguousarray(image)


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
            image = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[reduction])
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


def _heif(data: bytes, reduction: int) -> Image | None:
    """The main picture of a HEIC file, upright as it says; None where it is damaged."""
    import pi_heif  # here: an extra, and few phones send such pictures

    try:
        file = pi_heif.open_heif(data, bgr_mode=True)
        pixels = np.asarray(file)
    except (ValueError, OSError, RuntimeError, EOFError, SyntaxError, LookupError):  # its docs name none
        return None
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    image = pixels[:, :, :3]  # in memory that ends with `file`
    return image.copy() if reduction == 1 else resized(image, 1 / reduction)
