"""The compiled modules of a start in one file: a memory card reads it faster than four hundred.

PyInstaller does the same. Python compares each module with its source as always. One that was compiled anew
since comes from its own file, and so do all where the one file is absent or damaged.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import machinery
from importlib.util import cache_from_source
from pathlib import Path
from typing import ClassVar

FILE = Path(cache_from_source(__file__)).with_suffix(".bin")


class Loader(machinery.SourceFileLoader):
    """Python's own, but that it takes from memory what is `kept`, once each."""

    kept: ClassVar[dict[tuple[str, int], bytes]] = {}
    asked: ClassVar[list[str]] = []

    def get_data(self, path: str) -> bytes:
        """The content of a file; raises OSError."""
        if not path.endswith(".pyc"):
            return super().get_data(path)
        self.asked.append(path)
        return self.kept.pop(_written(path), b"") or super().get_data(path)


@contextmanager
def in_one_file(path: Path = FILE) -> Iterator[None]:
    """Within this, modules come from the file. It is written anew where one was not in it, and may be."""
    Loader.kept, Loader.asked = _read(path), []
    known = set(Loader.kept)
    hook = machinery.FileFinder.path_hook(
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (Loader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )
    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
    try:
        yield
    finally:
        sys.path_hooks.remove(hook)
        sys.path_importer_cache.clear()
        Loader.kept = {}
    if not sys.dont_write_bytecode and os.access(path.parent, os.W_OK):
        with suppress(OSError):
            _keep(path, known)


def _keep(path: Path, known: set[tuple[str, int]]) -> None:
    """Write the file where a module was not in it; raises OSError, and then leaves nothing beside it."""
    asked = {_written(module) for module in Loader.asked if os.path.exists(module)}
    if asked <= known:
        return
    content = marshal.dumps({module: Path(module[0]).read_bytes() for module in asked})
    fresh = path.with_suffix(f".{os.getpid()}")  # two that start at once write one each
    try:
        fresh.write_bytes(zlib.crc32(content).to_bytes(4, "big") + content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _written(path: str) -> tuple[str, int]:
    return path, os.stat(path).st_mtime_ns


def _read(path: Path) -> dict[tuple[str, int], bytes]:
    with suppress(OSError, EOFError):
        content = path.read_bytes()
        if zlib.crc32(content[4:]) == int.from_bytes(content[:4], "big"):
            return dict(marshal.loads(content[4:]))
    return {}
