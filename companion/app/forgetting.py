"""A kept game is forgotten whole: its records and copies, pictures, corrected dice, sums, and its people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.errors import BadCommand
from companion.reveal.evidence import Evidence
from companion.statistics.archive import Archive
from companion.statistics.summary import Summary
from companion.table.groups import Groups, group_id


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
            self.groups.forget_if_known(people)
        self.delete(game)
        self.archive.forget(game)

    def _people_of_this_game_alone(self, game: str) -> str | None:
        """The id of the group that played it, None where it played another that is kept, too."""
        by_game = {one.id: group_id(one.names) for one in self.archive.listed() if isinstance(one, Summary)}
        people = by_game.pop(game, None)
        return None if people in by_game.values() else people
