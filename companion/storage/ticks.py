"""Labels of a monotonic clock: seconds since the machine was started, and which start that was.

A box without a clock of its own has wrong wall-clock labels until the network corrects them. These give the
time between records of one start all the same.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Tick:
    """`up_s` seconds after the start of the machine that is called `boot`."""

    boot: str
    up_s: int

    def __str__(self) -> str:
        return f"{self.boot}+{self.up_s}"

    @classmethod
    def parse(cls, text: str) -> Tick | None:
        """The tick in "3f2a91c4+1823"; None for anything else, as for records older than ticks."""
        boot, plus, up = text.partition("+")
        return cls(boot, int(up)) if boot and plus and up.isascii() and up.isdigit() else None


def ticking() -> str:
    """The label of now; "" on a machine that does not know how long it has been up."""
    boot = _boot()
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return str(Tick(boot, int(time.clock_gettime(clock)))) if boot and clock is not None else ""


@cache
def _boot() -> str:
    """The first letters of the kernel's name for this start."""
    try:
        return _BOOT_ID.read_text(encoding="ascii")[:8]
    except (OSError, UnicodeDecodeError):
        return ""
