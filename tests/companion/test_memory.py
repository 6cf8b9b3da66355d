"""The memory of one reading is reused by the next, measured by the process's page faults."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy as np
from companion import memory
if sys.argv[1] == "kept":
    assert memory.keep()
def once():
    return [np.ones((side, side), np.float32) for side in (900, 1300, 1600, 2200)]
once()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    once()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")
@pytest.mark.parametrize(("how", "least", "most"), [("kept", 0, 200), ("handed back", 2_000, 10**6)])
def test_large_arrays_are_made_where_the_last_ones_were(how: str, least: int, most: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True, timeout=60
    )
    assert least <= int(done.stdout) <= most
