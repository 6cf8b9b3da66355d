"""The data folder: one companion at a time uses it, and nobody else reads it."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from companion.errors import FolderBusy, StorageError

PRIVATE_UMASK = 0o077
_SECRET = re.compile(r"[0-9a-f]{64}")
_log = logging.getLogger(__name__)


@contextmanager
def private_files() -> Iterator[None]:
    """Every file that this process makes meanwhile is its owner's alone, whatever the umask is."""
    before = os.umask(PRIVATE_UMASK)
    try:
        yield
    finally:
        os.umask(before)


class DataFolder:
    """Holds the lock of a data folder; the kernel drops it with the process, however that ends.

    While it is held, every file that this process makes gets mode 0600, whatever the umask was: databases and
    what SQLite puts beside them, pictures, the camera's calibration. Files of older versions are tightened.
    A folder that is made here gets mode 0700; one that was there keeps its own.
    """

    def __init__(self, path: Path) -> None:
        """Make the folder and take its lock; raises FolderBusy with the holder's process number."""
        self.path = path
        with ExitStack() as opening:
            opening.enter_context(private_files())
            opening.enter_context(closing(_locked(path)))
            _tighten(path)
            self._closing = opening.pop_all()

    def secret(self) -> str:
        """A random word of this folder, the same after every restart: it signs the phones' cookies.

        An empty or damaged one is replaced, and then every phone joins anew.
        """
        kept = self.path / "secret"
        try:
            if found := _read_secret(kept):
                return found
            fresh = secrets.token_hex(32)
            _write_whole(kept, fresh)
            return fresh
        except OSError as error:
            raise StorageError("folder_forbidden", path=self.path) from error

    def close(self) -> None:
        """Let go; may be called twice."""
        self._closing.close()

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _locked(path: Path) -> IO[str]:
    """The open lock file of the folder, with our process number in it; raises StorageError, FolderBusy."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / "lock").open("a+", encoding="ascii", errors="replace")
    except OSError as error:
        raise StorageError("folder_forbidden", path=path) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = _holder(lock)
        lock.close()
        raise FolderBusy("folder_busy", path=path, holder=holder) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _holder(lock: IO[str]) -> str:
    lock.seek(0)
    return lock.read().strip() or "?"


def _tighten(folder: Path) -> None:
    """Take the rights of others from the files of the folder, as far as they are ours to change."""
    for entry in os.scandir(folder):
        with suppress(OSError):
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISREG(mode) and mode & PRIVATE_UMASK:
                os.chmod(entry.path, stat.S_IMODE(mode) & ~PRIVATE_UMASK)


def _read_secret(kept: Path) -> str | None:
    """The secret, None where there is none that could be one."""
    try:
        found = kept.read_bytes().decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    if _SECRET.fullmatch(found):
        return found
    _log.warning("%s was empty or damaged and is made anew: every phone has to join once more", kept)
    return None


def _write_whole(path: Path, text: str) -> None:
    """Replace the file whole and synced, so that a power cut leaves the old or the new one."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
