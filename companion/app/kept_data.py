"""What the box keeps in its data folder: games, pictures behind verdicts, groups, sums and its secret."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import BadCommand
from companion.reveal.evidence import FILE as EVIDENCE
from companion.reveal.evidence import Evidence
from companion.settings import Settings
from companion.side_files import SideFiles
from companion.statistics.archive import SUMS, Archive
from companion.statistics.evenings import Summary
from companion.table.folder import DataFolder, Reserve, secret
from companion.table.groups import Groups, group_id
from companion.table.resuming import GAMES, open_journal

if TYPE_CHECKING:
    from companion.table.table import Table

PERSONS = "persons.json"
SUMS_TIMEOUT_S = 0.5
"""So long a page waits for sums of games that nobody has asked for yet."""


class KeptData:
    """The data folder with its lock, and every file in it that stays open."""

    def __init__(self, settings: Settings, files: SideFiles) -> None:
        """Open everything; raises FolderBusy, and then nothing stays open."""
        with ExitStack() as opening:
            self.reserve = Reserve(settings.data_folder / "reserve")
            self.reserve.ease_start()
            folder = opening.enter_context(DataFolder(settings.data_folder))
            self.folder = folder.path
            self.secret = secret(files.file("secret"))
            self.groups = Groups(files.file("groups.json"))
            self.journal = open_journal(folder.path / GAMES, more_room=self.reserve.give_up)
            opening.callback(self.journal.close)
            limit = settings.data.evidence_mb * 1_000_000
            self.evidence = Evidence(files.file(EVIDENCE), limit_bytes=limit)
            opening.callback(self.evidence.close)
            self.archive = Archive(
                self.journal, files.file(SUMS), persons=files.file(PERSONS), timeout_s=SUMS_TIMEOUT_S
            )
            opening.callback(self.archive.close)
            self._closing = opening.pop_all()

    def close(self) -> None:
        """Close the files, then give up the lock; may be called twice."""
        self._closing.close()

    def forgetting(self, table: Table) -> Forgetting:
        """By which a game is forgotten in every file, never that on the table."""
        places = (self.archive, self.evidence, self.groups)
        return Forgetting(table.forget, *places, on_table=lambda: table.snapshot().game_id)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Everywhere that something of a game is kept.

    `delete` takes it out of the journal, `on_table` is the game that is played just now.
    """

    delete: Callable[[str], None]
    archive: Archive
    evidence: Evidence
    groups: Groups
    on_table: Callable[[], str | None] = lambda: None

    def forget(self, game: str) -> None:
        """Forget a game for good; raises BadCommand where there is none or it is on the table, StorageError.

        The journal is last: what is cut short by a power cut can be asked for again.
        """
        if game == self.on_table():
            raise BadCommand("game_on_table")
        self.archive.known(game)
        people = self._people_of_this_game_alone(game)
        self.evidence.delete(game)
        if people is not None:
            with suppress(BadCommand):  # it may be forgotten already
                self.groups.forget(people)
        self.delete(game)
        self.archive.forget(game)

    def _people_of_this_game_alone(self, game: str) -> str | None:
        """The id of the group that played it, None where it played another that is kept, too."""
        by_game = {one.id: group_id(one.names) for one in self.archive.listed() if isinstance(one, Summary)}
        people = by_game.pop(game, None)
        return None if people in by_game.values() else people
