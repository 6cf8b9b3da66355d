"""Sealed memory: bytes that nobody can change any more, read by several processes from one copy.

It has no name: a process gets it by its descriptor, and it is gone with the last one that has it open or
mapped, however that one ends. Nobody can write to it or make it shorter, so that reading is always safe.

Source: memfd_create(2); fcntl(2), file sealing. Before Linux 6.7 a memory that is sealed against writing can
only be mapped as private; its pages are shared all the same, as none is ever written.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import weakref
from collections.abc import Callable

_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_NEEDED = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_WRITE


class NotSealed(Exception):
    """A descriptor of something that could still change, or that is shorter than announced."""


class Sealed(mmap.mmap):
    """A sealed memory mapped for reading. `descriptor` lives as long as this, for the next process."""

    descriptor: int

    def __new__(cls, descriptor: int, length: int) -> Sealed:
        """Map `length` bytes of the memory; the caller keeps and closes the descriptor given.

        Raises NotSealed, and OSError where there is no room for it.
        """
        if not _holds(descriptor, length):
            raise NotSealed(f"it does not hold {length} sealed bytes")
        made = super().__new__(cls, descriptor, length, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
        made.descriptor = os.dup(descriptor)
        weakref.finalize(made, os.close, made.descriptor)
        return made


def sealed_copy(data: memoryview) -> int:
    """The descriptor of a new sealed memory with the same bytes, for the caller to close. Raises OSError."""
    descriptor = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        written(descriptor, data, 0)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def filled(length: int, fill: Callable[[mmap.mmap], None]) -> Sealed:
    """A new sealed memory of so many bytes, all zero until `fill` writes them, which keeps no view of it.

    Raises OSError where there is no room, BufferError where a view was kept, and whatever `fill` does.
    """
    descriptor = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(descriptor, length)
        memory = mmap.mmap(descriptor, length)
        fill(memory)
        memory.close()
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
        return Sealed(descriptor, length)
    finally:
        os.close(descriptor)


def sealed_behind(data: memoryview) -> Sealed | None:
    """The sealed memory that `data` is the whole of, by way of arrays that are views of one another."""
    owner: object = data
    while owner is not None and not isinstance(owner, Sealed):
        owner = owner.obj if isinstance(owner, memoryview) else getattr(owner, "base", None)
    return owner if owner is not None and len(owner) == data.nbytes else None


def written(memory: int, data: memoryview, at: int) -> int:
    """Write all of `data` at an offset; returns the offset behind it. Raises OSError."""
    rest = data.cast("B")
    while rest.nbytes:
        done = os.pwrite(memory, rest, at)
        rest, at = rest[done:], at + done
    return at


def _holds(descriptor: int, length: int) -> bool:
    """Whether the descriptor is of a memory that will always have so many bytes, all unchanged."""
    try:
        seals = fcntl.fcntl(descriptor, fcntl.F_GET_SEALS)
    except OSError:  # a file or a socket
        return False
    return seals & _NEEDED == _NEEDED and os.fstat(descriptor).st_size >= length > 0
