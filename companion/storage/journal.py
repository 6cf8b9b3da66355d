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
from typing import Any

from msgspec.structs import replace

from companion.errors import BadCommand, JournalDamaged, StorageError
from companion.json_types import Body
from companion.storage import form, game_file, game_list, old_journal
from companion.storage.disk import Disk, Pair, explained, with_room
from companion.storage.exports import Exported, own_id, parse, parting
from companion.storage.form import HEAD, SCHEMA, chain
from companion.storage.game_file import GameFile, GameInfo, Record, ids, is_id, is_newer, label, sweep
from companion.storage.game_list import GameList, Loss

__all__ = ["HEAD", "SCHEMA", "GameInfo", "Journal", "Record"]

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
        self._open: GameFile | None = None
        self._list_pair = Pair(self._disk, self._folders, game_list.NAME)
        self._reading, self._waits, self.was_empty, self._boots = reading, False, False, 0
        self._list, self._games = GameList(), dict[str, GameInfo]()
        try:
            with explained(self.path):
                self._begin(reading)
        except StorageError as error:
            if reading:
                raise
            _log.error("the journal is opened to be read alone: %s", error)
            self._waits = True
            with suppress(OSError):
                self._begin(reading=True)

    def close(self) -> None:
        """Note how far the games have got, and close the files; may be called twice."""
        with self._lock:
            if not self._reading:
                with suppress(OSError):
                    self.settle()
            self._leave()
            self._disk.end()

    def games(self) -> tuple[GameInfo, ...]:
        """Every game, oldest first."""
        with self._lock:
            return tuple(self._games.values())

    def records(self, game: str, *, partly: bool = False) -> tuple[Record, ...]:
        """All records of a game in order. Where one is missing or was changed, `partly` gives those before
        it; otherwise raises JournalDamaged."""
        return game_file.records(self._lines(game, partly=partly))

    def export(self, game: str) -> Iterator[str]:
        """The game as JSON lines, as it is stored, readable or not: a head line, then one line a record."""
        if game not in self._games:
            raise BadCommand("unknown_game", game=game)
        yield from (line.decode() for line in self._lines(game))

    def version_of(self, game: str) -> str:
        """The version of the companion that wrote to a game last; "" where nobody knows."""
        return form.version_of(self._lines(game))

    def create(self, *bodies: Body) -> str:
        """Begin a game with its first records and make it the current one; returns its id."""
        game, records = secrets.token_hex(6), game_file.fresh(bodies)
        lines = game_file.made(game, label(), records, self._version)
        self._write(lambda: self._put(lines, current=game))
        return game

    def append(self, game: str, number: int, *bodies: Body) -> None:
        """Write and sync `bodies` as records `number`, `number` + 1, ... of `game`, all or none."""
        with self._lock:
            opened = self._opened(game)
            if number != len(opened.lines):
                raise StorageError("journal_unwritable", path=self.path, cause=f"no record {number} follows")
            self._write(lambda: self._add(opened, bodies))

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
                game, kept = self._same_game(found)
                if game not in self._games or kept < len(found.records):
                    fresh[game] = game_file.made(game, found.created, found.records, self._version)
                ids.append(game)
            if fresh:
                self._write(lambda: self._put(*fresh.values()))
            return ids

    def delete(self, game: str) -> None:
        """Forget a game and all its records, in what is kept aside and in journals of older versions too."""

        def change() -> None:
            left = {other: one for other, one in self._games.items() if other != game}
            self._leave()
            self._save(games=left, current=None if self.current() == game else self.current())
            self._file(game).pair.remove()
            for name in self._disk.names(self._aside):
                if game in name:
                    self._disk.remove(self._aside / name)
            old_journal.forget(self.path.parent, game)

        self._write(change)

    def current(self) -> str | None:
        """The id of the game on the table, None when there is none."""
        current = self._list.box.get("current")
        return current if current in self._games else None

    def boots(self) -> int:
        """How often the journal was opened for play, this time counted in; call once a start.

        Where it cannot be written the number is kept with the first that can.
        """
        self._boots = int(self._list.box.get("boots", 0)) + 1
        try:
            self.put_notes({"boots": self._boots})
        except StorageError:
            self._waits = True
        return self._boots

    def note(self, key: str) -> object:
        """What was written down of the box under this key, None where nothing was."""
        return self._list.box.get(key)

    def put_notes(self, notes: Mapping[str, Any], *more: Loss) -> None:
        """Write down what concerns the box, each under its key, or with None forget it; and losses."""
        self._write(lambda: self._save(*more, **notes))
        if game := self.current():
            with suppress(JournalDamaged):
                self._opened(game)  # in memory from now on, should its files vanish

    def losses(self) -> tuple[Loss, ...]:
        """What was lost and nobody has confirmed yet."""
        return game_list.noted(self._list.box)

    def settle(self) -> None:
        """Write down how far the games have got, if it is not yet."""
        with self._lock:
            if self._games != self._list.games:
                self._write(self._save)

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
            if self._open is None or self._open.game != game:
                loss, file = self._found(game)
            else:
                file, loss = self._open, None if self._open.is_written() else Loss()
            if loss:
                self._save(loss)
                if file:
                    file.put_right(file.lines)
            return loss

    def _are_there(self) -> bool:
        """Whether every file is still the one that was written. Raises StorageError for another one."""
        opened = self._open is None or self._open.pair.are_there()
        return self._list_pair.are_there() and opened

    def _written_anew(self) -> None:
        """The game on the table is in memory. Of others it is known that they were there."""
        if self._open:
            self._open.write(self._open.lines)
        there = ids(self._disk, self._folders)
        gone = [one for game, one in self._games.items() if game not in there]
        _log.error("the journal %s vanished and is written anew without %d games", self.path, len(gone))
        left = {game: one for game, one in self._games.items() if game in there}
        self._save(game_list.of_gone(gone, vanished=True), games=left)

    def _begin(self, reading: bool) -> None:
        """Take up what is there."""
        found, damaged = game_list.newest(self._list_pair.read())
        self._list = found or GameList()
        self._games = dict(self._list.games)
        if reading:
            self._adopt(ids(self._disk, self._folders), reading)
        else:
            self._take_up(found is None, damaged)

    def _begin_again(self) -> None:
        """Open for writing what could only be read, as this start."""
        self._begin(reading=False)
        self._save(boots=max(self._boots, int(self._list.box.get("boots", 0))))
        self._waits = False

    def _take_up(self, unlisted: bool, damaged: bool) -> None:
        """Find what is there, put right what a card has done, and note what is lost."""
        sweep(self._disk, self._folders)
        there = ids(self._disk, self._folders)
        self.was_empty = unlisted and not damaged and not there
        lost = [Loss()] if damaged else []
        gone = [one for game, one in self._games.items() if game not in there]
        if gone:
            lost.append(game_list.of_gone(gone, self._list.box.get("current")))
        self._games = {game: one for game, one in self._games.items() if game in there}
        self._adopt(there, reading=False)
        if unlisted and self._games:
            last = max(self._games.values(), key=lambda one: one.created).id
            self._list, lost = GameList({"current": last, "boots": REBUILT_BOOTS}), lost or [Loss()]
        current, file = self.current(), None
        if current:
            loss, file = self._found(current)
            lost += [loss] if loss else []
        if lost:
            self._save(*lost)
        if file:
            file.put_right(file.lines)
            self._open = file
        if unlisted or self._games != self._list.games:
            self._save()  # what is listed is in both files
        self._list_pair.know()

    def _adopt(self, there: Iterable[str], reading: bool) -> None:
        """Games that are there and not listed: copied into the folder, or begun as the power went. And how
        far that on the table has got since."""
        for game in there:
            if game not in self._games or game == self.current():
                found = self._file(game).read()
                if not found.lines or game_file.head(found.lines).get("game") != game:
                    continue
                kept = reading or game in self._games or is_newer(found.lines)
                if not kept:
                    self._file(game).put_right(found.lines)
                self._games[game] = game_file.listed(found.lines)

    def _found(self, game: str) -> tuple[Loss | None, GameFile | None]:
        """What was lost of a game, with its entry set to what is left; and its file, if anything is that this
        version can write to. Nothing is written yet but what is kept of a damaged game."""
        file, listed = self._file(game), self._list.games.get(game, self._games[game]).records
        found = file.read(listed)
        if is_newer(found.lines):
            return None, None
        aside = ""
        if found.missing:
            _log.error("game %s was damaged on the card: %d records are missing", game, found.missing)
            with suppress(OSError):  # a full disk has no room for what is damaged
                aside = file.set_aside(self._aside)
        if found.lines:
            file.hold(found.lines)
            self._games[game] = game_file.listed(found.lines)
        else:
            del self._games[game]
        on_table, games = game == self._list.box.get("current"), int(bool(found.missing))
        cut = found.missing if on_table and found.lines else 0
        gone = on_table and not found.lines
        loss = Loss(found.missing, games, aside, game if cut else "", cut, gone=gone)
        return loss if found.damaged else None, file if found.lines else None

    def _lines(self, game: str, *, partly: bool = False) -> Sequence[bytes]:
        """A game as it is on the card; raises JournalDamaged where it is not what was written."""
        with self._lock, explained(self.path):
            if self._open and self._open.game == game:
                return tuple(self._open.lines)
            if game not in self._games:
                return ()
            found = self._file(game).read(self._games[game].records)
        if partly:
            return () if is_newer(found.lines) else found.lines
        return game_file.whole(found, self.path, game, self._version)

    def _same_game(self, found: Exported) -> tuple[str, int]:
        """The id that a game has here, or would have, and how many records of it are here."""
        game = found.game if is_id(found.game) else own_id(found.game, found.records)
        while True:
            kept = self.records(game, partly=True)
            at = parting(kept, found.records)
            newer = game in self._games and is_newer(self._file(game).read().lines)
            if at is None and not newer:
                return game, len(kept)
            game = own_id(game, found.records[at or 0 :])

    def _opened(self, game: str) -> GameFile:
        """The game made ready to be written to."""
        if self._open and self._open.game == game:
            return self._open
        lines, file = self._lines(game), self._file(game)
        if lines:
            self._leave()
            self._open = file
            file.hold(lines)
        return file

    def _leave(self) -> None:
        if self._open:
            self._open.pair.close()
        self._open = None

    def _file(self, game: str) -> GameFile:
        return GameFile(self._disk, self._folders, game)

    def _add(self, opened: GameFile, bodies: Sequence[Body]) -> None:
        there = opened.append(bodies, self._version)
        count, head = len(opened.lines) - 1, chain(opened.lines[-1]).decode()
        self._games[opened.game] = replace(self._games[opened.game], records=count, head=head)
        if not there:
            self._written_anew()

    def _put(self, *games: Sequence[bytes], **changes: Any) -> None:
        """Whole games in their files, and then in the list."""
        files = [self._file(str(game_file.head(lines)["game"])) for lines in games]
        entries = {file.game: game_file.listed(lines) for file, lines in zip(files, games, strict=True)}
        try:
            for file, lines in zip(files, games, strict=True):
                file.write(lines)
            self._save(games={**self._games, **entries}, **changes)
        except OSError as error:
            if error.errno == errno.ENOSPC:  # no list names them then
                for file in files:
                    if file.game not in self._games:
                        file.pair.remove()
            raise
        self._leave()
        if (game := self.current()) in entries:
            self._opened(game)

    def _save(self, *more: Loss, games: Mapping[str, GameInfo] | None = None, **changes: Any) -> None:
        """Write the list, with more losses and changes of what concerns the box."""
        if more:
            changes = {**changes, "losses": game_list.notes((*self.losses(), *more))}
        following = self._list.following(dict(self._games if games is None else games), changes)
        self._list_pair.replace(following.text())
        self._list, self._games = following, dict(following.games)

    def _write(self, change: Callable[[], None]) -> None:
        """Change something; where the disk is full, once more in the room that is made."""
        with self._lock, explained(self.path):
            if self._waits:
                with_room(self._begin_again, self._more_room)
            if not self._are_there():
                self._written_anew()
            with_room(change, self._more_room)
