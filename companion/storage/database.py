"""SQLite files that the box may go without: what is damaged, foreign or cut is set aside and begun anew."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from companion.storage.side_files import SideFile

Answer = TypeVar("Answer")

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NOT_AS_MADE = (*_DAMAGED, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT)
_SCHEMA = "SELECT sql FROM sqlite_master WHERE sql NOTNULL ORDER BY name"


class _Damage(sqlite3.DatabaseError):
    """In a file in which SQLite itself finds nothing wrong."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def connected(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection for any thread to the database at `path`, its schema read. Raises sqlite3.Error.

    SQLite quotes a damaged schema in its message; where that is no text, Python knows no error of SQLite's.
    """
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    db = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        db.execute("SELECT 1 FROM sqlite_master LIMIT 0")
    except UnicodeDecodeError as error:
        db.close()
        raise _Damage("its schema is no text") from error
    except BaseException:
        db.close()
        raise
    return db


class SideDatabase:
    """A database whose tables are made by `statements`; opened when it is asked. Any thread may ask."""

    def __init__(self, file: SideFile, statements: str, *pragmas: str) -> None:
        """A file that is there already is looked at, and set aside where it is not as it was made."""
        self.path, self._file, self._statements, self._pragmas = file.path, file, statements, pragmas
        self._lock, self._closed = threading.Lock(), False
        self._db: sqlite3.Connection | None = None
        self.read(lambda db: None, None)

    def close(self) -> None:
        """Close the file; may be called twice. What is asked afterwards opens it no more."""
        with self._lock:
            self._closed = True
            self._leave()

    def change(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Write all or nothing, once more into a fresh file after one that cannot be used was set aside.

        Raises sqlite3.Error or OSError."""
        with self._lock:
            try:
                return self._asked(ask)
            except sqlite3.Error as error:
                opening = self._db is None
                if not (_is(error, _DAMAGED) or (opening and self._is_unusable(error))):
                    raise
                self._leave()
                self._file.set_aside(error)
                for beside in ("-wal", "-shm", "-journal"):
                    with suppress(OSError):
                        Path(f"{self.path}{beside}").unlink()
            return self._asked(ask)

    def read(self, ask: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """The answer of the database; `otherwise` where there is none, and then none is made."""
        with suppress(sqlite3.Error, OSError):  # who writes is told
            if self.path.exists():
                return self.change(ask)
        return otherwise

    def _asked(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        if self._db is None:
            if self._closed:
                raise sqlite3.ProgrammingError("the file was closed")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._prepared()
        with self._db as db:
            return ask(db)

    def _prepared(self) -> sqlite3.Connection:
        db = connected(self.path)
        try:
            for pragma in self._pragmas:
                db.execute(f"PRAGMA {pragma}")
            if not db.execute(_SCHEMA).fetchall():
                db.executescript(f"BEGIN; {self._statements} COMMIT;")
            if db.execute(_SCHEMA).fetchall() != _made(self._statements):
                raise _Damage("its tables are not as they were made")
            db.execute("BEGIN IMMEDIATE")  # whether it can be written
            db.rollback()
        except BaseException:
            db.close()
            raise
        return db

    def _is_unusable(self, error: sqlite3.Error) -> bool:
        """Whether another file in its place would serve; a full or absent disk is no fault of the file."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_READONLY:
            return os.access(self.path.parent, os.W_OK)
        if code == sqlite3.SQLITE_CANTOPEN:
            usable = self.path.is_file() and os.access(self.path, os.R_OK | os.W_OK)
            return self.path.exists() and not usable
        return _is(error, _NOT_AS_MADE)

    def _leave(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.close()


def _made(statements: str) -> list[tuple[str]]:
    """The schema that these statements make."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(statements)
        return db.execute(_SCHEMA).fetchall()


def _is(error: sqlite3.Error, codes: tuple[int, ...]) -> bool:
    """Whether the error has one of the codes. Text that is no UTF-8 has no code, and is damage."""
    code = getattr(error, "sqlite_errorcode", None)
    return (code is not None and code & 0xFF in codes) or "decode to UTF-8" in str(error)
