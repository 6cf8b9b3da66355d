"""Room on the memory card: how much there is, and what of its own the box may give up."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.app.system.health import free_bytes
from companion.reveal.evidence import Evidence
from companion.side_files import ASIDE
from companion.table.folder import Reserve

MEGABYTE = 1_000_000

_log = logging.getLogger(__name__)


class Room:
    """Pictures behind verdicts of other games than the one on the table, and damaged files set aside. Games,
    standings and examples stay."""

    def __init__(
        self, folder: Path, evidence: Evidence, reserve: Reserve, game: Callable[[], str | None]
    ) -> None:
        """`game` is the one on the table; a full card takes changes in the room that `reserve` gives up."""
        self._folder, self._evidence, self._reserve, self._game = folder, evidence, reserve, game

    @property
    def free_mb(self) -> int:
        """Megabytes that are free."""
        return free_bytes(self._folder) // MEGABYTE

    def spare_mb(self) -> int:
        """Megabytes that `make` would free, rounded up."""
        aside = sum(path.stat().st_size for path in self._aside())
        return -(-(aside + self._evidence.spare_bytes(self._game())) // MEGABYTE)

    def make(self) -> None:
        """Free them. Raises StorageError."""
        before = self.free_mb
        for path in self._aside():
            with suppress(OSError):
                path.unlink()
        self._reserve.give_up()
        try:
            self._evidence.drop_pictures(self._game())
        finally:
            self._reserve.keep()
        _log.warning("the page made room: %d MB were free, %d MB are", before, self.free_mb)

    def _aside(self) -> list[Path]:
        return [path for path in self._folder.glob(f"*{ASIDE}") if path.is_file()]
