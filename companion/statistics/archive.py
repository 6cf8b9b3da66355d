"""All kept games for statistics: read from the journal, with their sums cached.

Folding a game takes milliseconds on a laptop and much longer on a small board, and there may be hundreds. So
the sums of a game are kept with the checksum of its last record: they hold as long as it is the same. Missing
sums are made one game at a time while the box has nothing else to do.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from companion.errors import BadCommand, CompanionError
from companion.names import name_key
from companion.reveal.evidence import Evidence
from companion.statistics.evenings import Summary, summary
from companion.statistics.exporting import FORMS, csv_rows, json_text, whole
from companion.statistics.record import GameRecord, game_record
from companion.storage.database import SideDatabase
from companion.storage.journal import GameInfo, Journal
from companion.storage.side_files import SideFile
from companion.table.groups import Groups, group_id
from companion.table.resuming import without_secrets

_log = logging.getLogger(__name__)

SUMS = "sums.sqlite"
"""The file of sums in a data folder."""


class Unreadable(Struct, frozen=True):
    """A game that cannot be read, and why: `reason` is a key under `errors` with its `values`."""

    id: str
    began: str
    reason: str
    values: tuple[tuple[str, str], ...] = ()


class Overview(Struct, frozen=True):
    """The sums of every game, oldest first; which could not be read; how many are still to be added up."""

    games: tuple[Summary, ...]
    unreadable: tuple[Unreadable, ...] = ()
    pending: int = 0


FORM = 5
"""Rises when sums are made otherwise, so that older ones are made anew."""

_TABLE = """
CREATE TABLE sums_2 (
    game TEXT PRIMARY KEY, head TEXT, form INT, body TEXT, csv BLOB, json BLOB
) STRICT;
"""

Kept = dict[str, tuple[str, Summary]]
"""The sums of a game by its id, with the checksum of the record that they were made up to."""


class SumsFile:
    """Sums in SQLite. A file that cannot be used costs time, not statistics: no method raises."""

    def __init__(self, file: SideFile) -> None:
        self._db = SideDatabase(file, _TABLE, "secure_delete = ON")

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def load(self) -> Kept:
        """All sums that this version made; none where they cannot be read."""
        query = "SELECT game, head, body FROM sums_2 WHERE form = ?"
        none: list[tuple[str, str, str]] = []
        rows = self._db.read(lambda db: db.execute(query, (FORM,)).fetchall(), none)
        found: Kept = {}
        for game, head, body in rows:
            with suppress(ValueError, KeyError, TypeError):
                found[game] = (head, convert(json.loads(body), Summary))
        return found

    def text(self, game: str, head: str, form: str) -> str | None:
        """A game's part of the file of this form, csv or json; None where it is not remembered."""
        query = f"SELECT {form} FROM sums_2 WHERE game = ? AND head = ? AND form = ?"
        row = self._db.read(lambda db: db.execute(query, (game, head, FORM)).fetchone(), None)
        try:
            return zlib.decompress(row[0]).decode() if row else None
        except (zlib.error, ValueError, TypeError) as error:
            _log.warning("what was kept of game %s is made anew: %s", game, error)
            return None

    def keep(self, head: str, sums: Summary, *files: str) -> None:
        """Remember the sums of a game up to the record with the checksum `head`, and its parts of the `files`
        for other programs, csv and json."""
        body = json.dumps(to_builtins(sums), ensure_ascii=False)
        row = (sums.id, head, FORM, body, *(zlib.compress(text.encode()) for text in files))
        self._changed("INSERT OR REPLACE INTO sums_2 VALUES (?, ?, ?, ?, ?, ?)", row)

    def forget(self, game: str) -> None:
        """Keep nothing of a game any more."""
        self._changed("DELETE FROM sums_2 WHERE game = ?", (game,))

    def _changed(self, statement: str, row: tuple[object, ...]) -> None:
        try:
            self._db.change(lambda db: db.execute(statement, row))
        except (sqlite3.Error, OSError) as error:
            _log.warning("sums of games cannot be kept: %s", error)


class Archive:
    """Games of one journal, for many threads."""

    def __init__(
        self,
        journal: Journal,
        sums: SideFile | None = None,
        *,
        persons: SideFile | None = None,
        timeout_s: float = float("inf"),
    ) -> None:
        """`sums` is where sums are kept over restarts; without it they are made anew. `persons` keeps which
        names are one person.

        `timeout_s` is how long one question may take to make missing sums; the rest is reported as pending.
        """
        self._journal, self._lock, self._timeout_s = journal, threading.Lock(), timeout_s
        self._file, self.persons = SumsFile(sums) if sums else None, Persons(persons)
        self._known: dict[str, tuple[str, Summary | Unreadable]] = {}
        if self._file:
            self._known.update(self._file.load())
        self._newest: tuple[GameInfo, GameRecord] | None = None

    def close(self) -> None:
        """Close the file of sums; may be called twice."""
        if self._file:
            self._file.close()

    def overview(self) -> Overview:
        """The sums of all games."""
        until_s = time.monotonic() + self._timeout_s
        found = [self._sums(info, time.monotonic() < until_s) for info in self._games()]
        return Overview(
            tuple(self.persons.counted(one) for one in found if isinstance(one, Summary)),
            tuple(one for one in found if isinstance(one, Unreadable)),
            found.count(None),
        )

    def mark(self, but: str | None) -> tuple[object, ...]:
        """What changes with the sums of any game but that one. It costs nothing."""
        return (*(info for info in self._games() if info.id != but), *self.persons.all())

    def join(self, other: str, name: str) -> None:
        """Count two names as one person, `name`; with "" as two again. Raises BadCommand, StorageError."""
        if name:
            self.persons.join(other, name, self.overview().games)
        else:
            self.persons.separate(other)

    def ids(self) -> tuple[str, ...]:
        """The id of every game in the journal's order."""
        return tuple(info.id for info in self._games())

    def listed(self) -> Iterator[Summary | Unreadable]:
        """Every game in the journal's order, one at a time."""
        return (one for one in (self._sums(info, True) for info in self._games()) if one)

    def sum_one(self, but: str | None = None) -> bool:
        """Make the sums of one game that has none yet, not of `but`; whether there was such a game."""
        for info in self._games():
            if info.id != but and self._remembered(info) is None:
                self._sums(info, True)
                return True
        return False

    def record(self, game_id: str) -> GameRecord:
        """A whole game; raises a CompanionError when there is none of that id, or it cannot be read."""
        with self._lock:
            return self._record(self._journal.info(game_id))

    def known(self, game_id: str) -> None:
        """Raises BadCommand when there is no game of that id."""
        with self._lock:
            self._journal.info(game_id)

    def forget(self, game_id: str) -> None:
        """Remember nothing of a game that was deleted from the journal."""
        with self._lock:
            self._known.pop(game_id, None)
            self._newest = None
            if self._file:
                self._file.forget(game_id)

    def exported(self, form: str, but: str | None = None) -> Iterator[str]:
        """All games that can be read, not `but`, as one file in pieces; `form` is csv or json."""
        return whole(form, self._texts(form, but))

    def raw(self, game_id: str) -> Iterator[str]:
        """A game as JSON lines, readable or not, without dice still under cups; raises BadCommand when there
        is none of that id."""
        with self._lock:
            lines = without_secrets(self._journal.export(game_id))
        return (f"{line}\n" for line in lines)

    def _texts(self, form: str, but: str | None) -> Iterator[str]:
        """Every game in this form, remembered, or made now and then remembered."""
        for info in (one for one in self._games() if one.id != but):
            text = self._kept_text(info, form)
            if text is None and isinstance(self._sums(info, True), Summary):
                text = self._kept_text(info, form) or self._made(info, form)
            if text is not None:
                yield text

    def _kept_text(self, info: GameInfo, form: str) -> str | None:
        return self._file.text(info.id, info.head, form) if self._file else None

    def _made(self, info: GameInfo, form: str) -> str | None:
        try:
            with self._lock:
                return FORMS[form](self._record(info))
        except CompanionError as error:
            _log.warning("game %s cannot be read: %s", info.id, error)
            return None

    def _games(self) -> tuple[GameInfo, ...]:
        with self._lock:
            return self._journal.games()

    def _record(self, info: GameInfo) -> GameRecord:
        """The newest one asked for is remembered: every phone looks at the same game."""
        if self._newest is None or self._newest[0] != info:
            lines = self._journal.records(info.id)
            game = game_record(info.id, info.created, lines)
            self._newest = (info, game)
        return self._newest[1]

    def _remembered(self, info: GameInfo) -> Summary | Unreadable | None:
        known = self._known.get(info.id)
        return known[1] if known is not None and known[0] == info.head else None

    def _sums(self, info: GameInfo, patient: bool) -> Summary | Unreadable | None:
        """The lock is held for one game at a time, so that nobody waits for hundreds."""
        with self._lock:
            found = self._remembered(info)
            if found is None and patient:
                found = self._summed(info)
                self._known[info.id] = (info.head, found)
            return found

    def _summed(self, info: GameInfo) -> Summary | Unreadable:
        try:
            record = self._record(info)
        except CompanionError as error:
            _log.warning("game %s cannot be read: %s", info.id, error)
            values = tuple((key, str(value)) for key, value in error.values.items())
            return Unreadable(info.id, info.created, error.reason, values)
        made = summary(record)
        if self._file:
            self._file.keep(info.head, made, csv_rows(record), json_text(record))
        return made


class Forgetting(Struct, frozen=True):
    """Everywhere that something of a game is kept.

    `delete` takes it out of the journal, `going_on` is the game that is played just now.
    """

    delete: Callable[[str], None]
    archive: Archive
    evidence: Evidence
    groups: Groups
    going_on: Callable[[], str | None] = lambda: None

    def forget(self, game: str) -> None:
        """Forget a game for good; raises BadCommand where there is none or it goes on, StorageError.

        The journal is last: what is cut short by a power cut can be asked for again.
        """
        if game == self.going_on():
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
