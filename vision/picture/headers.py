"""What a picture's header says of it before anything is decoded."""

from __future__ import annotations

import importlib.util
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.errors import VisionError

PNG = b"\x89PNG\r\n\x1a\n"

_HEIC_BRANDS = {b"heic", b"heix"}
"""Of still pictures coded by HEVC (ISO/IEC 23008-12)."""

_LONGEST_FIRST_BOX = 256

_HEIF_SIZE = re.compile(rb"\0\0\0\x14ispe\0{4}(.{8})", re.DOTALL)
"""The box of the same standard for width and height in pixels."""

_SCAN, _END = 0xDA, b"\xff\xd9"
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BY_ROWS = {0xC0, 0xC1, 0xC9}
"""Markers of JPEG (ISO/IEC 10918-1, B.1): of all frames, and of those that may be decoded row by row."""

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

_SCAN_BEGINS = b"\xff\xda"
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


@dataclass(frozen=True, slots=True)
class Header:
    """A picture's kind (jpeg, png, webp or heif) and its size in pixels, 0 where it is not told.

    `by_rows`: it may be shrunk row by row while it is decoded; any other lies in memory whole first.
    `cut_off`: its end is missing.
    """

    kind: str
    width: int = 0
    height: int = 0
    by_rows: bool = False
    cut_off: bool = False

    @property
    def pixels(self) -> int:
        """Width by height."""
        return self.width * self.height


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
    if header.kind == "jpeg" and not header.by_rows and data.count(_SCAN_BEGINS) > MAX_SCANS:
        raise PhotoError(f"{name} has too many scans: save it anew as a plain JPEG.", "costly")
    return header


def header_of(data: bytes) -> Header | None:
    """The header of a picture by its first bytes, whatever it is called; None for anything else."""
    kind = _kind_of(data)
    try:
        return _PARSERS[kind](data) if kind else None
    except struct.error:  # the header itself is cut off
        return Header(kind, cut_off=True)


def _kind_of(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:8] == b"ftyp" and _HEIC_BRANDS & _brands(data):
        return "heif"
    starts = {b"\xff\xd8": "jpeg", PNG: "png"}
    return next((kind for start, kind in starts.items() if data.startswith(start)), "")


def _brands(data: bytes) -> set[bytes]:
    """What a file in boxes (ISO/IEC 14496-12) can be read as: the brands of its first box."""
    box = data[: min(int.from_bytes(data[:4], "big"), _LONGEST_FIRST_BOX)]
    return {box[at : at + 4] for at in (8, *range(16, len(box), 4))}


def _jpeg(data: bytes) -> Header:
    width, height, by_rows, cut_off = 0, 0, False, True
    for marker, start in _segments(data):
        if marker == _SCAN:
            cut_off = data.find(_END, start) < 0
        elif marker in _FRAMES and not width:
            height, width = struct.unpack_from(">HH", data, start + 1)
            by_rows = marker in _BY_ROWS
    return Header("jpeg", width, height, by_rows, cut_off)


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Marker and start of the content of each segment of a JPEG up to its scan."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        yield marker, at + 4
        if marker == _SCAN:
            return
        at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    return Header("png", width, height, cut_off=b"IEND" not in data[-64:])


def _webp(data: bytes) -> Header:
    """The three forms of WebP: extended, lossless, lossy."""
    form = data[12:16]
    if form == b"VP8X":
        width, wide, height, high = struct.unpack_from("<HBHB", data, 24)
        return Header("webp", (wide << 16) + width + 1, (high << 16) + height + 1)
    if form == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return Header("webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack_from("<HH", data, 26)
    return Header("webp", width & 0x3FFF, height & 0x3FFF)


def _heif(data: bytes) -> Header:
    """The largest size that is named: a picture in tiles names the tiles' size as well."""
    named = (struct.unpack(">II", size) for size in _HEIF_SIZE.findall(data))
    width, height = max(named, key=lambda size: size[0] * size[1], default=(0, 0))
    return Header("heif", width, height)


_PARSERS: dict[str, Callable[[bytes], Header]] = {"jpeg": _jpeg, "png": _png, "webp": _webp, "heif": _heif}
