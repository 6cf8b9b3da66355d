"""Second copies of the journal in the same folder, made between games: the newest, and the one before it.

They are made by SQLite's online backup, which disturbs nobody who plays, and each is checked before it
takes the place of an older one.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from companion.errors import JournalDamaged
from companion.storage import schema
from companion.storage.chain import Row, good_records
from companion.storage.database import (
    connected,
    explained,
    forget,
    is_text,
    sound,
    sync_folder,
    tolerant_text,
)
from companion.storage.first_page import check_head

GENERATIONS = 2
SPARE_BYTES = 40_000_000
"""No copy is made where less than this would be left."""


def existing(path: Path) -> list[Path]:
    """The copies there are of the journal at `path`, newest first."""
    return [copy for copy in _names(path) if copy.exists()]


def records(path: Path) -> int:
    """How many records the newest copy has; 0 where there is none that can be read."""
    for copy in existing(path)[:1]:
        with suppress(sqlite3.Error), closing(connected(copy, read_only=True)) as db:
            return int(db.execute("SELECT coalesce(sum(records), 0) FROM games").fetchone()[0])
    return 0


def make(path: Path) -> bool:
    """Copy the journal; False where there is too little room.

    Raises StorageError, and JournalDamaged where the copy is not whole: older ones stay then."""
    with explained(path):
        if shutil.disk_usage(path.parent).free < path.stat().st_size + SPARE_BYTES:
            return False
        fresh = path.with_name(f"{path.stem}-copy-new{path.suffix}")
        forget(fresh)
        try:
            if not _copied(path, fresh):
                raise JournalDamaged("journal_damaged", path=path)
            check_head(fresh)
            _rotate(path, fresh)
            return True
        finally:
            forget(fresh)


def _copied(path: Path, fresh: Path) -> bool:
    source = connected(path, read_only=True)
    with closing(source), closing(sqlite3.connect(fresh, isolation_level=None)) as copy:
        fresh.chmod(0o600)
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # all in one file
        copy.text_factory = tolerant_text
        whole = sound(copy) and schema.is_as_made(copy, schema.SCHEMA)
        return whole and not any(True for _ in changed_games(copy))


def changed_games(db: sqlite3.Connection) -> Iterator[str]:
    """The games of a journal that are not as they were written; reads every record of it.

    A game that has grown since its row was read is read once more.
    """
    known = {game for (game,) in db.execute("SELECT id FROM games").fetchall()}
    for game in sorted(known):
        if not is_text(game) or not (_as_written(db, game) or _as_written(db, game)):
            yield game
    listless = {game for (game,) in db.execute("SELECT DISTINCT game FROM records").fetchall()} - known
    yield from (game for game in sorted(listless) if not (is_text(game) and _as_written(db, game)))


def _as_written(db: sqlite3.Connection, game: str) -> bool:
    query = "SELECT created, records, head, seal FROM games WHERE id = ?"
    listed = db.execute(query, (game,)).fetchone()
    rows = tuple(Row(*row) for row in db.execute(_RECORDS, (game,)).fetchall())
    if listed is None:
        return not rows
    created, records, head, seal = listed
    last = rows[-1].chain if rows else head
    whole = good_records(game, rows) == records == len(rows) and last == head
    return whole and bool(schema.game_seal(game, created) == seal)


_RECORDS = "SELECT number, at, body, tick, chain FROM records WHERE game = ? ORDER BY number"


def _rotate(path: Path, fresh: Path) -> None:
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    names = _names(path)
    for older, newer in zip(names[:0:-1], names[-2::-1], strict=True):
        if newer.exists():
            newer.replace(older)
    fresh.replace(names[0])
    sync_folder(path.parent)


def forget_game(path: Path, game: str) -> None:
    """Delete a game from all copies too; one that cannot be written is deleted as a whole."""
    for copy in existing(path):
        try:
            with closing(connected(copy)) as db, db:
                db.execute("PRAGMA foreign_keys=ON")
                db.execute("PRAGMA secure_delete=ON")
                db.execute("DELETE FROM games WHERE id = ?", (game,))
                schema.put_ledger(db)
                db.commit()
                db.execute("VACUUM")  # moved cells leave their old bytes behind
        except sqlite3.Error:
            forget(copy)


def _names(path: Path) -> list[Path]:
    return [path.with_name(f"{path.stem}-copy-{n}{path.suffix}") for n in range(1, GENERATIONS + 1)]
