"""Two files with the same content in two folders, both synced before a change is acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageError
from companion.storage.disk import Disk, Identity

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
        for path, to in zip(fresh, self.paths, strict=True):
            self._disk.rename(path, to)
            self._disk.sync_folder(to.parent)
        self.know()

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
