"""SQLite files that may be damaged: errors by cause, files set aside, databases checked."""

from __future__ import annotations

import mmap
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypedDict, Unpack

from companion.errors import JournalDamaged, StorageError

KEPT_ASIDE = 3
"""How many damaged files of one name are kept; older ones make room for newer ones."""

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


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """The complaint of SQLite or the system about the journal at `path` as one of our errors, by cause."""
    try:
        yield
    except sqlite3.Error as error:
        if is_damage(error):
            raise JournalDamaged("journal_damaged", path=path) from error
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        reason = "journal_full" if code == sqlite3.SQLITE_FULL else "journal_unwritable"
        raise StorageError(reason, path=path, cause=str(error)) from error
    except PermissionError as error:
        raise StorageError("folder_forbidden", path=path.parent) from error
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError("journal_unwritable", path=path, cause=error.strerror or str(error)) from error


def tolerant_text(raw: bytes) -> str:
    """Text whose bytes can be had back whatever they are: a damaged letter must not hide its row."""
    return raw.decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    """The bytes that `tolerant_text` was made of."""
    return text.encode("utf-8", "surrogateescape")


def is_text(text: object) -> bool:
    """Whether it is a text without a damaged letter, so that it can be stored and asked for."""
    if not isinstance(text, str):
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def sound(db: sqlite3.Connection) -> bool:
    """Whether SQLite finds the structure of the whole file in order (`PRAGMA quick_check`)."""
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error as error:
        if is_damage(error):
            return False
        raise


def log_of(path: Path) -> Path:
    """SQLite's write-ahead log of the database at `path`."""
    return Path(f"{path}-wal")


def name_aside(path: Path) -> Path:
    """A name with the date that is free for a damaged database."""
    label = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S")
    aside, number = _aside(path, label), 1
    while aside.exists():
        aside, number = _aside(path, f"{label}-{number}"), number + 1
    return aside


def set_aside(path: Path, aside: Path, keep: int = KEPT_ASIDE) -> None:
    """Move a damaged database out of the way to the free name `aside`.

    Its write-ahead log goes with it, so that SQLite finds it there. Raises OSError.
    """
    path.replace(aside)
    with suppress(FileNotFoundError):
        if log_of(path).stat().st_size:
            log_of(path).replace(log_of(aside))
        else:
            log_of(path).unlink()
    Path(f"{path}-shm").unlink(missing_ok=True)
    for old in set_aside_files(path)[:-keep]:
        forget(old)
    sync_folder(path.parent)


def set_aside_files(path: Path) -> list[Path]:
    """The damaged files that were set aside for `path`, oldest first."""
    return sorted(path.parent.glob(f"{path.stem}-damaged-*{path.suffix}"), key=lambda p: p.stat().st_mtime_ns)


def forget_set_aside(path: Path, word: str) -> None:
    """Delete what was set aside for `path` and has this word in it."""
    path.with_name(f"{path.stem}-damaged-{word}.jsonl").unlink(missing_ok=True)
    for file in set_aside_files(path):
        if any(_contains(one, word.encode()) for one in (file, log_of(file))):
            forget(file)


def _contains(file: Path, word: bytes) -> bool:
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(word) >= 0
    except (OSError, ValueError):  # not there, or empty
        return False


def forget(path: Path) -> None:
    """Delete a database with what SQLite keeps beside it."""
    for one in (path, log_of(path), Path(f"{path}-shm")):
        one.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make sure that renamed files are found under their new names after a power cut."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _aside(path: Path, label: str) -> Path:
    return path.with_name(f"{path.stem}-damaged-{label}{path.suffix}")


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
