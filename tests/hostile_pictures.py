"""Small pictures that cost much: made to harm, as a phone at the table may send them."""

import struct
import zlib

import cv2
import numpy as np

from companion.app.reading.decoder import Decoder
from vision.arrays import Image

SCANS = 4_000


def many_scans(width: int = 4000, height: int = 3000, scans: int = SCANS) -> bytes:
    """A progressive JPEG whose every scan goes once through all of its blocks, and changes nothing."""
    grey = np.full((height, width), 128, np.uint8)
    plain = bytes(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    first = plain.index(b"\xff\xda")
    end = plain.find(b"\xff\xda", first + 2)
    begun = plain[: end if end > 0 else plain.rindex(b"\xff\xd9")]
    blocks = -(-width // 8) * -(-height // 8)
    table = (
        b"\xff\xc4" + struct.pack(">HB", 2 + 17 + 1, 0x10) + bytes([1] + [0] * 15) + b"\xe0"
    )  # EOB14 alone
    runs = -(-blocks // (1 << 14))
    bits = "".join("0" + f"{(1 << 14) - 1:014b}" for _ in range(runs))
    bits += "1" * (-len(bits) % 8)
    coded = bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8)).replace(b"\xff", b"\xff\x00")
    scan = b"\xff\xda" + struct.pack(">HB", 8, 1) + plain[first + 5 : first + 6] + b"\x00" + b"\x01\x3f\x00"
    return begun + table + (scan + coded) * scans + b"\xff\xd9"


def wide_chunks(chunks: int = 400) -> bytes:
    """A PNG with compressed words that unpack to a thousand times as much, again and again."""
    words = zlib.compress(b"x" * 7_000_000, 9)
    body = [_chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))]
    body += [_chunk(b"zTXt", b"Comment\0\0" + words)] * chunks
    body += [_chunk(b"IDAT", zlib.compress(b"\0" * (64 * 3 + 1) * 64)), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


class Spinning(Decoder):
    """A decoder that never comes to an end."""

    def picture(self, data: bytes, longest_px: int) -> Image:
        super().picture(data, longest_px)
        while True:
            pass


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
