"""The format of a picture sent by a phone, from its first bytes, before anything is decoded."""

from __future__ import annotations

from companion.errors import BadCommand
from vision.picture.decoders import bytes_held
from vision.picture.headers import is_cut_off, kind_of, scans_of, size_of
from vision.picture.heif import can_decode
from vision.picture.photos import MAX_SCANS

MAX_PIXELS = 60_000_000
"""Phones take 12 to 50 megapixels; a few hundred kilobytes may claim a thousand times as many."""

MAX_HELD = 100_000_000
"""Bytes that a decoder may hold which can't shrink while it decodes, estimated from the header: below
`companion.budgets.DECODING_BYTES`, at which it is ended."""

MAX_PREVIEW_PIXELS = 2_000_000
"""Of a preview: twice what viewfinders send."""

_HEIC = frozenset((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"))
"""Brands of pictures that few programs beside the phone's own decode (ISO/IEC 23008-12)."""

_VIDEO = (b"\x1aE\xdf\xa3", b"FLV", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3")
"""How Matroska and WebM, Flash and MPEG begin."""


def check_picture(data: bytes) -> None:
    """Raises BadCommand for what is no whole picture, one sentence for each cause."""
    if not data:
        raise BadCommand("picture_empty")
    kind = kind_of(data)
    if not kind or (kind == "heif" and not can_decode()):
        raise BadCommand(_foreign(data))
    width, height = size_of(data)
    held = bytes_held(data)
    if width * height > MAX_PIXELS or held > MAX_HELD:
        raise BadCommand("picture_huge", width=width, height=height)
    if held and scans_of(data) > MAX_SCANS:
        raise BadCommand("picture_costly")
    if is_cut_off(data) or not width * height:
        raise BadCommand("picture_cut_off")


def check_preview(data: bytes) -> None:
    """Raises BadCommand for what is no preview, as `check_picture` does."""
    check_picture(data)
    width, height = size_of(data)
    if width * height > MAX_PREVIEW_PIXELS:
        raise BadCommand("picture_huge", width=width, height=height)


def _foreign(data: bytes) -> str:
    """The reason key for what is none of the kinds that are read."""
    if data[4:8] == b"ftyp":
        return "picture_heic" if data[8:12] in _HEIC else "picture_video"
    video = data.startswith(_VIDEO) or (data[:4] == b"RIFF" and data[8:11] == b"AVI")
    return "picture_video" if video else "picture_not_one"
