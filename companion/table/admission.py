"""The word that phones carry which were let in, so that the box knows them again after a restart.

Renewed, it lets nobody back in: whoever comes then joins anew. A small file of its own beside the journal.
"""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageError


class Admission:
    """The word of the present admission; may be asked by many threads."""

    def __init__(self, path: Path | None = None) -> None:
        """Take up the word kept at `path`, else begin with a new one; without a path it is not kept."""
        self._path, self._lock = path, threading.Lock()
        self._word = ""
        with suppress(OSError, UnicodeDecodeError):
            self._word = path.read_text(encoding="ascii") if path else ""
        if not self._word:
            self.renew()

    @property
    def word(self) -> str:
        """What a phone that was let in carries."""
        with self._lock:
            return self._word

    def renew(self) -> None:
        """End every admission; raises StorageError, and then nothing has changed."""
        with self._lock:
            fresh = secrets.token_urlsafe(9)
            if self._path:
                _write(self._path, fresh)
            self._word = fresh


def _write(path: Path, word: str) -> None:
    """Replace the file whole, so that a power cut leaves the old or the new word."""
    fresh = path.with_suffix(".new")
    try:
        with fresh.open("w", encoding="ascii") as file:
            file.write(word)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise StorageError("folder_forbidden", path=path.parent) from error
