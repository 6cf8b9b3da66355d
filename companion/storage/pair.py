"""A file of sealed lines in two folders: the same lines in both, synced before a change is acknowledged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageError
from companion.storage.disk import Disk, Identity
from companion.storage.form import joined

FRESH = ".new"
"""Ends the name of a file before it replaces another."""


class Pair:
    """The file `name` in both folders. `lines` is what they hold, once they were read or written. Errors of
    the disk come through as OSError."""

    def __init__(self, disk: Disk, folders: tuple[Path, Path], name: str) -> None:
        self.disk, self.paths = disk, (folders[0] / name, folders[1] / name)
        self.lines: list[bytes] = []
        self._own: list[Identity | None] = [None, None]
        self._size = -1
        """Of both files; below 0 while nobody knows whether they hold the lines."""

    def texts(self) -> tuple[bytes, bytes]:
        """What is in each now, nothing where there is none."""
        first, second = map(self.disk.read, self.paths)
        return first, second

    def hold(self, lines: Iterable[bytes] = ()) -> None:
        """Have these lines in memory, and take the files that are there for one's own."""
        self.lines, self._size = list(lines), -1
        self._own = [self.disk.identity(path) for path in self.paths]

    def write(self, lines: Sequence[bytes]) -> None:
        """Put these lines in place of what each had. A full disk is met before anything has changed."""
        content, fresh = joined(lines), [path.with_name(path.name + FRESH) for path in self.paths]
        try:
            for path in fresh:
                self.disk.write(path, content)
        except OSError:
            with suppress(OSError):
                for path in fresh:
                    self.disk.remove(path)
            raise
        self._size = -1
        for which, (path, to) in enumerate(zip(fresh, self.paths, strict=True)):
            self.disk.rename(path, to)
            self._own[which] = self.disk.identity(to)  # one's own, even if the other one fails
        self.lines, self._size = list(lines), len(content)

    def append(self, lines: Sequence[bytes]) -> None:
        """Have these lines follow in both. Where that fails, neither has more than before, or both are
        compared with what they should be before the next line."""
        if self._size < 0:
            self.put_right()
        data, handles = joined(lines), list[int]()
        try:
            for path in self.paths:
                handles.append(self.disk.open(path))
                self.disk.append(handles[-1], data)
            self.disk.sync(*handles)
        except OSError:
            before, self._size = self._size, -1
            with suppress(OSError):
                for handle in handles:
                    self.disk.cut(handle, before)
            raise
        finally:
            for handle in handles:
                self.disk.close(handle)
        self.lines += lines
        self._size += len(data)

    def put_right(self) -> bool:
        """Have both files hold the lines; returns whether they did."""
        content = joined(self.lines)
        if any(text != content for text in self.texts()):
            self.write(self.lines)
            return False
        self._size = len(content)
        return True

    def are_there(self) -> bool:
        """Whether both are still what was last written. Raises StorageError for another in their place."""
        now = [self.disk.identity(path) for path in self.paths]
        for path, own, found in zip(self.paths, self._own, now, strict=True):
            if own and found and found != own:
                raise StorageError("journal_gone", path=path)
        return all(found or not own for own, found in zip(self._own, now, strict=True))

    def remove(self) -> None:
        """Delete both."""
        for path in self.paths:
            self.disk.remove(path)
