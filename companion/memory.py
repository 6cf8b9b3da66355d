"""How the C library hands out memory to a program that reads pictures."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from contextlib import suppress

LARGEST_KEPT = 2_000_000
"""Bytes of the largest block that is kept for the next of its kind: pictures and large maps are mapped."""
KEPT = 64 << 20
"""Bytes at the end of the heap that are not handed back: one reading takes less."""
HEAPS = 1
"""One for all threads, which take turns anyhow: each more would keep as much again."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8


SPARED = 4 << 20
"""Bytes at the end of the heap that a process keeps which reads no pictures itself."""


def spare() -> bool:
    """Hand back what a picture needed: for the process that only passes pictures on.

    Blocks from 256 kB up are mapped on their own, so that they are gone as soon as nobody needs them.
    """
    return _set_options({_M_MMAP_THRESHOLD: 256 << 10, _M_TRIM_THRESHOLD: SPARED, _M_ARENA_MAX: HEAPS})


def keep() -> bool:
    """Keep the memory of a reading for the next one, in one heap. True if the C library accepted it.

    Else every array of a reading is new memory, which the kernel must find and clear: 12 000 pages for 15
    dice, a seventh of the time. Source: mallopt(3) of glibc. Without glibc nothing happens.
    """
    return _set_options({_M_MMAP_THRESHOLD: LARGEST_KEPT, _M_TRIM_THRESHOLD: KEPT, _M_ARENA_MAX: HEAPS})


def hand_back(kept: int = 0) -> None:
    """Give back what is not needed just now, but for so many bytes at the end of the heap. Source:
    malloc_trim(3)."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(kept))


def _set_options(options: Mapping[int, int]) -> bool:
    with suppress(OSError, AttributeError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        return all(mallopt(option, value) for option, value in options.items())
    return False
