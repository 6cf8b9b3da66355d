"""People who have played under two names: the host says so once, and statistics count them as one.

A small file of its own beside the journal; games keep the names under which they were played.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import replace

from companion.errors import BadCommand
from companion.names import name_key
from companion.side_files import SideFile
from companion.statistics.evenings import Summary


class Persons:
    """Which names are one person; may be asked by many threads."""

    def __init__(self, file: SideFile | None = None) -> None:
        """Read the file; without one they are kept in memory alone."""
        self._file, self._lock = file, threading.Lock()
        self._all = file.read(_parsed, tuple[tuple[str, str], ...]()) if file else ()

    def all(self) -> tuple[tuple[str, str], ...]:
        """(other name, name by which the person is counted), the newest last."""
        return self._all

    def join(self, other: str, name: str, games: Iterable[Summary]) -> None:
        """Count `other` as `name` from now on; raises BadCommand where both sat in one of the `games`,
        StorageError."""
        name, key = self.of(name), name_key(other)
        if key == name_key(name):
            raise BadCommand("names_not_distinct")
        for game in games:
            if {key, name_key(name)} <= {name_key(one) for one in game.names}:
                raise BadCommand("played_together", player=other, other=name)
        with self._lock:
            self._keep(
                [*((one, name if name_key(to) == key else to) for one, to in self._all), (other, name)]
            )

    def separate(self, other: str) -> None:
        """Count `other` alone again; raises StorageError."""
        with self._lock:
            self._keep([pair for pair in self._all if name_key(pair[0]) != name_key(other)])

    def of(self, name: str) -> str:
        """The name by which that person is counted."""
        return {name_key(one): to for one, to in self._all}.get(name_key(name), name)

    def counted(self, game: Summary) -> Summary:
        """The sums of a game under the names by which its people are counted."""
        if not self._all:
            return game
        return replace(
            game,
            parts=tuple(replace(part, name=self.of(part.name)) for part in game.parts),
            winner=self.of(game.winner) if game.winner else None,
            partners=tuple(map(self.of, game.partners)),
        )

    def _keep(self, pairs: list[tuple[str, str]]) -> None:
        if self._file:
            self._file.write(json.dumps(pairs, ensure_ascii=False).encode())
        self._all = tuple(pairs)


def _parsed(content: bytes) -> tuple[tuple[str, str], ...]:
    return tuple((str(one), str(to)) for one, to in json.loads(content))
