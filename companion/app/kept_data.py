"""What the box keeps in its data folder: games, pictures behind verdicts, groups, sums and its secret."""

from __future__ import annotations

from contextlib import ExitStack

from companion.app.forgetting import Forgetting
from companion.reveal.evidence import Evidence
from companion.settings import Settings
from companion.statistics.archive import SUMS, Archive
from companion.table.folder import DataFolder
from companion.table.groups import Groups
from companion.table.opening import GAMES, open_journal
from companion.table.reserve import Reserve
from companion.table.table import Table

SUMS_TIMEOUT_S = 0.5
"""So long a page waits for sums of games that nobody has asked for yet."""


class KeptData:
    """The data folder with its lock, and every file in it that stays open."""

    def __init__(self, settings: Settings) -> None:
        """Open everything; raises a CompanionError, and then nothing stays open."""
        with ExitStack() as opening:
            self.reserve = Reserve(settings.data_folder / "reserve")
            self.reserve.ease_start()
            folder = opening.enter_context(DataFolder(settings.data_folder))
            self.folder = folder.path
            self.secret = folder.secret()
            self.groups = Groups(folder.path / "groups.json")
            self.journal = open_journal(folder.path / GAMES, more_room=self.reserve.give_up)
            opening.callback(self.journal.close)
            limit = settings.data.evidence_mb * 1_000_000
            self.evidence = Evidence(folder.path / "evidence.sqlite", limit_bytes=limit)
            opening.callback(self.evidence.close)
            self.archive = Archive(self.journal, folder.path / SUMS, timeout_s=SUMS_TIMEOUT_S)
            opening.callback(self.archive.close)
            self._closing = opening.pop_all()

    def close(self) -> None:
        """Close the files, then give up the lock; may be called twice."""
        self._closing.close()

    def forgetting(self, table: Table) -> Forgetting:
        """By which a game is forgotten in every file, never that on the table."""
        places = (self.archive, self.evidence, self.groups)
        return Forgetting(table.forget, *places, on_table=lambda: table.snapshot().game_id)
