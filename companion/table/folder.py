"""The data folder: one companion at a time uses it, and nobody else reads it."""

from __future__ import annotations

import fcntl
import logging
import os
import pwd
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from companion.errors import FolderBusy, StorageError
from companion.side_files import SideFile

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
        """Make the folder and take its lock; raises FolderBusy with the holder's process number.

        A folder that cannot be made or written goes without a lock: nobody writes there.
        """
        self.path = path
        with ExitStack() as opening:
            opening.enter_context(private_files())
            try:
                _work_as_owner(path)
                opening.enter_context(closing(_locked(path)))
                _tighten(path)
            except FolderBusy:
                raise
            except (OSError, KeyError) as error:
                _log.warning("the folder %s has no lock: %s", path, error)
            self._closing = opening.pop_all()

    def close(self) -> None:
        """Let go; may be called twice."""
        self._closing.close()

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def secret(file: SideFile) -> str:
    """A random word of a data folder, the same after every restart: it signs the phones' cookies.

    Where it is lost or cannot be kept there is another one, and then every phone joins anew.
    """
    if found := file.read(_parsed, ""):
        return found
    fresh = secrets.token_hex(32)
    try:
        file.write(fresh.encode())
    except StorageError as error:
        _log.warning("%s: every phone has to join once more after the next start", error)
    return fresh


def _parsed(content: bytes) -> str:
    found = content.decode("ascii").strip()
    if not _SECRET.fullmatch(found):
        raise ValueError("empty or damaged: every phone has to join once more")
    return found


def _work_as_owner(path: Path) -> None:
    """What root makes in the folder of somebody else is that person's, or the service could not use it."""
    owner = path.stat() if path.exists() else None
    if owner is not None and owner.st_uid and os.geteuid() == 0:
        os.initgroups(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
        os.setegid(owner.st_gid)
        os.seteuid(owner.st_uid)


def _locked(path: Path) -> IO[str]:
    """The open lock file of the folder, with our process number in it; raises OSError, FolderBusy."""
    path.mkdir(parents=True, exist_ok=True)
    file = path / "lock"
    try:
        lock = file.open("a+", encoding="ascii", errors="replace")
    except PermissionError:  # left by somebody else, as root
        file.unlink()
        lock = file.open("a+", encoding="ascii", errors="replace")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = _holder(lock)
        lock.close()
        raise FolderBusy("folder_busy", path=path, holder=holder) from error
    with suppress(OSError):  # a full disk has no room for the number
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
    return lock


def is_busy(path: Path) -> bool:
    """Whether a companion uses the folder just now. Nothing is made or changed there."""
    try:
        with (path / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


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
