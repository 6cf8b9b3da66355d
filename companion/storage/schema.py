"""The journal's tables, and how those of version 1 become those of version 2."""

from __future__ import annotations

import sqlite3

from companion.storage import first_page
from companion.storage.chain import Row, chained, combined, seal, seed

SCHEMA = 2

_TABLES_1 = """
CREATE TABLE games (id TEXT PRIMARY KEY, created TEXT NOT NULL) STRICT;
CREATE TABLE records (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""

TABLES = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, created TEXT NOT NULL,
    records INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL DEFAULT '', seal TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE records (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
    tick TEXT NOT NULL DEFAULT '', chain TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL DEFAULT '') STRICT;
"""
"""New columns come last, so that rows of every version are read alike."""

_NEW_COLUMNS = (
    "ALTER TABLE games ADD COLUMN records INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE games ADD COLUMN head TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE games ADD COLUMN seal TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE records ADD COLUMN tick TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE records ADD COLUMN chain TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE notes ADD COLUMN seal TEXT NOT NULL DEFAULT ''",
)

LEDGER = "ledger"
"""The note with the seals of all games together."""


def version(db: sqlite3.Connection) -> int:
    """The version of the tables that are there: 0 for none. One bit of the header must not decide it."""
    columns = {name for _, name, *_ in db.execute("PRAGMA table_info(records)")}
    if not columns:
        return 0
    return 2 if "chain" in columns else 1


def is_as_made(db: sqlite3.Connection, version: int) -> bool:
    """Whether the tables are those of this version: no check of SQLite's reads their text."""
    expected = first_page.made(TABLES if version == SCHEMA else _TABLES_1)
    return first_page.shape(db, expected) == expected


def make(db: sqlite3.Connection) -> None:
    """The tables of an empty journal."""
    db.executescript(f"BEGIN; {TABLES} PRAGMA user_version={SCHEMA}; COMMIT;")


def migrate(db: sqlite3.Connection) -> None:
    """Version 1 becomes version 2, all or nothing: records get checksums as they are found."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in _NEW_COLUMNS:
            db.execute(statement)
        for (game,) in db.execute("SELECT id FROM games").fetchall():
            _chain(db, game)
        notes = db.execute("SELECT key, value FROM notes").fetchall()
        for key, value in notes:
            put_note(db, key, value)
        put_ledger(db)
        db.execute(f"PRAGMA user_version={SCHEMA}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _chain(db: sqlite3.Connection, game: str) -> None:
    found = db.execute("SELECT number, at, body FROM records WHERE game = ? ORDER BY number", (game,))
    rows = chained(game, (Row(*row) for row in found.fetchall()))
    links = ((row.chain, game, row.number) for row in rows)
    db.executemany("UPDATE records SET chain = ? WHERE game = ? AND number = ?", links)
    (created,) = db.execute("SELECT created FROM games WHERE id = ?", (game,)).fetchone()
    head = rows[-1].chain if rows else seed(game)
    last = (len(rows), head, game_seal(game, created), game)
    db.execute("UPDATE games SET records = ?, head = ?, seal = ? WHERE id = ?", last)


def game_seal(game: str, created: str) -> str:
    """The checksum of a game's own row."""
    return seal("game", game, created)


def put_note(db: sqlite3.Connection, key: str, value: str) -> None:
    """Write a note with its checksum."""
    row = (key, value, seal("note", key, value))
    db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", row)


def note(db: sqlite3.Connection, key: str) -> str | None:
    """A note, None where there is none that is as it was written."""
    row = db.execute("SELECT value, seal FROM notes WHERE key = ?", (key,)).fetchone()
    return row[0] if row and seal("note", key, row[0]) == row[1] else None


def put_ledger(db: sqlite3.Connection) -> None:
    """Write down which games there are, so that none can vanish or come unnoticed."""
    put_note(db, LEDGER, ledger(db))


def ledger(db: sqlite3.Connection) -> str:
    """How many games there are, and their seals together."""
    seals = [game_seal(game, created) for game, created in db.execute("SELECT id, created FROM games")]
    return f"{len(seals)} {combined(seals)}"


_BY_INDEX = ("SELECT id, rowid FROM games ORDER BY id", "SELECT key, rowid FROM notes ORDER BY key")


def is_listed_whole(db: sqlite3.Connection) -> bool:
    """Whether the rows of games and the notes are as they were written, and none vanished.

    Each is looked up by an index of its own, which no check of SQLite's short of a full one compares.
    Besides the key an index holds the number of the row that it leads to.
    """
    notes = db.execute("SELECT key, value, seal, rowid FROM notes").fetchall()
    games = db.execute("SELECT id, created, seal, rowid FROM games").fetchall()
    sealed = all(game_seal(game, created) == written for game, created, written, _ in games)
    noted = all(seal("note", key, value) == written for key, value, written, _ in notes)
    indexed = [set(db.execute(query)) for query in _BY_INDEX]
    found = indexed == [{(row[0], row[3]) for row in rows} for rows in (games, notes)]
    return sealed and noted and found and {row[0]: row[1] for row in notes}.get(LEDGER) == ledger(db)
