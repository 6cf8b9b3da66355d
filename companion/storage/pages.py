"""Records found on the pages of a damaged SQLite file themselves, past broken trees and broken headers.

Every page that looks like a leaf of the journal's tables is read by the file format alone. So is every
frame of a write-ahead log, of which SQLite drops damaged parts and all that follows. What is found may be
old or wrong: checksums decide. Source: SQLite, "Database File Format", sections 1.6 and 2.1.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

from companion.storage.chain import Row
from companion.storage.database import tolerant_text
from companion.storage.repair import is_one_bit_off
from companion.storage.salvage import Found, Game
from companion.storage.schema import game_seal

PAGE = 4096
"""SQLite's own page size since 2016, which the journal never changes."""
_MAX_LOCAL = (PAGE - 12) * 64 // 255 - 23
_MIN_LOCAL = (PAGE - 12) * 32 // 255 - 23
_TABLE_LOCAL = PAGE - 35
_INDEX_LEAF, _INDEX_INTERIOR, _TABLE_LEAF = 10, 2, 13
_WAL_HEAD, _FRAME_HEAD = 32, 24
MAX_CELLS = PAGE // 4

Value = str | int | bytes | None


class Pages:
    """The records on all pages of `path`, and on all frames of its log at `log`."""

    def __init__(self, path: Path, log: Path | None = None) -> None:
        self._images = _of_log(log) if log else {}
        self._file = _mapped(path)
        self._rows: dict[str, list[Row]] = {}
        self._found = Found()
        for page in self._each():
            self._read(page)

    def close(self) -> None:
        """Forget everything; may be called twice."""
        self._rows.clear()
        if isinstance(self._file, mmap.mmap):
            self._file.close()

    def found(self) -> Found:
        """The games whose own rows were found whole."""
        return self._found

    def rows(self, game: str) -> list[Row]:
        """The records of a game, in the order of the pages, and those in whose id of it a bit is wrong."""
        near = (name for name in self._rows if name != game and is_one_bit_off(name, game))
        return [row for name in (game, *near) for row in self._rows.get(name, [])]

    def _each(self) -> Iterator[bytes]:
        for start in range(0, len(self._file) - PAGE + 1, PAGE):
            yield self._file[start : start + PAGE]
        for versions in self._images.values():
            yield from versions

    def _read(self, page: bytes) -> None:
        kind = page[0]
        if kind not in (_INDEX_LEAF, _INDEX_INTERIOR, _TABLE_LEAF):
            return
        for start in _cells(page, 12 if kind == _INDEX_INTERIOR else 8):
            try:
                values = self._cell(page, start, kind)
            except (IndexError, ValueError, OverflowError):
                continue
            self._take(values)

    def _cell(self, page: bytes, start: int, kind: int) -> list[Value]:
        at = start + (4 if kind == _INDEX_INTERIOR else 0)
        size, at = _varint(page, at)
        if not 0 < size < 10_000_000:
            raise ValueError("no cell")
        if kind == _TABLE_LEAF:
            _, at = _varint(page, at)
        most = _TABLE_LOCAL if kind == _TABLE_LEAF else _MAX_LOCAL
        return _record(self._payload(page, at, size, most))

    def _payload(self, page: bytes, at: int, size: int, most: int) -> bytes:
        """The bytes of a cell, with those on its chain of overflow pages."""
        if size <= most:
            return page[at : at + size]
        least = _MIN_LOCAL
        local = least + (size - least) % (PAGE - 4)
        local = local if local <= most else least
        parts, left = [page[at : at + local]], size - local
        following = int.from_bytes(page[at + local : at + local + 4], "big")
        while left > 0:
            more = self._page(following)
            parts.append(more[4 : 4 + left])
            left -= PAGE - 4
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)

    def _page(self, number: int) -> bytes:
        """A page by its number: its newest image in the log, else as the file has it."""
        if number in self._images:
            return self._images[number][-1]
        start = (number - 1) * PAGE
        if number < 1 or start + PAGE > len(self._file):
            raise ValueError("no such page")
        return bytes(self._file[start : start + PAGE])

    def _take(self, values: list[Value]) -> None:
        match values:
            case [str(game), int(number), str(at), str(body), str(tick), str(chain)] if chain:
                self._rows.setdefault(game, []).append(Row(number, at, body, tick, chain))
            case [str(game), str(created), int(records), str(head), str(seal)]:
                known = self._found.games.get(game)
                newer = known is None or known.records < records
                if newer and seal == game_seal(game, created):
                    self._found.games[game] = Game(game, created, records, head)


def _mapped(path: Path) -> mmap.mmap | bytes:
    """The bytes of a file, which may be larger than memory; none where there is no file."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return b""


def _of_log(path: Path) -> dict[int, list[bytes]]:
    """Every image of every page in a write-ahead log, oldest first, whatever their checksums say."""
    images: dict[int, list[bytes]] = {}
    try:
        log = path.read_bytes()
    except OSError:
        return images
    for start in range(_WAL_HEAD, len(log) - _FRAME_HEAD - PAGE + 1, _FRAME_HEAD + PAGE):
        number = int.from_bytes(log[start : start + 4], "big")
        images.setdefault(number, []).append(log[start + _FRAME_HEAD : start + _FRAME_HEAD + PAGE])
    return images


def _cells(page: bytes, head: int) -> Iterator[int]:
    """Where the cells of a page begin; page one has no leaf of ours."""
    count = int.from_bytes(page[3:5], "big")
    for number in range(min(count, MAX_CELLS)):
        at = head + 2 * number
        start = int.from_bytes(page[at : at + 2], "big")
        if head <= start < PAGE:
            yield start


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for length in range(8):
        byte = data[at + length]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    return value << 8 | data[at + 8], at + 9


def _record(payload: bytes) -> list[Value]:
    """The values of a record; raises ValueError or IndexError where it is none."""
    head, at = _varint(payload, 0)
    kinds = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, kind, at)
        values.append(value)
    if at > len(payload):
        raise ValueError("cut off")
    return values


def _value(payload: bytes, kind: int, at: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if 1 <= kind <= 6:
        size = (1, 2, 3, 4, 6, 8)[kind - 1]
        return int.from_bytes(payload[at : at + size], "big", signed=True), at + size
    if kind < 12:
        raise ValueError("no kind of ours")
    size = (kind - 12) // 2
    raw = payload[at : at + size]
    return (tolerant_text(raw) if kind % 2 else raw), at + size
