"""A mark beside the journal: how far it had got. SQLite drops the damaged end of its log without a word.

It is written after every commit, in place and without a sync of its own: some microseconds and no wear. The
kernel writes it within half a minute, and it is synced between rounds. So it is never ahead of what the
journal acknowledged, and after a power cut at most some commands behind.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.storage.chain import seal

_log = logging.getLogger(__name__)

SIZE = 512
"""One sector, written whole."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`game` is the one last written to, with its `records` and the checksum of the last; `current` the one
    on the table. `games` are kept in all, `boots` were counted, `schema` is the journal's."""

    schema: int
    game: str
    records: int
    head: str
    current: str
    games: int
    boots: int


class MarkFile:
    """The mark in a small file. Nothing here ever raises: the journal itself matters more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def read(self) -> Mark | None:
        """The mark, None where there is none that is whole."""
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            text, _, check = self._path.read_text(encoding="ascii").rstrip().rpartition(" ")
            if seal(text) == check:
                return Mark(**json.loads(text))
        return None

    def write(self, mark: Mark) -> None:
        """Put the mark in place of the one before; on the disk at once only after `sync`."""
        text = json.dumps(asdict(mark), separators=(",", ":"))
        line = f"{text} {seal(text)}".ljust(SIZE - 1) + "\n"
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            os.pwrite(self._file, line.encode("ascii"), 0)
        except (OSError, ValueError) as error:
            _log.warning("how far the journal has got cannot be marked in %s: %s", self._path, error)

    def sync(self) -> None:
        """Have the mark on the disk, whoever wrote it."""
        with suppress(OSError):
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR)
            os.fdatasync(self._file)

    def close(self) -> None:
        """Close the file; may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)
