"""The data folder: one companion at a time uses it."""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import IO

from companion.errors import FolderBusy, StorageError


class DataFolder:
    """Holds the lock of a data folder; the kernel drops it with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        """Make the folder and take its lock; raises FolderBusy with the holder's process number."""
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = (path / "lock").open("a+", encoding="ascii")
        except OSError as error:
            raise StorageError("folder_forbidden", path=path) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._lock)
            self._lock.close()
            raise FolderBusy("folder_busy", path=path, holder=holder) from error
        self._lock.truncate(0)
        self._lock.write(str(os.getpid()))
        self._lock.flush()

    def secret(self) -> str:
        """A random word of this folder, the same after every restart: it signs the phones' cookies."""
        kept = self.path / "secret"
        try:
            if not kept.exists():
                fresh = self.path / "secret.new"
                fresh.write_text(secrets.token_hex(32), encoding="ascii")
                fresh.chmod(0o600)
                fresh.replace(kept)
            return kept.read_text(encoding="ascii")
        except OSError as error:
            raise StorageError("folder_forbidden", path=self.path) from error

    def close(self) -> None:
        """Let go; may be called twice."""
        self._lock.close()

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _holder(lock: IO[str]) -> str:
    lock.seek(0)
    return lock.read().strip() or "?"
