"""A disk in memory that loses its power at any step, with what was not synced; fills up; fails to sync."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from companion.storage.disk import Disk, Identity


class PowerCut(BaseException):
    """The power is gone: nobody is left to catch it."""


@dataclass
class File:
    """What the system sees, and what is surely on the card."""

    number: int
    now: bytes = b""
    synced: bytes = b""


Name = tuple[Path, File | None]
"""A name that was given or, with None, taken away."""


@dataclass
class LossyDisk(Disk):
    """`steps_left`: so many more steps until the power goes. `room`: so many bytes fit. The card writes whole
    blocks of `block` bytes: what shares one with what was not synced may be gone as well."""

    steps_left: float = float("inf")
    room: float = float("inf")
    sync_fails: bool = False
    block: int = 1
    named: dict[Path, File] = field(default_factory=dict)
    unsynced_names: list[Name] = field(default_factory=list)
    synced_names: dict[Path, File] = field(default_factory=dict)
    steps: int = 0
    numbers: count[int] = field(default_factory=lambda: count(1))
    opened: dict[int, File] = field(default_factory=dict)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self.steps_left:
            raise PowerCut

    def read(self, path: Path) -> bytes:
        return self.named[path].now if path in self.named else b""

    def names(self, folder: Path) -> list[str]:
        return sorted(path.name for path in self.named if path.parent == folder)

    def open(self, path: Path, *, fresh: bool = False) -> int:
        self._step()
        if fresh and path not in self.named:
            self._name(path, File(next(self.numbers)))
        handle = next(self.numbers)
        self.opened[handle] = self.named[path]
        if fresh:
            self.opened[handle].now = b""
        return handle

    def append(self, handle: int, data: bytes) -> None:
        self._step()
        used = sum(len(file.now) for file in self.named.values())
        fits = data[: int(max(0, min(len(data), self.room - used)))]
        self.opened[handle].now += fits
        if len(fits) < len(data):
            raise OSError(errno.ENOSPC, "no room")

    def cut(self, handle: int, size: int) -> None:
        self._step()
        self.opened[handle].now = self.opened[handle].now[:size]

    def sync(self, handle: int) -> None:
        self._step()
        if self.sync_fails:
            raise OSError(errno.EIO, "the card does not answer")
        self.opened[handle].synced = self.opened[handle].now

    def close(self, handle: int) -> None:
        del self.opened[handle]

    def rename(self, path: Path, to: Path) -> None:
        self._step()
        file = self.named[path]
        self._name(path, None)
        self._name(to, file)
        self.sync_folder(to.parent)

    def remove(self, path: Path) -> None:
        self._step()
        if path in self.named:
            self._name(path, None)
        self.sync_folder(path.parent)

    def sync_folder(self, folder: Path) -> None:
        self._step()
        self._reach_card([one for one in self.unsynced_names if one[0].parent == folder])

    def identity(self, path: Path) -> Identity | None:
        return (1, self.named[path].number) if path in self.named else None

    def _name(self, path: Path, file: File | None) -> None:
        self.unsynced_names.append((path, file))
        _apply(self.named, path, file)

    def _reach_card(self, names: list[Name]) -> None:
        for path, file in names:
            _apply(self.synced_names, path, file)
        self.unsynced_names = [one for one in self.unsynced_names if one not in names]

    def after_the_cut(self, rng: Random) -> LossyDisk:
        """What a start finds: of names and content that were not synced, any first part."""
        self._reach_card(self.unsynced_names[: rng.randint(0, len(self.unsynced_names))])
        left = {path: File(n, found, found) for n, (path, found) in enumerate(self._left(rng), 1)}
        return LossyDisk(named=dict(left), synced_names=left, numbers=count(len(left) + 1))

    def _left(self, rng: Random) -> list[tuple[Path, bytes]]:
        return [(path, self._torn(file, rng)) for path, file in self.synced_names.items()]

    def _torn(self, file: File, rng: Random) -> bytes:
        """Any part of what was written since the last sync, or zeros in its place; what was cut may be
        there."""
        if not file.now.startswith(file.synced) or file.now == file.synced:
            return rng.choice((file.now, file.synced))
        kept = len(file.synced) // self.block * self.block
        fresh = file.now[kept:]
        part = fresh[: rng.randint(0, len(fresh))]
        return file.now[:kept] + part + bytes(rng.choice((0, len(fresh) - len(part))))


def _apply(names: dict[Path, File], path: Path, file: File | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file
