"""The file of the evidence: its tables, opened, and replaced by what can be read when it is damaged."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import StorageError
from companion.storage.database import (
    connected,
    copy_readable,
    damage,
    is_damage,
    set_aside,
)
from companion.storage.first_page import check_head, made, shape

_log = logging.getLogger(__name__)

_TABLES = """
CREATE TABLE pictures (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, round INTEGER,
    jpeg BLOB NOT NULL, clean BLOB
) STRICT;
CREATE INDEX pictures_of_game ON pictures (game, round);
CREATE TABLE verdicts (
    game TEXT NOT NULL, round INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (game, round)
) STRICT, WITHOUT ROWID;
CREATE TABLE examples (
    number INTEGER PRIMARY KEY, picture TEXT NOT NULL UNIQUE, body TEXT NOT NULL, jpeg BLOB NOT NULL
) STRICT;
PRAGMA user_version = 1;
"""


_COLUMNS = {
    "pictures": ("number", "id", "game", "round", "jpeg", "clean"),
    "verdicts": ("game", "round", "body"),
    "examples": ("number", "picture", "body", "jpeg"),
}


def opened(path: Path) -> sqlite3.Connection:
    """The database, one with what can be read of it when the file is damaged: evidence must not keep a game
    from going on. Raises sqlite3.Error or OSError where no file can be made."""
    try:
        return _prepared(path)
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
    return saved(path)


def saved(path: Path) -> sqlite3.Connection:
    """A fresh database with every row that can still be read; the damaged file is set aside."""
    aside = set_aside(path)
    db = _prepared(path)
    for table, columns in _COLUMNS.items():
        kept = copy_readable(aside, db, table, columns)
        _log.error("%s is damaged: %d %s were saved, the rest is in %s", path, kept, table, aside)
    db.commit()
    return db


def _prepared(path: Path) -> sqlite3.Connection:
    if path.exists():
        check_head(path)
    db = connected(path, check_same_thread=False)
    try:
        db.execute("PRAGMA auto_vacuum = FULL")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        _make_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _make_tables(db: sqlite3.Connection) -> None:
    """The tables where there are none yet; raises sqlite3.DatabaseError where some are missing."""
    found = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not found:
        db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    elif shape(db, _COLUMNS) != made(_TABLES):
        raise damage("tables are missing, or not as they were made")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """SQLite's and the system's complaints as ours."""
    try:
        yield
    except sqlite3.Error as error:
        reason = "disk_full" if "full" in str(error) else "evidence_unwritable"
        raise StorageError(reason, path=path, cause=str(error)) from error
    except OSError as error:
        raise StorageError("evidence_unwritable", path=path, cause=error.strerror or str(error)) from error
