"""What the journal asks of a file system: the only place where it touches one.

An error of the system's comes through as OSError. Tests put a disk in its place that loses what was not
synced, at any instant.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.errors import StorageError

Identity = tuple[int, int]
_AS_IT_IS = getattr(os, "O_BINARY", 0)  # Windows would write \n as \r\n


class Disk:
    """Files by their paths, open ones by a handle."""

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
        """A handle to write behind the end of a file; `fresh`: of a new and empty one, in its folder."""
        more = 0
        if fresh:
            path.parent.mkdir(parents=True, exist_ok=True)
            more = os.O_CREAT | os.O_TRUNC
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

    def sync(self, handle: int) -> None:
        """Have the content of a file on the card; Linux leaves out when it was written."""
        if sys.platform == "linux":
            os.fdatasync(handle)
        else:
            os.fsync(handle)

    def close(self, handle: int) -> None:
        os.close(handle)

    def rename(self, path: Path, to: Path) -> None:
        """Give a file the name and the place of another one, on the card."""
        path.replace(to)
        self.sync_folder(to.parent)

    def remove(self, path: Path) -> None:
        """Delete a file on the card, if it is there."""
        path.unlink(missing_ok=True)
        self.sync_folder(path.parent)

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


_UNWRITTEN = {errno.ENOSPC: "journal_full", errno.EDQUOT: "journal_full", errno.EROFS: "journal_read_only"}


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
