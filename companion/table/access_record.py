"""The access token of the phones that were let in, so that the box knows them again after a restart.

Once it is renewed, every phone must join anew. Which phone leads is kept beside it: an old cookie would still
name a phone that has lost the lead. Both are in a small file beside the journal.
"""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageError

FILE = "admission"


class AccessRecord:
    """The access token in force, and which phone leads. Safe for many threads."""

    def __init__(self, path: Path | None = None) -> None:
        """Take up the token kept at `path`, else begin with a new one; without a path it is not kept."""
        self._path, self._lock = path, threading.Lock()
        self._token = self._leader = ""
        with suppress(OSError, UnicodeDecodeError):
            kept = path.read_text(encoding="ascii").split() if path else []
            self._token, self._leader = (*kept, "", "")[:2]
        if not self._token:
            self.renew()

    @property
    def token(self) -> str:
        """The token that a phone carries once it was let in."""
        with self._lock:
            return self._token

    @property
    def leader(self) -> str:
        """The phone that leads, "" where none does."""
        with self._lock:
            return self._leader

    def renew(self) -> None:
        """Replace the token, so that the old one lets no phone in.

        Raises StorageError, and then nothing has changed.
        """
        with self._lock:
            self._keep(secrets.token_urlsafe(9), self._leader)

    def lead(self, phone: str) -> None:
        """Remember which phone leads, "" for none; raises StorageError, and then nothing has changed."""
        with self._lock:
            if phone != self._leader:
                self._keep(self._token, phone)

    def _keep(self, token: str, leader: str) -> None:
        if self._path:
            _write(self._path, f"{token} {leader}".rstrip())
        self._token, self._leader = token, leader


def _write(path: Path, content: str) -> None:
    """Replace the file whole, so that a power cut leaves the old or the new one."""
    fresh = path.with_suffix(".new")
    try:
        with fresh.open("w", encoding="ascii") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise StorageError("folder_forbidden", path=path.parent) from error
