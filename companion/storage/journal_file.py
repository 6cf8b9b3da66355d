"""The file of the journal: opened and checked, and written in transactions that are synced and marked."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.errors import JournalDamaged, StorageError
from companion.storage import schema
from companion.storage.database import connected, explained, sound, tolerant_text
from companion.storage.first_page import check_head
from companion.storage.identity import FileIdentity
from companion.storage.mark import Mark, MarkFile
from companion.storage.schema import SCHEMA, put_note


class JournalFile:
    """One open file, with the mark beside it. `db` answers questions; `write` is the only way to change."""

    def __init__(self, path: Path, *, checked: bool, more_room: Callable[[], bool]) -> None:
        """Open or make the file at `path`; `checked` and `more_room` as for the journal. Raises
        JournalDamaged, StorageError."""
        self._path, self._more_room = path, more_room
        self._mark_file = MarkFile(path.with_suffix(".mark"))
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not checked and path.exists():
                check_head(path)
            self.db = connected(path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(checked)
                self._identity = FileIdentity(path)
                self.mark = self._first_mark()
            except BaseException:
                self.db.close()
                raise

    def _prepare(self, checked: bool) -> None:
        self.db.text_factory = tolerant_text
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("PRAGMA foreign_keys=ON")
        self.db.execute("PRAGMA secure_delete=ON")
        if not checked and not sound(self.db):
            raise JournalDamaged("journal_damaged", path=self._path)
        self._check_version(checked)

    def _check_version(self, checked: bool) -> None:
        """Make, migrate or refuse the tables. A version that fits neither them nor the mark is damage."""
        stated, found = self.db.execute("PRAGMA user_version").fetchone()[0], schema.version(self.db)
        if stated > SCHEMA:
            mark = self._mark_file.read()
            damaged = mark is not None and mark.schema == found
            raise JournalDamaged("journal_damaged" if damaged else "journal_newer", path=self._path)
        if found == 0 and self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise JournalDamaged("journal_damaged", path=self._path)
        if found == 0:
            schema.make(self.db)
            put_note(self.db, schema.LEDGER, schema.ledger(self.db))
        elif not checked and not schema.is_as_made(self.db, found):
            raise JournalDamaged("journal_damaged", path=self._path)
        elif found < SCHEMA:
            schema.migrate(self.db)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self.db.close()
        self._mark_file.close()

    def trouble(self) -> StorageError | None:
        """Why nothing could be written now: the file is not in its folder any more. Any thread may ask."""
        try:
            self._identity.check()
        except StorageError as error:
            return error
        return None

    def settle(self) -> None:
        """Bring all that the log holds to its place and onto the disk; raises StorageError."""
        with explained(self._path):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._mark_file.sync()

    def write(self, change: Callable[[], Mark]) -> None:
        """Write in one synced transaction; where the disk is full, once more in the room that is made."""
        try:
            self._committed(change)
        except StorageError as error:
            if error.reason != "journal_full" or not self._more_room():
                raise
            self._committed(change)

    def _committed(self, change: Callable[[], Mark]) -> None:
        """Nothing is acknowledged that went into a file which is not in the folder any more."""
        self._identity.check()
        with explained(self._path), self._transaction():
            mark = change()
        self._identity.check()
        self.mark = replace(mark, games=self._count())
        self._mark_file.write(self.mark)

    def put_mark_back(self) -> None:
        """Have the mark name no game, so that it is never ahead of a file that is to lose some."""
        self._mark_file.write(replace(self.mark, game="", records=0, games=0))

    def _first_mark(self) -> Mark:
        """Where the journal stands as it was found; starts are counted on from the mark beside it."""
        game, before = current_game(self.db) or "", self._mark_file.read()
        row = self.db.execute("SELECT records, head FROM games WHERE id = ?", (game,)).fetchone()
        records, head = row or (0, "")
        noted = schema.note(self.db, "boots") or "0"
        boots = max(int(noted), before.boots if before else 0)
        return Mark(SCHEMA, game, records, head, game, self._count(), boots)

    def _count(self) -> int:
        ledger = schema.note(self.db, schema.LEDGER)
        return int(ledger.split()[0]) if ledger else 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Within this all questions see the file of one moment, whatever another connection writes."""
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:  # a full disk has rolled back already
                self.db.execute("ROLLBACK")
            raise


def current_game(db: sqlite3.Connection) -> str | None:
    """The id of the game on the table, None when there is none."""
    game = schema.note(db, "current")
    row = db.execute("SELECT id FROM games WHERE id = ?", (game,)).fetchone()
    return row[0] if row else None
