"""What decoding takes of memory is known from the header, and what takes too much is refused."""

import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.picture.test_photos import hollow_png, png
from vision.picture.decoders import bytes_held
from vision.picture.photos import PhotoError, decode

pytestmark = pytest.mark.slow

PROGRESSIVE = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
WHOLE_COLOURS = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
MAX_MB = 512
"""Of memory on the smallest boards."""


def jpeg(width: int, height: int, *options: int, channels: int = 3) -> bytes:
    image = np.full((height, width, channels), 90, np.uint8)
    return bytes(cv2.imencode(".jpg", image, list(options))[1])


def jpeg_header(
    marker: int, width: int, height: int, samplings: tuple[int, ...], in_first_scan: int | None = None
) -> bytes:
    """A JPEG without anything but its frame and the beginning of its first scan."""
    parts = b"".join(bytes([k, sampling, 0]) for k, sampling in enumerate(samplings, start=1))
    frame = struct.pack(">BHHB", 8, height, width, len(samplings)) + parts
    scan = bytes([len(samplings) if in_first_scan is None else in_first_scan])
    scan += b"".join(bytes([k, 0]) for k in range(1, scan[0] + 1)) + b"\x00\x3f\x00"
    return b"".join(
        [
            b"\xff\xd8",
            struct.pack(">BBH", 0xFF, marker, len(frame) + 2) + frame,
            struct.pack(">BBH", 0xFF, 0xDA, len(scan) + 2) + scan,
            b"\xff\xd9",
        ]
    )


def moving(data: bytes) -> bytes:
    """A PNG that says that more pictures follow."""
    body = struct.pack(">II", 2, 0)
    chunk = struct.pack(">I", len(body)) + b"acTL" + body + struct.pack(">I", zlib.crc32(b"acTL" + body))
    return data[:33] + chunk + data[33:]


def webp_header(width: int, height: int, flags: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0" + bytes([flags, 0, 0, 0]) + size


@pytest.mark.parametrize(
    ("data", "a_pixel", "reason"),
    [
        (lambda: jpeg(160, 160), 0, "a plain JPEG is decoded row by row"),
        (lambda: jpeg(160, 160, *WHOLE_COLOURS), 0, "so is one with whole colours"),
        (lambda: jpeg_header(0xC1, 160, 160, (0x11,)), 0, "and one with large coefficients"),
        (
            lambda: jpeg(160, 160, *PROGRESSIVE),
            4,
            "colours at half the size: one and a half samples of two bytes",
        ),
        (lambda: jpeg(160, 160, *PROGRESSIVE, *WHOLE_COLOURS), 7, "three samples of each pixel"),
        (lambda: jpeg(160, 160, *PROGRESSIVE, channels=1), 3, "grey: one sample"),
        (lambda: jpeg_header(0xC2, 160, 160, (0x11,) * 4), 9, "cyan, magenta, yellow and black"),
        (lambda: jpeg_header(0xCA, 160, 160, (0x11,)), 3, "progressive with arithmetic code"),
        (
            lambda: jpeg_header(0xC0, 160, 160, (0x22, 0x11, 0x11), 1),
            4,
            "baseline, but one colour after the other",
        ),
        (lambda: jpeg_header(0xC2, 160, 160, ()), 1, "no component at all"),
        (lambda: jpeg_header(0xC2, 160, 160, (0x00,)), 1, "a component without samples"),
        (lambda: png(np.zeros((160, 160), np.uint8)), 4, "PNG"),
        (lambda: moving(png(np.zeros((160, 160), np.uint8))), 15, "PNG that moves"),
        (lambda: webp_header(160, 160, 0x10), 8, "WebP with transparency"),
        (lambda: webp_header(160, 160, 0x02), 11, "WebP that moves"),
        (lambda: b"GIF89a" + struct.pack("<HH", 160, 160), 12, "GIF"),
        (lambda: jpeg(160, 160, *PROGRESSIVE)[:30], 0, "a header cut short has no size"),
        (lambda: hollow_png(160, 160)[:18], 0, "nor has this one"),
    ],
)
def test_what_the_decoder_holds_of_each_pixel(data, a_pixel, reason):
    assert bytes_held(data()) == 160 * 160 * a_pixel, reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: jpeg_header(0xC2, 20_000, 12_500, (0x22, 0x11, 0x11)), "progressive: 1.6 GB"),
        (lambda: jpeg_header(0xC2, 10_000, 10_000, (0x22, 0x11, 0x11)), "progressive, 100 megapixels"),
        (lambda: jpeg_header(0xC2, 8_000, 8_000, (0x11, 0x11, 0x11)), "progressive with whole colours"),
        (lambda: jpeg_header(0xC0, 10_000, 10_000, (0x22, 0x11, 0x11), 1), "one colour after the other"),
        (lambda: hollow_png(1, 1)[:16] + struct.pack(">II", 10_000, 10_000) + hollow_png(1, 1)[24:], "PNG"),
        (
            lambda: moving(hollow_png(1, 1)[:16] + struct.pack(">II", 6_000, 4_000) + hollow_png(1, 1)[24:]),
            "moving",
        ),
        (lambda: webp_header(10_000, 5_000, 0x10), "WebP"),
        (lambda: b"GIF89a" + struct.pack("<HH", 8_000, 4_000), "GIF"),
    ],
)
def test_what_takes_too_much_is_refused_unopened(data, reason):
    with pytest.raises(PhotoError, match=r"^table has \d+ x \d+ pixels: use a smaller picture\.$"):
        decode(data(), "table")


def test_the_file_counts_too():
    fits = hollow_png(9_000, 9_000)
    assert decode(fits).shape == (4_500, 4_500, 3)
    with pytest.raises(PhotoError, match="9000 x 9000"):
        decode(fits[:-12] + bytes(20_000_000) + fits[-12:])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel tells no peak of memory")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: jpeg(10_000, 10_000), "100 megapixels, shrunk while decoding"),
        (lambda: jpeg(10_000, 8_000, *PROGRESSIVE), "as large as a progressive JPEG may be"),
        (lambda: hollow_png(9_000, 9_000), "as large as a PNG may be"),
        (lambda: jpeg(10_000, 10_000, *PROGRESSIVE), "refused"),
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
