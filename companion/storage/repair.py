"""Repairs a record with one wrong bit: its checksum identifies the bit."""

from __future__ import annotations

from dataclasses import replace

from companion.storage.chain import FIELDS, Row, digest, link, sealed
from companion.storage.database import tolerant_text

MAX_BYTES = 8192
"""Longer records are not searched: each bit costs a checksum over the whole."""


def repaired(before: str, row: Row) -> Row | None:
    """The record as it was written after one with the checksum `before`; None where more than a bit is off.

    The chance that another than the right bit fits 64 bits of a checksum is one in 10**14 at the most.
    """
    right = link(before, row)
    if is_one_bit_off(right, row.chain):
        return replace(row, chain=right)
    text = bytearray(sealed(before, row))
    if len(text) > MAX_BYTES:
        return None
    for at in range(len(text)):
        for bit in range(8):
            text[at] ^= 1 << bit
            if digest(text) == row.chain:
                return _parsed(text, row)
            text[at] ^= 1 << bit
    return None


def _parsed(text: bytes | bytearray, row: Row) -> Row | None:
    """The record in what its checksum is over; None where the wrong bit was in what it follows."""
    parts = tolerant_text(bytes(text)).split("\0")
    if len(parts) != FIELDS or parts[1] != str(row.number):
        return None
    return Row(row.number, parts[2], parts[4], parts[3], row.chain)


def is_one_bit_off(one: str, other: str) -> bool:
    """Whether two texts differ in a single bit."""
    first, second = (text.encode("utf-8", "surrogateescape") for text in (one, other))
    if len(first) != len(second):
        return False
    return sum((a ^ b).bit_count() for a, b in zip(first, second, strict=True)) == 1
