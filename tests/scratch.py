"""Where tests keep their files: in memory where there is room, for nothing of them is to outlive the run.

Journals of tests are synced as those at play are: half the time of 465 tests of the table and its page was
waiting for the disk, and a tenth of their CPU seconds were its system calls.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 1024**3
"""A run of the whole suite leaves some 150 MB behind, profiles of browsers come on top."""


def use_memory(folder: Path = MEMORY) -> None:
    """Have `tempfile`, and so `tmp_path` and the processes of tests, make temporary folders in memory.

    Nothing changes where there is less room, where programs may not run (tests make some), or where whoever
    starts the tests has named a folder (`TMPDIR`).
    """
    if "TMPDIR" not in os.environ and has_room(folder):
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def has_room(folder: Path) -> bool:
    """Whether the folder can hold the files of a run, and programs among them."""
    if sys.platform != "linux" or not os.access(folder, os.W_OK | os.X_OK):
        return False
    programs = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return programs and shutil.disk_usage(folder).free >= ROOM_BYTES
