"""Files that the box may go without: what cannot be read is set aside with its reason.

Every file that is read at a start is one of these, or it is the journal.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from companion.errors import StorageError
from companion.storage.disk import Disk

T = TypeVar("T")

ASIDE = ".damaged"
"""Ends the name of what was set aside; the one before it is replaced."""
LONGEST_BYTES = 20_000_000

_DISK = Disk()
_log = logging.getLogger(__name__)


class SideFiles:
    """The side files of one data folder. `aside` are those that were set aside since this was made, each
    with the reason in the words of whoever read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.aside: dict[str, str] = {}

    def file(self, name: str) -> SideFile:
        """The file of this name; nothing is read yet."""
        return SideFile(self.folder / name, self.aside)


class SideFile:
    """One side file. `aside` gets its name, and why it was set aside."""

    def __init__(self, path: Path, aside: dict[str, str] | None = None) -> None:
        self.path, self._aside = path, {} if aside is None else aside

    def read(self, parse: Callable[[bytes], T], default: T) -> T:
        """What `parse` makes of the content; `default` where there is none, or none that can be used."""
        try:
            return parse(self._content())
        except FileNotFoundError:
            return default
        except Exception as error:  # a failing card holds anything: whatever it is costs this file alone
            self.set_aside(error)
            return default

    def write(self, content: bytes) -> None:
        """Replace the file whole and synced, so that a power cut leaves the old or the new one.

        Raises StorageError."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        try:
            _DISK.write(fresh, content)
            _DISK.rename(fresh, self.path)
        except OSError as error:
            cause = error.strerror or str(error)
            raise StorageError("data_unwritable", path=self.path, cause=cause) from error

    def set_aside(self, error: Exception) -> None:
        """Move what cannot be used out of the way, as far as the folder lets us; raises nothing."""
        cause = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        cause = cause.splitlines()[0] if cause else type(error).__name__
        try:
            self.path.replace(self.path.with_name(self.path.name + ASIDE))
        except OSError as stays:
            _log.warning("%s stays where it is: %s", self.path, stays.strerror)
        _log.warning("%s was set aside: %s", self.path, cause)
        self._aside[self.path.name] = cause

    def _content(self) -> bytes:
        """The bytes of a file that is one: a pipe would never end. Raises OSError."""
        with os.fdopen(os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("it is no file")
            return file.read(LONGEST_BYTES)
