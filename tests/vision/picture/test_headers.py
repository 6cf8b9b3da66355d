"""What a picture's header says, and what is refused for it before anything is decoded."""

import re
import struct
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile_pictures import many_scans
from tests.vision.picture.test_photos import PICTURE, hollow_png, jpeg
from vision.picture.headers import MAX_SCANS, Header, PhotoError, checked, header_of
from vision.picture.photos import decode

pytestmark = pytest.mark.slow

PROGRESSIVE = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
MAX_MB = 512
"""Of memory on the smallest boards."""


def encoded(form: str, width: int, height: int, *options: int) -> bytes:
    return bytes(cv2.imencode(form, np.full((height, width, 3), 90, np.uint8), list(options))[1])


def jpeg_header(marker: int, width: int, height: int) -> bytes:
    """A JPEG without anything but its frame and the beginning of its scan."""
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    scan = b"\x01\x01\x00\x00\x3f\x00"
    segments = (struct.pack(">BBH", 0xFF, m, len(b) + 2) + b for m, b in ((marker, frame), (0xDA, scan)))
    return b"\xff\xd8" + b"".join(segments) + b"\xff\xd9"


def png_header(width: int, height: int) -> bytes:
    whole = hollow_png(1, 1)
    return whole[:16] + struct.pack(">II", width, height) + whole[24:]


def webp_header(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0" + bytes(4) + size


@pytest.mark.parametrize(
    ("make", "kind", "by_rows", "reason"),
    [
        (lambda w, h: encoded(".jpg", w, h), "jpeg", True, "as cameras write it"),
        (lambda w, h: encoded(".jpg", w, h, *PROGRESSIVE), "jpeg", False, "finished with its last scan"),
        (lambda w, h: jpeg_header(0xC1, w, h), "jpeg", True, "with large coefficients"),
        (lambda w, h: jpeg_header(0xCA, w, h), "jpeg", False, "progressive with arithmetic code"),
        (lambda w, h: encoded(".png", w, h), "png", False, "PNG"),
        (lambda w, h: encoded(".webp", w, h), "webp", False, "lossless WebP"),
        (lambda w, h: encoded(".webp", w, h, cv2.IMWRITE_WEBP_QUALITY, 50), "webp", False, "lossy WebP"),
        (webp_header, "webp", False, "extended WebP"),
    ],
)
@pytest.mark.parametrize("size", [(3, 500), (640, 480)])
def test_kind_and_size_are_known_before_anything_is_decoded(make, kind, by_rows, reason, size):
    assert header_of(make(*size)) == Header(kind, *size, by_rows=by_rows), reason


@pytest.mark.parametrize("length", range(0, 40, 3))
@pytest.mark.parametrize("form", [".jpg", ".png", ".webp"])
def test_what_is_cut_in_its_header_is_refused(form, length):
    with pytest.raises(PhotoError):
        decode(encoded(form, 640, 480)[:length])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: jpeg_header(0xC0, 20_000, 20_000), "any picture"),
        (lambda: jpeg_header(0xC2, 10_000, 6_000), "a progressive JPEG lies in memory whole"),
        (lambda: png_header(10_000, 6_000), "so does a PNG"),
        (lambda: webp_header(10_000, 6_000), "and a WebP"),
        (lambda: png_header(65_501, 50), "no JPEG holds what was seen in it"),
    ],
)
def test_what_takes_too_much_is_refused_unopened(data, reason):
    with pytest.raises(PhotoError, match=r"^table has \d+ x \d+ pixels: use a smaller picture\.$") as error:
        decode(data(), "table")
    assert error.value.cause == "huge", reason


@pytest.mark.parametrize(
    ("data", "too_many", "reason"),
    [
        (jpeg() * (MAX_SCANS + 1), False, "what follows the end of a plain one is not its own"),
        (bytes(cv2.imencode(".jpg", PICTURE, list(PROGRESSIVE))[1]), False, "programs write about ten"),
        (many_scans(64, 48, MAX_SCANS), True, "each is gone through in full"),
    ],
)
def test_scans_are_counted_before_decoding(data, too_many, reason):
    causes = []
    try:
        checked(data)
    except PhotoError as error:
        causes.append(error.cause)
    assert causes == ["costly"] * too_many, reason


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel tells no peak of memory")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: encoded(".jpg", 10_000, 10_000), "100 megapixels, shrunk while decoding"),
        (lambda: encoded(".jpg", 8_000, 6_000, *PROGRESSIVE), "as large as a progressive JPEG may be"),
        (lambda: hollow_png(7_000, 7_000), "as large as a PNG may be"),
        (lambda: encoded(".jpg", 10_000, 10_000, *PROGRESSIVE), "refused"),
    ],
)
def test_memory_is_bounded(data, reason, tmp_path):
    (tmp_path / "table").write_bytes(data())
    program = (
        "import sys; from companion.__main__ import main; main(['read', sys.argv[1]]);"
        "print(open('/proc/self/status').read())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "table")], capture_output=True, text=True, check=True
    )
    peak = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert peak
    assert int(peak[1]) / 1024 < MAX_MB, reason
