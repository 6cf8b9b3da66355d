"""Whether an open database is still the file in its folder: SQLite goes on writing to a deleted one."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import StorageError
from companion.storage.database import log_of

_Inode = tuple[int, int]


class FileIdentity:
    """The database at `path` and its write-ahead log, as they were when it was opened or first written to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = {one: _inode(one) for one in (path, log_of(path))}

    def check(self) -> None:
        """Raise StorageError where either is gone or another one has taken its place."""
        for one, known in self._known.items():
            found = _inode(one)
            if known is None:
                self._known[one] = found
            elif found != known:
                raise StorageError("journal_gone", path=self._path)


def _inode(path: Path) -> _Inode | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
