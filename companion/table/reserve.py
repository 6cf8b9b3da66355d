"""Room set aside for the journal, so that a game goes on where the disk is utterly full."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

BYTES = 8_000_000
"""Enough for thousands of commands, and for a game that is written again as a whole."""
SPARE_BYTES = 40_000_000
"""Nothing is set aside where less than this would be left."""
NEXT_TO_NOTHING_BYTES = 1_000_000


class Reserve:
    """A file that holds room on the disk until the journal needs it. Nothing here ever raises."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self) -> None:
        """Set the room aside, unless it is already, or there is too little. Costs next to nothing to ask."""
        with suppress(OSError):
            if not self._path.exists() and self._free_bytes() > BYTES + SPARE_BYTES:
                with self._path.open("wb") as file:
                    os.posix_fallocate(file.fileno(), 0, BYTES)

    def give_up(self) -> bool:
        """Make the room free; whether there was any."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    def ease_start(self) -> None:
        """Make the room free where not even the start would find what it needs."""
        with suppress(OSError):
            if self._free_bytes() < NEXT_TO_NOTHING_BYTES:
                self.give_up()

    def _free_bytes(self) -> int:
        return shutil.disk_usage(self._path.parent).free
