"""Loading a photograph: a picture, or one sentence that says why not."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import VisionError, shown
from vision.picture.headers import Header, header_of
from vision.picture.working import resized

MAX_BYTES = 200_000_000

MAX_PIXELS = 25_000_000
"""A larger picture is decoded at a half, a quarter or an eighth: reading needs less than one million."""

MAX_PIXELS_OF_ALL = 250_000_000
"""Of any picture, even of a JPEG that is shrunk while it is decoded."""

MAX_SIDE = 65_500
"""No JPEG is wider or higher, and what was seen is drawn into one."""

MAX_WHOLE = 50_000_000
"""Pixels of a picture that lies in memory whole before it is shrunk. Boards have 512 MB, and a program that
reads takes 150 MB of them. Of each pixel a PNG takes 4 bytes, HEIC 6, a progressive JPEG 4 to 7, a WebP 8
(the peak of `dudo read` with pictures of 25 to 60 megapixels)."""

MAX_SCANS = 100
"""Of a JPEG that is finished only with its last scan: programs write about ten, and each is gone through in
full. Thousands fit into 100 kB, and take seconds."""

_SCAN = b"\xff\xda"
"""The marker of a scan: within one no 255 is followed by this (ISO/IEC 10918-1, B.1.1)."""


class PhotoError(VisionError, ValueError):
    """The file is not a picture that can be read; the text is one sentence for the person.

    `cause` is a word for it: empty, not_one, heic, cut_off, huge (`size` tells how large), costly or damaged.
    """

    reason = "file_unreadable"
    hint = ""

    def __init__(self, sentence: str, cause: str = "damaged", size: tuple[int, int] = (0, 0)) -> None:
        super().__init__(sentence)
        self.cause, self.size = cause, size


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


def checked(
    data: bytes, name: str = "", *, max_pixels: int = MAX_PIXELS_OF_ALL, max_whole: int = MAX_WHOLE
) -> Header:
    """The header of the whole picture encoded in `data`; raises PhotoError for what is none or too large."""
    if not data:
        raise PhotoError(f"{name} is empty: take the picture again.", "empty")
    header = header_of(data)
    if header is None:
        raise PhotoError(f"{name} is not a picture that can be read: use JPEG or PNG.", "not_one")
    if header.kind == "heif" and importlib.util.find_spec("pi_heif") is None:
        raise PhotoError(f"{name} is HEIC: use JPEG or PNG, or install the extra heic.", "heic")
    size = header.width, header.height
    if max(size) > MAX_SIDE or header.pixels > (max_pixels if header.by_rows else min(max_pixels, max_whole)):
        raise PhotoError(f"{name} has {size[0]} x {size[1]} pixels: use a smaller picture.", "huge", size)
    if header.cut_off:
        raise PhotoError(f"{name} is cut off, its end is missing: copy it again.", "cut_off")
    if not header.pixels:
        raise PhotoError(f"{name} is a damaged picture: copy it again, or use JPEG or PNG.")
    if header.kind == "jpeg" and not header.by_rows and data.count(_SCAN) > MAX_SCANS:
        raise PhotoError(f"{name} has too many scans: save it anew as a plain JPEG.", "costly")
    return header


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
