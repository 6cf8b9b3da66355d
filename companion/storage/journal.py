"""The journal: an append-only list of records per game, each in two files, synced before anything is
acknowledged.

A record is a JSON object with a number that counts up from 1 within its game. The journal knows nothing of
the meaning of records; the table folds them. Whatever is damaged is taken from the other file; what is in
neither is noted as a loss.
"""

from __future__ import annotations

import errno
import logging
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from companion.errors import BadCommand, JournalDamaged, StorageError
from companion.json_types import Body
from companion.storage import form, game_list, old_journal
from companion.storage.disk import Disk, explained
from companion.storage.exports import Exported, own_id, parse, parting
from companion.storage.form import HEAD, GameInfo, Record, Woven, is_newer, label
from companion.storage.game_file import GameFile, Pair, ids, is_id, sweep, write
from companion.storage.game_list import GameList, Loss

__all__ = ["HEAD", "GameInfo", "Journal", "Record"]

_log = logging.getLogger(__name__)

REBUILT_BOOTS = 1000
"""Starts are counted on from here where both lists are lost: phones take no version below one they saw."""


class Journal:
    """Games in the folder `path` and in the one beside it. Any thread may use it.

    What changes something raises StorageError where it cannot be written, and then nothing has changed.
    """

    def __init__(
        self,
        path: Path,
        *,
        more_room: Callable[[], bool] = lambda: False,
        version: str = "",
        reading: bool = False,
        disk: Disk | None = None,
    ) -> None:
        """Open or make it. Where that cannot be written it is opened to be read alone, and each try to write
        opens it anew: `trouble` says why it cannot be.

        `more_room` is asked where the disk is full, and says whether it has made room. `version` is the
        companion's own. `reading`: another process writes, so nothing here is changed.
        """
        self.path, self._version, self._more_room = path, version, more_room
        self._disk, self._lock = disk or Disk(), threading.RLock()
        self._folders = (path, path.with_name(f"{path.name}-mirror"))
        self._aside = path.with_name(f"{path.name}-damaged")
        self._list_file = Pair(self._disk, self._folders, game_list.NAME)
        self._list = GameList()
        self._listed: GameList | None = None
        """The list as it is on the card: it does not follow each record."""
        self._on_table: GameFile | None = None
        self._writes = False
        try:
            with explained(self.path):
                self._begin(writes=not reading)
        except StorageError as error:
            if reading:
                raise
            _log.error("the journal is opened to be read alone: %s", error)
            with suppress(OSError):
                self._begin(writes=False)

    def close(self) -> None:
        """Note how far the games have got; may be called twice."""
        with self._lock, suppress(OSError):
            if self._writes:
                self.settle()

    def games(self) -> tuple[GameInfo, ...]:
        """Every game, oldest first."""
        return tuple(self._list.games.values())

    def info(self, game: str) -> GameInfo:
        """One of them; raises BadCommand for an id that none has."""
        if game not in self._list.games:
            raise BadCommand("unknown_game", game=game)
        return self._list.games[game]

    def records(self, game: str, *, partly: bool = False) -> tuple[Record, ...]:
        """All records of a game in order. Where one is missing or was changed, `partly` gives those before
        it; otherwise raises JournalDamaged."""
        return form.records(self._lines(game, partly=partly))

    def export(self, game: str) -> Iterator[str]:
        """The game as JSON lines, as it is stored, readable or not: a head line, then one line a record."""
        self.info(game)
        yield from (line.decode() for line in self._lines(game))

    def version_of(self, game: str) -> str:
        """The version of the companion that wrote to a game last; "" where nobody knows."""
        return form.version_of(self._lines(game, partly=True))

    def create(self, *bodies: Body) -> str:
        """Begin a game with its first records and make it the current one; returns its id."""
        game, records = secrets.token_hex(6), form.fresh(bodies)
        lines = form.made(game, label(), records, self._version)
        self._write(lambda: self._save(self._list.noting({"current": game}), lines))
        return game

    def append(self, game: str, number: int, *bodies: Body) -> None:
        """Write and sync `bodies` as records `number`, `number` + 1, ... of `game`, all or none."""

        def change() -> None:
            file = self._held(game)
            if number != len(file.lines):
                raise StorageError("journal_unwritable", path=self.path, cause=f"no record {number} follows")
            file.add(bodies, self._version)
            self._list = self._list.listing({game: form.listed(file.lines)})

        self._write(change)

    def take_in(
        self, lines: Iterable[str], check: Callable[[list[Body]], object] = lambda bodies: None
    ) -> str:
        """Add a game from its JSON lines (`keep`). Raises BadCommand.

        `check` is given its bodies before anything is written, and may raise a CompanionError."""
        found = parse(lines)
        check([record.body for record in found.records])
        return self.keep(found)[0]

    def keep(self, *games: Exported) -> list[str]:
        """Add games and return their ids. One that is here already is the same game: what it has more is
        added. One that only has the id of another gets one of its own, and the same one the next time."""
        with self._lock:
            fresh: dict[str, list[bytes]] = {}
            ids: list[str] = []
            for found in games:
                game, kept = self._same_game(found, fresh)
                if game not in (*self._list.games, *fresh) or kept < len(found.records):
                    fresh[game] = form.made(game, found.created, found.records, self._version)
                ids.append(game)
            if fresh:
                self._write(lambda: self._save(self._list, *fresh.values()))
            return ids

    def delete(self, game: str) -> None:
        """Forget a game and all its records, in what is kept aside and in journals of older versions too."""

        def change() -> None:
            left = self._list.listing({game: None})
            self._save(left.noting({"current": left.current}))
            self._file(game).remove()
            for name in self._disk.names(self._aside):
                if name.split("-")[-2:-1] == [game]:  # another's id may have this one within it
                    self._disk.remove(self._aside / name)
            old_journal.forget(self.path.parent, game)

        self._write(change)

    def current(self) -> str | None:
        """The id of the game on the table, None when there is none."""
        return self._list.current

    def boots(self) -> int:
        """How often the journal was opened for play, this time counted in; call once a start.

        Where it cannot be written the number is kept with the first that can.
        """
        counted = {"boots": self._list.boots + 1}
        try:
            self.put_notes(counted)
        except StorageError:
            self._list, self._writes = self._list.noting(counted), False
        return counted["boots"]

    def note(self, key: str) -> object:
        """What was written down of the box under this key, None where nothing was."""
        return self._list.box.get(key)

    def put_notes(self, notes: Body, *more: Loss) -> None:
        """Write down what concerns the box, each under its key, or with None forget it; and losses."""
        self._write(lambda: self._save(self._list.noting(notes).losing(*more)))

    def losses(self) -> tuple[Loss, ...]:
        """What was lost and nobody has confirmed yet."""
        return self._list.losses

    def settle(self) -> None:
        """Write down how far the games have got, if it is not yet."""
        with self._lock:
            if self._list != self._listed:
                self._write(lambda: self._save(self._list))

    def trouble(self) -> StorageError | None:
        """Why nothing could be written now, if so. What vanished under the running box is written anew first,
        and noted."""
        try:
            self._write(lambda: None)
        except StorageError as error:
            return error
        return None

    def check(self, game: str) -> Loss | None:
        """Check every record of a game, put it right from the other file, and note what was lost: None for
        nothing."""
        with self._lock, explained(self.path):
            found = {game: self._read(game)}
            return next(iter(self._put_right(_relisted(self._list, found), found)), None)

    def _begin(self, *, writes: bool, vanished: bool = False) -> None:
        """Take up what the files and the memory have together: the list, and of the games the one on the
        table and those that are listed or there, not both. What is lost is noted, and the rest put right.

        Of what `vanished` under the running box, the list and the game on the table are in memory.
        """
        if writes:
            sweep(self._disk, self._folders)
        if vanished:
            _log.error("the journal %s vanished and is written anew", self.path)
            if self._on_table:
                write(self._disk, {self._on_table: self._on_table.lines})
        self._listed, damaged = game_list.newest(self._list_file.texts())
        self._list_file.hold()
        known = self._list if vanished else self._listed or GameList()
        doubtful = (known.games.keys() ^ ids(self._disk, self._folders)) | {known.current}
        found = {game: self._read(game, known) for game in sorted(filter(None, doubtful))}
        boots = max(self._list.boots, known.boots)
        now = _relisted(known, found).noting({"boots": boots or None})
        lost = [Loss(vanished=True)] if vanished else [Loss()] if damaged else []
        if not known.serial and now.games:
            last = max(now.games.values(), key=lambda info: info.created).id
            now = now.noting({"current": last, "boots": max(boots, REBUILT_BOOTS)})
            lost = lost or [Loss()]
        if writes:
            self._put_right(now, found, *lost)
            self._hold()
            self._writes = True
        else:
            self._list = now

    def _put_right(self, now: GameList, found: Mapping[str, Woven], *lost: Loss) -> tuple[Loss, ...]:
        """Note what is lost, of these games too, and have both files of each hold what is left of it and is
        listed now."""
        lost += tuple(self._loss(game, one, now) for game, one in found.items() if one.damaged)
        if lost:
            self._save(now.losing(*lost))
        else:
            self._list = now
        for game, one in found.items():
            if one.lines and not is_newer(one.lines):
                with suppress(OSError):  # where the disk is full the next record does it
                    self._file(game).put_right(one.lines)
        if self._list != self._listed:
            self._save(self._list)  # what is listed is in both files
        return lost

    def _loss(self, game: str, found: Woven, now: GameList) -> Loss:
        """What was lost of a game. Where something is missing its files are kept aside."""
        _log.error("game %s was damaged on the card: %d records are missing", game, found.missing)
        if found.lines and not found.missing:
            return Loss()
        gone = not found.lines and game == now.box.get("current")
        aside = self._file(game).set_aside(self._aside)
        return Loss(found.missing, 1, aside, game, found.missing, gone=gone)

    def _read(self, game: str, known: GameList | None = None) -> Woven:
        info = (known or self._list).games.get(game)
        return self._file(game).read(info.records if info else None)

    def _lines(self, game: str, *, partly: bool = False) -> Sequence[bytes]:
        """A listed game; raises JournalDamaged where it is not what was written, or of a later version. With
        `partly` what can be read of it."""
        with self._lock, explained(self.path):
            if lines := self._file(game).lines:
                return tuple(lines)
            found = self._read(game) if game in self._list.games else Woven(())
        if partly or game not in self._list.games:
            return found.lines
        if is_newer(found.lines):
            later = form.head(found.lines).get("version", "?")
            raise JournalDamaged("event_newer", version=later, known=self._version)
        if found.missing or not found.lines:
            number = max(1, len(found.lines))
            raise JournalDamaged("record_changed", path=self.path, game=game, number=number)
        return found.lines

    def _same_game(self, found: Exported, fresh: Mapping[str, Sequence[bytes]]) -> tuple[str, int]:
        """The id that a game has here, or would have, and how many records of it are here, or in `fresh`."""
        game = found.game if is_id(found.game) else own_id(found.game, found.records)
        while True:
            lines = fresh.get(game) or self._lines(game, partly=True)
            kept = form.records(lines)
            at = parting(kept, found.records)
            if at is None and not is_newer(lines):
                return game, len(kept)
            game = own_id(game, found.records[at or 0 :])

    def _file(self, game: str) -> GameFile:
        if self._on_table and self._on_table.game == game:
            return self._on_table
        return GameFile(self._disk, self._folders, game)

    def _held(self, game: str) -> GameFile:
        """A game in memory, to be written to."""
        file = self._file(game)
        if not file.lines:
            file.hold(self._lines(game))
        return file

    def _hold(self) -> None:
        """Have the game on the table in memory, should its files vanish."""
        current, file = self.current(), self._on_table
        if file is None or file.game != current:
            self._on_table = None
            with suppress(JournalDamaged):
                self._on_table = self._held(current) if current else None

    def _save(self, following: GameList, *games: Sequence[bytes]) -> None:
        """Write these games, and the list as it is with them."""
        listed = {info.id: info for info in map(form.listed, games)}
        following = following.listing(listed).noting({"serial": following.serial + 1})
        files: list[Pair] = [self._file(game) for game in listed]
        write(self._disk, dict(zip((*files, self._list_file), (*games, following.lines()), strict=True)))
        self._list = self._listed = following
        self._hold()

    def _write(self, change: Callable[[], None]) -> None:
        """Change something; where the disk is full, once more in the room that is made."""
        with self._lock, explained(self.path):
            try:
                self._change(change)
            except OSError as error:
                if error.errno != errno.ENOSPC or not self._more_room():
                    raise
                self._change(change)

    def _change(self, change: Callable[[], None]) -> None:
        """Change something, once what could only be read so far, or vanished, is taken up."""
        vanished = self._writes and not self._are_there()
        if vanished or not self._writes:
            self._begin(writes=True, vanished=vanished)
        change()

    def _are_there(self) -> bool:
        """Whether every file is still the one that was written. Raises StorageError for another one."""
        there = [file.are_there() for file in (self._list_file, self._on_table) if file]
        return all(there)


def _relisted(known: GameList, found: Mapping[str, Woven]) -> GameList:
    """The list with these games as they are, without those of which nothing is left."""
    return known.listing({game: form.listed(one.lines) if one.lines else None for game, one in found.items()})
