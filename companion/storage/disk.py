"""What the journal asks of a file system: the only place where it touches one; and two files with the same
content in two folders, both synced before a change is acknowledged.

An error of the system's comes through as OSError. Tests put a disk in its place that loses what was not
synced, at any instant.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.errors import StorageError

Identity = tuple[int, int]
_AS_IT_IS = getattr(os, "O_BINARY", 0)  # Windows would write \n as \r\n


class Disk:
    """Files by their paths, open ones by a handle. A second file is synced alongside the first one."""

    def __init__(self) -> None:
        self._alongside = ThreadPoolExecutor(1, "journal-sync")  # begins no thread before its first task

    def read(self, path: Path) -> bytes:
        """The content of a file; nothing where there is none, or the card cannot read it back."""
        try:
            return path.read_bytes()
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EIO):
                raise
            return b""

    def names(self, folder: Path) -> list[str]:
        """The names in a folder in order; none where there is no such folder."""
        try:
            return sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def open(self, path: Path, *, fresh: bool = False) -> int:
        """A handle to write behind the end of a file; `fresh`: of a new and empty one."""
        more = os.O_CREAT | os.O_TRUNC if fresh else 0
        return os.open(path, os.O_WRONLY | os.O_APPEND | _AS_IT_IS | more, 0o600)

    def append(self, handle: int, data: bytes) -> None:
        """Write all of it behind the end."""
        while data:
            data = data[os.write(handle, data) :]

    def write(self, path: Path, data: bytes) -> None:
        """A new file with this content, on the card."""
        handle = self.open(path, fresh=True)
        try:
            self.append(handle, data)
            self.sync(handle)
        finally:
            self.close(handle)

    def cut(self, handle: int, size: int) -> None:
        """Drop what stands behind `size` bytes."""
        os.ftruncate(handle, size)

    def sync(self, *handles: int) -> None:
        """Have the content of these files on the card; two take no longer than one."""
        others = [self._alongside.submit(_synced, handle) for handle in handles[1:]]
        try:
            _synced(handles[0])
        finally:
            for other in others:
                other.result()

    def close(self, handle: int) -> None:
        os.close(handle)

    def rename(self, path: Path, to: Path) -> None:
        path.replace(to)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def make_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Have the names in a folder on the card, as far as its file system can."""
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def identity(self, path: Path) -> Identity | None:
        """What tells one file from another of the same name; None where there is none."""
        try:
            found = os.stat(path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def end(self) -> None:
        """Let the thread end; may be called twice."""
        self._alongside.shutdown(wait=False)


_UNWRITTEN = {errno.ENOSPC: "journal_full", errno.EDQUOT: "journal_full", errno.EROFS: "journal_read_only"}


def _synced(handle: int) -> None:
    """Have the content of a file on the card; Linux leaves out when it was written."""
    if sys.platform == "linux":
        os.fdatasync(handle)
    else:
        os.fsync(handle)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """The system's complaint about the journal at `path` as one of our errors, by cause."""
    try:
        yield
    except StorageError:
        raise
    except PermissionError as error:
        raise StorageError("folder_forbidden", path=path.parent) from error
    except OSError as error:
        reason = _UNWRITTEN.get(error.errno or 0, "journal_unwritable")
        raise StorageError(reason, path=path, cause=error.strerror or str(error)) from error


def with_room(change: Callable[[], None], more_room: Callable[[], bool]) -> None:
    """Change something; where the disk is full, once more in the room that is made. Raises OSError."""
    try:
        change()
    except OSError as error:
        if error.errno != errno.ENOSPC or not more_room():
            raise
        change()


FRESH = ".new"


class Pair:
    """The file `name` in both folders. Errors of the disk come through as OSError."""

    def __init__(self, disk: Disk, folders: tuple[Path, Path], name: str) -> None:
        self._disk = disk
        self.paths = (folders[0] / name, folders[1] / name)
        self._handles: list[int] = []
        self._known: list[Identity | None] = [None, None]
        self._size = -1

    def read(self) -> tuple[bytes, bytes]:
        """What is in each, nothing where there is none."""
        first, second = map(self._disk.read, self.paths)
        return first, second

    def replace(self, content: bytes) -> None:
        """Put this content in place of what each had. A full disk is met before anything has changed."""
        self.close()
        fresh = [path.with_name(path.name + FRESH) for path in self.paths]
        try:
            for path in fresh:
                self._disk.make_folder(path.parent)
                self._disk.write(path, content)
        except OSError:
            with suppress(OSError):
                for path in fresh:
                    self._disk.remove(path)
            raise
        for which, (path, to) in enumerate(zip(fresh, self.paths, strict=True)):
            self._disk.rename(path, to)
            self._known[which] = self._disk.identity(to)  # one's own, even if the other one fails
            self._disk.sync_folder(to.parent)

    def append(self, data: bytes, content: Callable[[], bytes]) -> None:
        """Write `data` behind the `content` of both. Where that fails, neither has more than before, or both
        are written as a whole the next time."""
        if self._size < 0:
            self._open(content())
        try:
            for handle in self._handles:
                self._disk.append(handle, data)
            self._disk.sync(*self._handles)
            self._size += len(data)
        except OSError:
            self._cut_back()
            raise

    def _open(self, content: bytes) -> None:
        if any(text != content for text in self.read()):
            self.replace(content)
        self._handles = [self._disk.open(path) for path in self.paths]
        self._known = [self._disk.identity(path) for path in self.paths]
        self._size = len(content)

    def _cut_back(self) -> None:
        """After a sync that failed nobody knows what the card has, so the files are closed and, before the
        next line, compared with what they should be."""
        with suppress(OSError):
            for handle in self._handles:
                self._disk.cut(handle, self._size)
        self.close()

    def are_there(self) -> bool:
        """Whether both are still what was last written. Raises StorageError for another in their place."""
        now = [self._disk.identity(path) for path in self.paths]
        for path, known, found in zip(self.paths, self._known, now, strict=True):
            if found is not None and known is not None and found != known:
                raise StorageError("journal_gone", path=path)
        return all(known is None or found is not None for known, found in zip(self._known, now, strict=True))

    def know(self) -> None:
        """Take the files that are there now for one's own."""
        self._known = [self._disk.identity(path) for path in self.paths]

    def remove(self) -> None:
        """Delete both."""
        self.close()
        for path in self.paths:
            self._disk.remove(path)
            self._disk.sync_folder(path.parent)

    def close(self) -> None:
        """Close the files; may be called twice."""
        handles, self._handles, self._size = self._handles, [], -1
        for handle in handles:
            with suppress(OSError):
                self._disk.close(handle)
