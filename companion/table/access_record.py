"""The access token of the phones that were let in, so that the box knows them again after a restart.

Once it is renewed, every phone must join anew. Which phone leads is kept beside it: an old cookie would still
name a phone that has lost the lead. Both are in a small file beside the journal.
"""

from __future__ import annotations

import secrets
import threading

from companion.errors import StorageError
from companion.side_files import SideFile

FILE = "admission"


class AccessRecord:
    """The access token in force, and which phone leads. Safe for many threads."""

    def __init__(self, file: SideFile | None = None) -> None:
        """Take up the kept token, else begin with a new one; without a file it is not kept."""
        self._file, self._lock = file, threading.Lock()
        self._token, self._leader = file.read(_parsed, ("", "")) if file else ("", "")
        if not self._token:
            self._begin()

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
            self._keep(_fresh(), self._leader)

    def lead(self, phone: str) -> None:
        """Remember which phone leads, "" for none; raises StorageError, and then nothing has changed."""
        with self._lock:
            if phone != self._leader:
                self._keep(self._token, phone)

    def _begin(self) -> None:
        """A first token; where it cannot be kept it holds until the next start."""
        try:
            self.renew()
        except StorageError:
            self._token = _fresh()

    def _keep(self, token: str, leader: str) -> None:
        if self._file:
            self._file.write(f"{token} {leader}".rstrip().encode("ascii"))
        self._token, self._leader = token, leader


def _fresh() -> str:
    return secrets.token_urlsafe(9)


def _parsed(content: bytes) -> tuple[str, str]:
    token, leader = (*content.decode("ascii").split(), "", "")[:2]
    if len(token) != len(_fresh()):
        raise ValueError("there is no token in it")
    return token, leader
