"""What a picture's header says of it before anything is decoded: its kind, and its width and height."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Size = tuple[int, int]
PNG = b"\x89PNG\r\n\x1a\n"

_HEIC_BRANDS = {b"heic", b"heix"}
"""Of still pictures coded by HEVC (ISO/IEC 23008-12)."""

_LONGEST_FIRST_BOX = 256

_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])")
"""After a scan's data: no stuffed byte, no restart and no padding (ISO/IEC 10918-1, B.1.1)."""

_PACKED_WORDS = (b"zTXt", b"iTXt", b"iCCP")
"""Chunks of a PNG that are compressed and not of its picture (ISO/IEC 15948)."""

_HEIF_SIZE = re.compile(rb"\0\0\0\x14ispe\0{4}(.{8})", re.DOTALL)
"""The box of the same standard for width and height in pixels."""


@dataclass(frozen=True, slots=True)
class JpegFrame:
    """What a JPEG says of its frame: the marker that names its process, the size, how many samples each of
    its components has across and down, and how many components are in the first scan."""

    marker: int
    size: Size
    samplings: tuple[Size, ...]
    in_first_scan: int


def kind_of(data: bytes) -> str:
    """jpeg, png, webp, bmp, gif or heif by the first bytes, whatever it is called; "" for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:8] == b"ftyp" and _HEIC_BRANDS & _brands(data):
        return "heif"
    starts = {b"\xff\xd8": "jpeg", PNG: "png", b"BM": "bmp", b"GIF8": "gif"}
    return next((kind for start, kind in starts.items() if data.startswith(start)), "")


def _brands(data: bytes) -> set[bytes]:
    """What a file in boxes (ISO/IEC 14496-12) can be read as: the brands of its first box."""
    box = data[: min(int.from_bytes(data[:4], "big"), _LONGEST_FIRST_BOX)]
    return {box[at : at + 4] for at in (8, *range(16, len(box), 4))}


def size_of(data: bytes) -> Size:
    """Width and height in pixels as the header says, (0, 0) where it does not."""
    parse = _SIZES.get(kind_of(data))
    try:
        return parse(data) if parse else (0, 0)
    except (struct.error, IndexError):  # the header itself is cut off
        return 0, 0


def without_words(data: bytes) -> bytes:
    """A PNG without text and colour profiles, which unpack to a thousand times as much; anything else as it
    is."""
    if kind_of(data) != "png" or not any(kind in data for kind in _PACKED_WORDS):
        return data
    kept, at = [data[:8]], 8
    while at + 8 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] not in _PACKED_WORDS:
            kept.append(data[at:end])
        at = end
    return b"".join(kept)


def is_cut_off(data: bytes) -> bool:
    """Whether a JPEG has no end after its scan, or a PNG no last chunk."""
    kind = kind_of(data)
    if kind == "png":
        return b"IEND" not in data[-64:]
    if kind != "jpeg":
        return False
    scan = next((start for marker, start in _segments(data) if marker == 0xDA), None)
    return scan is None or data.find(b"\xff\xd9", scan) < 0


def is_animated(data: bytes) -> bool:
    """Whether a PNG or a WebP says before its first picture that it has more of them."""
    if kind_of(data) == "png":
        return b"acTL" in data[: max(0, data.find(b"IDAT"))]
    return data[8:16] == b"WEBPVP8X" and bool(data[20:21]) and bool(data[20] & 0x02)


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Marker and start of the content of each segment of a JPEG up to its scan."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        yield marker, at + 4
        if marker == 0xDA:
            return
        at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])


def scans_of(data: bytes) -> int:
    """How many scans a JPEG has."""
    scans, at = 0, next((start for marker, start in _segments(data) if marker == 0xDA), len(data))
    while at < len(data):
        scans += 1
        at = _next_scan(data, at)
    return scans


def _next_scan(data: bytes, at: int) -> int:
    """Where the content of the scan behind this one begins, the end of the data where it is the last."""
    while (found := _MARKER.search(data, at)) and found[1] != b"\xd9":
        at = found.end()
        if found[1] == b"\xda":
            return at
        at += int.from_bytes(data[at : at + 2], "big")
    return len(data)


def jpeg_frame(data: bytes) -> JpegFrame | None:
    """The frame of a JPEG as its header says; None where there is none."""
    frame, in_first_scan = None, 0
    try:
        for marker, start in _segments(data):
            if marker == 0xDA:
                in_first_scan = data[start]
            elif frame is None and 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width, components = struct.unpack_from(">HHB", data, start + 1)
                steps = data[start + 7 : start + 6 + 3 * components : 3]
                frame = marker, (width, height), tuple((step >> 4, step & 15) for step in steps)
    except (struct.error, IndexError):  # the header itself is cut off
        pass
    return None if frame is None else JpegFrame(*frame, in_first_scan)


def _jpeg(data: bytes) -> Size:
    frame = jpeg_frame(data)
    return frame.size if frame else (0, 0)


def _png(data: bytes) -> Size:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _webp(data: bytes) -> Size:
    """The three forms of WebP: lossy, lossless, extended."""
    form = data[12:16]
    if form == b"VP8X":
        width, height = (int.from_bytes(data[k : k + 3], "little") + 1 for k in (24, 27))
    elif form == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (v & 0x3FFF for v in struct.unpack_from("<HH", data, 26))
    return width, height


def _bmp(data: bytes) -> Size:
    old = struct.unpack_from("<I", data, 14)[0] == 12
    width, height = struct.unpack_from("<HH" if old else "<ii", data, 18)
    return abs(width), abs(height)  # a height below zero: rows from top to bottom


def _gif(data: bytes) -> Size:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _heif(data: bytes) -> Size:
    """The largest that is named: a picture in tiles names the tiles' size as well."""
    named = (struct.unpack(">II", size) for size in _HEIF_SIZE.findall(data))
    width, height = max(named, key=lambda size: size[0] * size[1], default=(0, 0))
    return width, height


_SIZES: dict[str, Callable[[bytes], Size]] = {
    "jpeg": _jpeg,
    "png": _png,
    "webp": _webp,
    "bmp": _bmp,
    "gif": _gif,
    "heif": _heif,
}
