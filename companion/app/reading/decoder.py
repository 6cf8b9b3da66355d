"""JPEGs of pictures; and what phones send decoded in a process of its own that may hold and compute so much:
a picture that takes more costs its phone the picture, and nobody else anything."""

from __future__ import annotations

import math
import sys
from contextlib import suppress
from pathlib import Path
from pickle import PickleBuffer

import cv2
import numpy as np

from companion.budgets import PHOTO_PX
from vision.arrays import Image
from vision.picture.photos import decode

if sys.platform == "linux":
    import resource

MAX_PIXELS = 11_000_000
"""A larger JPEG is decoded at a half, a quarter or an eighth, as the 12 megapixels of phones are: that
is still more than is read, in a quarter of the memory."""

JPEG_QUALITY = 82
PHONE_PX, PHONE_QUALITIES, PHONE_BYTES = 960, (72, 60, 48, 36), 65_000
"""The first quality at which a picture is small enough is taken: a noisy one weighs twice a clear one."""

_STATUS = Path("/proc/self/statm")
_OOM_SCORE = Path("/proc/self/oom_score_adj")
_FIRST_TO_GO = "1000"
"""Where memory runs out all the same, the kernel ends this process before any other (proc(5))."""


class Decoder:
    """Decodes in the process that it is made in, which ends at its bounds.

    Linux alone bounds a process. Elsewhere `vision.picture.photos` bounds what a picture announces, and
    whoever asks ends a process that takes too long.
    """

    def __init__(self, held_bytes: int, seconds: int) -> None:
        """From now on the process may hold `held_bytes` more, and compute `seconds` for each picture."""
        self._seconds = seconds
        cv2.setNumThreads(1)
        if sys.platform == "linux":
            _bound_memory(held_bytes)

    def picture(self, data: bytes, longest_px: int) -> tuple[int, int, PickleBuffer]:
        """Height, width and pixels of `picture_of`: whoever hands them on has no arrays. Raises MemoryError
        too."""
        if sys.platform == "linux":
            _bound_time(self._seconds)
        image = picture_of(data, longest_px)
        return *image.shape[:2], PickleBuffer(image.data)


if sys.platform == "linux":

    def _bound_memory(held_bytes: int) -> None:
        with suppress(OSError):  # a kernel that hides it still has the bounds
            _OOM_SCORE.write_text(_FIRST_TO_GO, encoding="ascii")
        pages = int(_STATUS.read_text(encoding="ascii").split()[0])
        bound = pages * resource.getpagesize() + held_bytes
        _limit(resource.RLIMIT_AS, bound, bound)
        _limit(resource.RLIMIT_CORE, 0, 0)

    def _bound_time(seconds: int) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        bound_s = math.ceil(used.ru_utime + used.ru_stime) + seconds
        _limit(resource.RLIMIT_CPU, bound_s, resource.RLIM_INFINITY)

    def _limit(what: int, soft: int, hard: int) -> None:
        """Bound this process. The service's sandbox allows prlimit(2), and not setrlimit(2)."""
        resource.prlimit(0, what, (soft, hard))


def picture_of(data: bytes, longest_px: int = PHOTO_PX) -> Image:
    """The picture encoded in `data`, upright and with no side longer than `longest_px`. Raises
    `vision.picture.headers.PhotoError`."""
    image_bgr = decode(data, max_pixels=MAX_PIXELS)
    scale = longest_px / max(image_bgr.shape[:2])
    if scale >= 1:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def encoded(image_bgr: Image) -> bytes:
    """The picture as JPEG."""
    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])


def decoded(data: bytes) -> Image:
    """The picture, (height, width, 3) uint8, of a JPEG or PNG that the reader made."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def for_phones(image_bgr: Image) -> bytes:
    """The picture as JPEG no larger than a phone shows it: it is loaded with the first view of a verdict."""
    scale = min(1.0, PHONE_PX / max(image_bgr.shape[:2]))
    shown = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for quality in PHONE_QUALITIES:
        jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        if len(jpeg) <= PHONE_BYTES:
            break
    return bytes(jpeg)
