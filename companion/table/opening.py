"""The journal opened for play: whatever the card did to it, the box comes up and reports the loss."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from enum import Enum
from pathlib import Path

from companion.errors import JournalDamaged, StorageError
from companion.storage import copies
from companion.storage.database import (
    explained,
    forget,
    log_of,
    name_aside,
    set_aside,
    set_aside_files,
    sync_folder,
)
from companion.storage.mark import MarkFile
from companion.storage.pages import Pages
from companion.storage.rebuild import Rebuilt, rebuild
from companion.storage.salvage import Found, Readable, Source
from companion.table.journal import Journal
from companion.table.losses import Loss, add_loss
from companion.table.repairing import DOUBTFUL, readable

_log = logging.getLogger(__name__)


LEFT_BY_GAMES = ("groups.json",)
"""Files beside the journal that only games bring about."""


class Doubt(Enum):
    """A reason to doubt a journal that could be opened."""

    NONE = "none"
    DAMAGED = "damaged"
    SHORT = "short"
    EMPTIED = "emptied"


def open_journal(path: Path, *, more_room: Callable[[], bool] = lambda: False) -> Journal:
    """Open the journal at `path`; where it is damaged or has lost its end, restore it from what is left.

    Losses are written down in it (`losses`). Raises StorageError where nothing can be written, and
    JournalDamaged for the journal of a newer companion.
    """
    opening = _Opening(path, more_room)
    with explained(path):
        opening.finish()
    with explained(path), opening.log_kept():
        try:
            journal = Journal(path, more_room=more_room)
        except JournalDamaged as error:
            if error.reason != "journal_damaged":
                raise
            _log.error("the journal %s is damaged: what can be read is copied to a fresh one", path)
            return opening.brought_back(Doubt.DAMAGED)
        doubt = opening.doubts(journal)
        if doubt is Doubt.NONE:
            return journal
        journal.close()
        return opening.brought_back(doubt)


def restore(path: Path, file: Path | None = None) -> Rebuilt:
    """Bring back what the copies, and `file`, have more of than the journal at `path`.

    The journal that was there is set aside. Raises StorageError; the file may be a damaged journal.
    """
    opening = _Opening(path, lambda: False)
    with explained(path), ExitStack() as open_files:
        more = [open_files.enter_context(closing(_source(file)))] if file else []
        found = opening.rebuilt(more)
        opening.put_in_place(name_aside(path))
        return found


def restorable(path: Path) -> list[Path]:
    """The copies of the journal at `path`, newest first, and the damaged files that were set aside."""
    return [*copies.existing(path), *set_aside_files(path)]


def _source(file: Path) -> Readable | Pages:
    """A file to restore from: by SQL where it can be opened, else by its pages."""
    if not file.is_file():
        raise StorageError("file_unreadable", path=file)
    try:
        return Readable(file)
    except sqlite3.Error:
        pages = Pages(file, log_of(file))
        if pages.found().games:
            return pages
        raise StorageError("file_unreadable", path=file) from None


class _Opening:
    """One start: the content of the mark, of SQLite's log before it was opened, and the fresh file."""

    def __init__(self, path: Path, more_room: Callable[[], bool]) -> None:
        self._path, self._more_room = path, more_room
        self._mark_path = path.with_suffix(".mark")
        self._fresh = path.with_name(f"{path.stem}-fresh{path.suffix}")
        self._log = path.with_name(f"{path.stem}-before.wal")
        self._mark = MarkFile(self._mark_path).read()

    def finish(self) -> None:
        """Finish what a power cut has interrupted: a damaged journal was set aside, the fresh one is whole
        but not in its place. SQLite must not find the log of the one beside the other."""
        if self._path.exists() or not self._fresh.exists():
            return
        forget(self._path)
        self._put(self._fresh)

    def _put(self, fresh: Path) -> None:
        fresh.replace(self._path)
        sync_folder(self._path.parent)
        self._mark_path.unlink(missing_ok=True)
        self._path.with_suffix(DOUBTFUL).unlink(missing_ok=True)

    @contextmanager
    def log_kept(self) -> Iterator[None]:
        """SQLite drops a log from its first damaged place on; a copy has what stands behind it."""
        with suppress(OSError):
            if log_of(self._path).stat().st_size:
                shutil.copyfile(log_of(self._path), self._log)
        try:
            yield
        finally:
            self._log.unlink(missing_ok=True)

    def doubts(self, journal: Journal) -> Doubt:
        """The reasons to doubt the journal as it is. Whatever SQLite refuses to read is one."""
        try:
            with explained(self._path):
                return self._doubts(journal)
        except JournalDamaged:
            return Doubt.DAMAGED

    def _doubts(self, journal: Journal) -> Doubt:
        if self._path.with_suffix(DOUBTFUL).exists() or self._is_damaged(journal):
            return Doubt.DAMAGED
        kept = {info.id: info.records for info in journal.games()}
        mark = self._mark
        if mark and (len(kept) < mark.games or (mark.game and kept.get(mark.game, 0) < mark.records)):
            return Doubt.SHORT
        return Doubt.EMPTIED if not kept and self._had_games(journal) else Doubt.NONE

    def _is_damaged(self, journal: Journal) -> bool:
        """Whether its list of games, its notes or the game on the table are not as they were written."""
        if current := journal.current():
            journal.records(current)
        return not journal.is_listed_whole()

    def _had_games(self, journal: Journal) -> bool:
        """Whether there were games in this folder though the journal has none, and no mark names them."""
        fresh = self._mark is None and journal.note("boots") is None
        played = any(self._path.with_name(name).exists() for name in LEFT_BY_GAMES)
        return fresh and (played or bool(copies.existing(self._path)))

    def brought_back(self, doubt: Doubt) -> Journal:
        """A journal with all that can be found anywhere; a sound one stays where nothing has more."""
        before = 0 if doubt is Doubt.DAMAGED else self._records_now()
        found = self.rebuilt(())
        loss = Loss(emptied=doubt is Doubt.EMPTIED and not found.kept)
        if doubt is not Doubt.DAMAGED and found.records <= before:
            forget(self._fresh)
            journal = Journal(self._path, more_room=self._more_room)
            self._note_loss(journal, found, loss)
            return journal
        aside = name_aside(self._path)
        with closing(Journal(self._fresh, checked=True)) as fresh:
            self._note_loss(fresh, found, replace(loss, file=aside.name if self._path.exists() else ""))
        self._fresh.with_suffix(".mark").unlink(missing_ok=True)
        self.put_in_place(aside)
        return Journal(self._path, more_room=self._more_room)

    def _records_now(self) -> int:
        with closing(Journal(self._path, checked=True)) as journal:
            return sum(info.records for info in journal.games())

    def rebuilt(self, more: Sequence[Source]) -> Rebuilt:
        """A fresh journal beside the old one; the pages themselves are searched only where that is needed."""
        with ExitStack() as open_files:
            own = [*readable(self._path, open_files)]
            current = self._current(next(iter(own), None))
            sources: list[Source] = [*own, *more]
            for file in copies.existing(self._path):
                sources += readable(file, open_files)
            found = self._rebuilt(sources, current)
            if found.cut or self._misses_marked(found):
                pages = open_files.enter_context(closing(Pages(self._path, self._log)))
                found = self._rebuilt([*sources, pages], current)
        return found

    def _rebuilt(self, sources: Sequence[Source], current: str | None) -> Rebuilt:
        boots = self._mark.boots if self._mark else 0
        for again in (True, False):
            forget(self._fresh)
            try:
                return rebuild(self._fresh, sources, current, boots)
            except sqlite3.OperationalError:
                if not again or not self._more_room():
                    raise
        raise AssertionError("one of both ends it")

    def _current(self, journal: Source | None) -> str | None:
        """The game on the table: by the mark where the journal is behind it, else by its note."""
        mark, found = self._mark, journal.found() if journal else Found()
        known = found.games.get(mark.game) if mark else None
        behind = mark is not None and mark.game != "" and (known is None or known.records < mark.records)
        if found.current and not behind:
            return found.current
        return mark.current if mark else None

    def _misses_marked(self, found: Rebuilt) -> bool:
        mark = self._mark
        if mark is None:
            return not found.kept
        return len(found.kept) < mark.games or found.kept.get(mark.game, 0) < mark.records

    def put_in_place(self, aside: Path) -> None:
        """Set the damaged journal aside and let the fresh one take its place."""
        if self._path.exists():
            set_aside(self._path, aside)
        self._put(self._fresh)

    def _note_loss(self, journal: Journal, found: Rebuilt, loss: Loss) -> None:
        for cut in found.cut:
            _log.error("game %s of %s: %d of %d records are left", cut.game, cut.created, cut.kept, cut.of)
        short = self._short(found)
        current = journal.current() or ""
        loss = replace(
            loss,
            records=sum(short.values()),
            games=len(short) + self._vanished(found, short),
            game=current if current in short else "",
            missing=short.get(current, 0),
            gone=self._mark is not None and self._mark.current not in ("", *found.kept),
        )
        _log.error("the journal was brought back: %s", loss)
        add_loss(journal, loss)

    def _short(self, found: Rebuilt) -> dict[str, int]:
        """How many records are known to be missing of which game."""
        short = {cut.game: cut.of - cut.kept for cut in found.cut}
        mark = self._mark
        if mark and mark.game and found.kept.get(mark.game, 0) < mark.records:
            known = mark.records - found.kept.get(mark.game, 0)
            short[mark.game] = max(short.get(mark.game, 0), known)
        return short

    def _vanished(self, found: Rebuilt, short: Mapping[str, int]) -> int:
        """How many games are gone of which nothing is known but that they were there."""
        gone = sum(game not in found.kept for game in short)
        return max(0, (self._mark.games if self._mark else 0) - len(found.kept) - gone)
