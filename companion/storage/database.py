"""SQLite files that may be damaged: errors by cause, files set aside, databases checked."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypedDict, Unpack

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite finds that the file is not what was written. Text that is no UTF-8 has no code."""
    code = getattr(error, "sqlite_errorcode", None)
    return (code is not None and code & 0xFF in _DAMAGED) or "decode to UTF-8" in str(error)


class Options(TypedDict, total=False):
    """How SQLite is used: see `sqlite3.connect`."""

    timeout: float
    isolation_level: Literal["DEFERRED", "EXCLUSIVE", "IMMEDIATE"] | None
    check_same_thread: bool


def connected(path: Path, *, read_only: bool = False, **options: Unpack[Options]) -> sqlite3.Connection:
    """A connection to the database at `path`, its schema read. Raises sqlite3.Error.

    SQLite quotes a damaged schema in its message; where that is no text, Python knows no error of SQLite's.
    """
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    db: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    try:
        db.execute("SELECT 1 FROM sqlite_master LIMIT 0")
    except UnicodeDecodeError as error:
        db.close()
        raise damage("its schema is no text") from error
    except BaseException:
        db.close()
        raise
    return db


def log_of(path: Path) -> Path:
    """SQLite's write-ahead log of the database at `path`."""
    return Path(f"{path}-wal")


def set_aside(path: Path) -> Path:
    """Move a damaged database out of the way; returns where it is. The one before it is deleted.

    Its write-ahead log goes with it, so that SQLite finds it there. Raises OSError.
    """
    for old in path.parent.glob(f"{path.stem}-damaged-*{path.suffix}"):
        forget(old)
    label = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S")
    aside = path.with_name(f"{path.stem}-damaged-{label}{path.suffix}")
    path.replace(aside)
    with suppress(FileNotFoundError):
        if log_of(path).stat().st_size:
            log_of(path).replace(log_of(aside))
        else:
            log_of(path).unlink()
    Path(f"{path}-shm").unlink(missing_ok=True)
    return aside


def forget(path: Path) -> None:
    """Delete a database with what SQLite keeps beside it."""
    for one in (path, log_of(path), Path(f"{path}-shm")):
        one.unlink(missing_ok=True)


def copy_readable(source: Path, target: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> int:
    """Copy every row of a table that can still be read from a damaged file; how many there were.

    A row is found by its number or its key from both ends of the table, and read by itself.
    """
    try:
        db = connected(source, read_only=True)
    except sqlite3.Error:
        return 0
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    count = 0
    with closing(db):
        for key in _keys(db, table, columns[:1] if columns[0] == "number" else columns[:2]):
            with suppress(sqlite3.Error):
                where = " AND ".join(f"{name} = ?" for name in columns[: len(key)])
                row = db.execute(f"SELECT {names} FROM {table} WHERE {where}", key).fetchone()
                count += target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row).rowcount
    Path(f"{source}-shm").unlink(missing_ok=True)
    return count


def _keys(db: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> dict[tuple[object, ...], None]:
    """The keys of all rows that can be reached, each once."""
    found: dict[tuple[object, ...], None] = {}
    for order in ("", " DESC"):
        by = ", ".join(f"{name}{order}" for name in columns)
        with suppress(sqlite3.Error):
            for key in db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {by}"):
                found[key] = None
            break  # all of them were reached
    return found


def damage(cause: str) -> sqlite3.DatabaseError:
    """A damage error for a file in which SQLite itself finds nothing wrong."""
    error = sqlite3.DatabaseError(cause)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error
