"""Checksums chained from record to record, so that nothing changes or vanishes unnoticed.

Each record's checksum covers its own text and the checksum before it (a hash chain, as in Git or in
certificate transparency logs); a game's row carries the last one. BLAKE2b, 64 bits: against a failing card,
not against somebody who wants to cheat and can compute it as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

_BYTES = 8


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it is stored. `at` is a wall-clock label, `tick` that of a clock that never jumps,
    `body` its JSON; `chain` is "" where it was written before there were checksums."""

    number: int
    at: str
    body: str
    tick: str = ""
    chain: str = ""


FIELDS = 5
"""So many texts go into a record's checksum."""


def seed(game: str) -> str:
    """The checksum before a game's first record."""
    return seal(game)


def link(before: str, row: Row) -> str:
    """The checksum of a record that follows one with the checksum `before`."""
    return digest(sealed(before, row))


def sealed(before: str, row: Row) -> bytes:
    """The bytes that a record's checksum covers."""
    return _joined(before, str(row.number), row.at, row.tick, row.body)


def chained(game: str, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The same records with their checksums made anew."""
    found: list[Row] = []
    for row in rows:
        before = found[-1].chain if found else seed(game)
        found.append(Row(row.number, row.at, row.body, row.tick, link(before, row)))
    return tuple(found)


def good_records(game: str, rows: Iterable[Row]) -> int:
    """How many records from the first on are as they were written, none missing between them."""
    before, count = seed(game), 0
    for row in rows:
        if row.number != count + 1 or link(before, row) != row.chain:
            break
        before, count = row.chain, row.number
    return count


def seal(*parts: str) -> str:
    """A checksum over texts, whatever bytes they are made of."""
    return digest(_joined(*parts))


def digest(text: bytes | bytearray) -> str:
    """A checksum over bytes: 16 hexadecimal digits."""
    return blake2b(text, digest_size=_BYTES).hexdigest()


def _joined(*parts: str) -> bytes:
    """One wrong bit makes bytes, a number or nothing of a text: its checksum is another then."""
    return "\0".join(map(str, parts)).encode("utf-8", "surrogateescape")


def combined(seals: Iterable[str]) -> str:
    """One checksum over a set of them in any order: one more or one less can be put in or taken out."""
    whole = 0
    for seal in seals:
        whole ^= int(seal, 16)
    return f"{whole:0{2 * _BYTES}x}"
