"""The first page of a SQLite file: its header and its schema, on which everything else depends.

One wrong bit there leaves every record whole, and yet SQLite refuses to write, misses a column, or spoils its
own message. Its checks look at neither. Source: SQLite, "Database File Format", sections 1.3 and 2.6.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.storage.database import damage

_HEAD_BYTES = 100
_WRITE_VERSION, _SCHEMA_FORMAT = slice(18, 19), slice(44, 48)
_WRITE_VERSIONS, _SCHEMA_FORMATS = (1, 2), range(5)

Shape = dict[str, tuple[object, ...]]
"""Of each table by its name: its columns, its foreign keys, and its indexes with their columns."""


def check_head(path: Path) -> None:
    """Raise sqlite3.DatabaseError, as damage, for a file that SQLite would refuse for another reason.

    For the first connection only: closing the file gives up the locks of all others of this process.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if len(head) < _HEAD_BYTES:
        return
    write, form = (int.from_bytes(head[part], "big") for part in (_WRITE_VERSION, _SCHEMA_FORMAT))
    if write not in _WRITE_VERSIONS or form not in _SCHEMA_FORMATS:
        raise damage("its header is not as it was written")


def shape(db: sqlite3.Connection, tables: Iterable[str]) -> Shape:
    """The schema of these tables as SQLite reads it; a missing table has no columns."""
    return {table: _shape(db, table) for table in tables}


def made(statements: str) -> Shape:
    """The shape of all tables that these statements make."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(statements)
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return shape(db, names)


def _shape(db: sqlite3.Connection, table: str) -> tuple[object, ...]:
    columns = db.execute(f"PRAGMA table_xinfo({table})").fetchall()
    foreign = db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    indexes = db.execute(f"PRAGMA index_list({table})").fetchall()
    keys = [db.execute("SELECT * FROM pragma_index_xinfo(?)", (index[1],)).fetchall() for index in indexes]
    return tuple(columns), tuple(foreign), tuple(indexes), tuple(map(tuple, keys))
