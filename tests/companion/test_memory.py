"""The memory of one reading is reused by the next, measured by the process's page faults."""

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
    return [np.ones((side, 4000), np.uint8) for side in (400, 430, 460, 490)]
once()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    once()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
DRAWN = """
from pathlib import Path
import numpy as np
from companion import memory
from companion.app.reading.reader import Reader

def own_mb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("RssAnon"))) // 1024

reader = Reader(rest_s=600.0)
reader.get_ready("both")
memory.hand_back()
ready = own_mb()
number = reader.observe(np.full((1080, 1920, 3), 96, np.uint8), "both").number
read = own_mb()
reader.jpegs(number)
print(read - ready, own_mb() - ready)
"""
GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")


@GLIBC
@pytest.mark.parametrize(("how", "least", "most"), [("kept", 0, 200), ("handed back", 2_000, 10**6)])
def test_large_arrays_are_made_where_the_last_ones_were(how, least, most):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True, timeout=60
    )
    assert least <= int(done.stdout) <= most


@GLIBC
def test_a_reader_gives_back_most_of_its_memory_once_a_picture_is_drawn():
    """The next one is taken meanwhile, which takes 16 MB in the camera's process."""
    done = subprocess.run(
        [sys.executable, "-c", DRAWN], capture_output=True, text=True, check=True, timeout=60
    )
    taken_mb, left_mb = map(int, done.stdout.split())
    assert left_mb <= 16 < taken_mb, "it took more than may be kept, else nothing is measured"
