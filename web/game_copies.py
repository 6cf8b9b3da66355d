"""Copies of games outside the box: the phone that leads keeps them, so that the death of the card loses none.

A copy has no dice that are still hidden. It comes back by the import of exports: the same game twice is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from companion.errors import BadCommand
from companion.statistics.archive import Archive
from companion.statistics.evenings import Summary
from companion.storage.exports import checked_lines
from companion.storage.journal import Journal
from companion.table.resuming import check


class Copies:
    """Games as text, out of the journal and back into it. Any thread may ask."""

    def __init__(self, journal: Journal, archive: Archive) -> None:
        self._journal, self._archive = journal, archive

    def known(self) -> Mapping[str, int]:
        """The games that are here by their ids, and how many records each has."""
        return {info.id: info.records for info in self._journal.games()}

    def text(self, game: str) -> Iterator[str]:
        """A game as JSON lines, in pieces; raises BadCommand where there is none of that id."""
        return self._archive.raw(game)

    def take(self, text: str, *, last: bool) -> bool:
        """Take in a piece of a game: its head, then records that follow those that are here. Returns whether
        the game, with its `last` piece, goes on at the next start, because no other is on the table. Raises
        BadCommand, StorageError."""
        lines = checked_lines(text)
        current, game = self._journal.current(), _id(lines[0])
        if current is not None and game == current:
            raise BadCommand("game_on_table")
        whole = map(_unsealed, [*self._before(game, lines), *lines[1:]])
        game = self._journal.take_in(whole, check)
        over = any(one.over for one in self._archive.listed() if isinstance(one, Summary) and one.id == game)
        if current is not None or over or not last:
            return False
        self._journal.put_notes({"current": game})
        return True

    def _before(self, game: str, lines: Sequence[str]) -> list[str]:
        """The head and the records that are here, up to the first of the piece."""
        record = json.loads(lines[1]) if len(lines) > 1 else None
        first = record.get("number") if isinstance(record, dict) else None
        if not isinstance(first, int) or game not in self.known():
            return [lines[0]]
        return list(self._journal.export(game))[:first]


def _unsealed(line: str) -> str:
    """A line without its checksum, which goes with the lines before it as they were sealed elsewhere."""
    found = json.loads(line)
    return json.dumps(
        {key: found[key] for key in found if key != "chain"} if isinstance(found, dict) else found
    )


def _id(head: str) -> str:
    found = json.loads(head)
    return str(found.get("game", "")) if isinstance(found, dict) else ""
