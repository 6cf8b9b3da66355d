"""The data folder: one companion at a time uses it, and nobody else reads it.

It has room set aside for the journal, so that a game goes on where the disk is utterly full. The secret that
signs cookies and the access token of the phones that were let in are kept over a restart.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from companion.errors import FolderBusy, StorageError
from companion.storage.side_files import SideFile

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl
    import pwd

PRIVATE_UMASK = 0o077
_BEHIND = 1 << 20
"""The place of the byte that Windows locks: behind all that is in the file."""
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
        with suppress(OSError):  # the lock's number is still in its buffer where a full disk had no room
            self._closing.close()

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(self, *_: object) -> None:
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
    if sys.platform != "win32":
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
        _take(lock)
    except OSError as error:
        with lock:
            lock.seek(0)
            holder = lock.read().strip() or "?"
        raise FolderBusy("folder_busy", path=path, holder=holder) from error
    with suppress(OSError):  # a full disk has no room for the number
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
    return lock


def _take(lock: IO[str] | IO[bytes], *, shared: bool = False) -> None:
    """Lock the open file until it is closed; raises BlockingIOError where another process holds it."""
    if sys.platform == "win32":
        os.lseek(lock.fileno(), _BEHIND, os.SEEK_SET)  # nobody can read a byte that another has locked
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        os.lseek(lock.fileno(), 0, os.SEEK_SET)
    else:
        fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def is_busy(path: Path) -> bool:
    """Whether a companion uses the folder just now. Nothing is made or changed there."""
    try:
        with (path / "lock").open("rb") as lock:
            _take(lock, shared=True)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    return False


def _tighten(folder: Path) -> None:
    """Take the rights of others from the files of the folder, as far as they are ours to change."""
    for entry in os.scandir(folder):
        with suppress(OSError):
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISREG(mode) and mode & PRIVATE_UMASK:
                os.chmod(entry.path, stat.S_IMODE(mode) & ~PRIVATE_UMASK)


BYTES = 8_000_000
"""Enough for thousands of commands, and for a game that is written again as a whole."""
SPARE_BYTES = 40_000_000
"""Nothing is set aside where less than this would be left."""
NEXT_TO_NOTHING_BYTES = 1_000_000


MEGABYTE = 1_000_000
MIN_FREE_BYTES = 50 * MEGABYTE
"""With less room no more pictures are kept: what is left is for the journal, which needs little of it."""


def free_bytes(folder: Path) -> int:
    """Room on the disk of a folder; none where there is no such folder."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def no_room(folder: Path, least_bytes: int = MIN_FREE_BYTES) -> StorageError | None:
    """The fault of a disk that is nearly full, None while there is room for pictures."""
    if free_bytes(folder) >= least_bytes:
        return None
    return StorageError("disk_full", path=folder)


class Reserve:
    """A file that holds room on the disk until the journal needs it. Nothing here ever raises."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self) -> None:
        """Set the room aside, unless it is already, or there is too little. Costs next to nothing to ask."""
        with suppress(OSError):
            if not self._path.exists() and free_bytes(self._path.parent) > BYTES + SPARE_BYTES:
                with self._path.open("wb") as file:
                    file.write(bytes(BYTES))

    def give_up(self) -> bool:
        """Make the room free; whether there was any."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    def ease_start(self) -> None:
        """Make the room free where not even the start would find what it needs."""
        if free_bytes(self._path.parent) < NEXT_TO_NOTHING_BYTES:
            self.give_up()


FILE = "admission"


class AccessRecord:
    """The access token in force, which a phone carries once it was let in; and which phone leads,
    "" for none. Safe for many threads."""

    def __init__(self, file: SideFile) -> None:
        """Take up the kept token, else begin with a new one."""
        self._file, self._lock = file, threading.Lock()
        self._written = file.read(_token_in, ("", ""))
        self.token, self.leader = self._written
        self._next = self.token
        if not self.token:
            self.renew()
            with suppress(StorageError):  # it holds until the next start
                self.lead(self.leader)

    def following(self) -> str:
        """Another token, written down for `renew`; raises StorageError, and then nothing has changed."""
        with self._lock:
            fresh = _fresh()
            self._write(fresh, self.leader)
            self._next = fresh
            return fresh

    def renew(self, token: str = "") -> None:
        """Replace the token, so that the old one lets no phone in. One that was not written down before is
        with the next lead."""
        self.token = self._next = token or _fresh()

    def lead(self, phone: str) -> None:
        """Write down which phone leads, "" for none, and the token; raises StorageError."""
        with self._lock:
            self._write(self._next, phone)

    def _write(self, token: str, leader: str) -> None:
        if (token, leader) != self._written:
            self._file.write(f"{token} {leader}".rstrip().encode("ascii"))
            self._written, self.leader = (token, leader), leader


def _fresh() -> str:
    return secrets.token_urlsafe(9)


def _token_in(content: bytes) -> tuple[str, str]:
    token, leader = (*content.decode("ascii").split(), "", "")[:2]
    if len(token) != len(_fresh()):
        raise ValueError("there is no token in it")
    return token, leader
