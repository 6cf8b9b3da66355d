"""Files of sealed lines in two folders, the same lines in both: read from whichever is as it was written, and
synced before a change is acknowledged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageError
from companion.json_types import Body
from companion.storage.disk import Disk, Identity
from companion.storage.form import Woven, following, head, is_newer, joined, label, version_of, woven

SUFFIX = ".jsonl"
KEPT_ASIDE = 12
"""How many damaged files are kept; older ones make room for newer ones."""
_ID = re.compile(r"[0-9a-z]{1,32}")
FRESH = ".new"
"""Ends the name of a file before it replaces another."""


class Pair:
    """The file `name` in both folders. `lines` is what they hold, once they were read or written. Errors of
    the disk come through as OSError."""

    def __init__(self, disk: Disk, folders: tuple[Path, Path], name: str) -> None:
        self.disk, self.paths = disk, (folders[0] / name, folders[1] / name)
        self.lines: list[bytes] = []
        self._own: dict[Path, Identity | None] = {}
        self._sure = False
        """Whether both are known to hold the lines."""

    def texts(self) -> tuple[bytes, bytes]:
        """What is in each now, nothing where there is none."""
        first, second = map(self.disk.read, self.paths)
        return first, second

    def hold(self, lines: Iterable[bytes] = ()) -> None:
        """Have these lines in memory, and take the files that are there for one's own."""
        self.lines, self._sure = list(lines), False
        self._own = {path: self.disk.identity(path) for path in self.paths}

    def replace(self, lines: Sequence[bytes]) -> None:
        """Give the new files with these lines their names."""
        self._sure = False
        for path in self.paths:
            self.disk.rename(_fresh(path), path)
            self._own[path] = self.disk.identity(path)  # one's own, even if the other one fails
        self.lines, self._sure = list(lines), True

    def append(self, lines: Sequence[bytes]) -> None:
        """Have these lines follow in both, in one after the other: a card may tear the whole block that it
        is writing. Where that fails, neither has more than before, or both are compared with what they should
        be before the next line."""
        if not self._sure:
            self.put_right(self.lines)
        data, handles = joined(lines), list[int]()
        try:
            for path in self.paths:
                handles.append(self.disk.open(path))
                self.disk.append(handles[-1], data)
                self.disk.sync(handles[-1])
        except OSError:
            self._sure = False
            with suppress(OSError):
                for handle in handles:
                    self.disk.cut(handle, len(joined(self.lines)))
                    self.disk.sync(handle)
            raise
        finally:
            for handle in handles:
                self.disk.close(handle)
        self.lines += lines

    def put_right(self, lines: Sequence[bytes]) -> None:
        """Have these lines in memory and in both files."""
        self.hold(lines)
        content = joined(lines)
        if any(text != content for text in self.texts()):
            write(self.disk, {self: lines})
        self._sure = True

    def are_there(self) -> bool:
        """Whether both are still what was last written. Raises StorageError for another in their place."""
        there = True
        for path, own in self._own.items():
            found = self.disk.identity(path) if own else None
            if found and found != own:
                raise StorageError("journal_gone", path=path)
            there = there and found == own
        return there

    def remove(self) -> None:
        """Delete both."""
        for path in self.paths:
            self.disk.remove(path)


class GameFile(Pair):
    """The files of one game."""

    def __init__(self, disk: Disk, folders: tuple[Path, Path], game: str) -> None:
        super().__init__(disk, folders, game + SUFFIX)
        self.game = game
        self._version: str | None = None

    def add(self, bodies: Sequence[Body], version: str) -> None:
        """Have the records of one command follow, all or none. They name the `version` that writes where it
        was another one before."""
        if self._version is None:
            self._version = version_of(self.lines)
        self.append(following(self.lines, bodies, version if version != self._version else None))
        self._version = version

    def read(self, listed: int | None = None) -> Woven:
        """What both have together (`form.woven`): lines in memory were read before. Of a form of a later
        version the head alone is read."""
        if self.lines:
            whole = joined(self.lines)
            return Woven(tuple(self.lines), damaged=any(text != whole for text in self.texts()))
        found = woven(self.texts(), listed)
        if is_newer(found.lines):
            return Woven(found.lines[:1])
        if head(found.lines).get("game") == self.game:
            return found
        if listed is None:  # it is no game
            return Woven(())
        return Woven((), max(found.missing, listed), damaged=True)

    def set_aside(self, folder: Path) -> str:
        """Keep both files as they are in this folder, and return the name of the first; "" where nothing is
        left of them, or there is no room for what is damaged."""
        names = [f"{label().replace(':', '')[:17]}-{self.game}-{number}{SUFFIX}" for number in (1, 2)]
        try:
            if not any(texts := self.texts()):
                return ""
            for name, text in zip(names, texts, strict=True):
                self.disk.write(folder / name, text)
            for old in self.disk.names(folder)[:-KEPT_ASIDE]:
                self.disk.remove(folder / old)
        except OSError:
            return ""
        return names[0]


def write(disk: Disk, changes: Mapping[Pair, Sequence[bytes]]) -> None:
    """Put these lines in place of what each pair had. A full disk is met before anything has changed."""
    fresh = {_fresh(path): lines for pair, lines in changes.items() for path in pair.paths}
    try:
        for path, lines in fresh.items():
            disk.write(path, joined(lines))
    except OSError:
        with suppress(OSError):
            for path in fresh:
                disk.remove(path)
        raise
    for pair, lines in changes.items():
        pair.replace(lines)


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + FRESH)


def is_id(game: str) -> bool:
    """Whether a game may have this id: it is the name of its file."""
    return _ID.fullmatch(game) is not None


def ids(disk: Disk, folders: Iterable[Path]) -> set[str]:
    """The ids of games of which there is a file."""
    names = {name.removesuffix(SUFFIX) for folder in folders for name in disk.names(folder) if SUFFIX in name}
    return set(filter(is_id, names))


def sweep(disk: Disk, folders: Iterable[Path]) -> None:
    """Remove what had not got its name when the power went."""
    for path in (folder / name for folder in folders for name in disk.names(folder)):
        if path.name.endswith(FRESH):
            disk.remove(path)
