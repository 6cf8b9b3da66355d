"""Journals of older versions, which kept all games in one file of SQLite: read, and never written to but to
forget a game.

Of each game that is listed anywhere, the journal or a copy of it, what is as it was written is taken, from
whichever has most of it. A file that cannot be read has nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from companion.json_types import body
from companion.storage.database import connected
from companion.storage.exports import Exported, old_link, old_seed
from companion.storage.form import Record

NAME = "games.sqlite"
_NAMES = (NAME, "games-copy-1.sqlite", "games-copy-2.sqlite")


class OldGames(Struct, frozen=True):
    """Every game, oldest first; which was on the table, how many starts there were, and how many records are
    missing of how many games, as far as the files say."""

    games: tuple[Exported, ...]
    current: str
    boots: int
    missing: int
    cut: int


def files(folder: Path) -> list[Path]:
    """The same, and damaged ones that were set aside."""
    return [*own_files(folder), *sorted(folder.glob("games-damaged-*.sqlite"))]


def own_files(folder: Path) -> list[Path]:
    """The journal of an older version in this folder, and its copies."""
    return [folder / name for name in _NAMES if (folder / name).exists()]


def stamp(folder: Path) -> str:
    """A text that changes when an older version has written to its journal; "" where there is none."""
    found = []
    for name in (*_NAMES, f"{NAME}-wal"):
        with suppress(OSError):
            stat = (folder / name).stat()
            found.append(f"{name} {stat.st_size} {stat.st_mtime_ns}")
    return "; ".join(found)


def read(*paths: Path) -> OldGames:
    """All games of these files, the longest form of each."""
    games: dict[str, Exported] = {}
    known: dict[str, int] = {}
    notes: dict[str, str] = {}
    for path in paths:
        with suppress(sqlite3.Error), closing(_opened(path)) as db:
            for key, value in _rows(db, "SELECT key, value FROM notes"):
                notes.setdefault(str(key), str(value))
            for game, created, records in _listed(db):
                known[game] = max(known.get(game, 0), records)
                found = _game(db, game, created)
                if game not in games or len(found.records) > len(games[game].records):
                    games[game] = found
    short = [known[game] - len(found.records) for game, found in games.items()]
    cut = [count for count in short if count > 0]
    whole = tuple(found for found in games.values() if found.records)
    boots = notes.get("boots", "0")
    return OldGames(whole, notes.get("current", ""), int(boots) if boots.isdigit() else 0, sum(cut), len(cut))


def forget(folder: Path, game: str) -> None:
    """Delete a game from all of them that name it; one that cannot be written is deleted as a whole."""
    for path in files(folder):
        named = any(game.encode() in file.read_bytes() for file in _with_log(path) if file.exists())
        if not named:
            continue
        try:
            with closing(sqlite3.connect(path)) as db:
                db.execute("PRAGMA secure_delete=ON")
                with db:
                    db.execute("DELETE FROM records WHERE game = ?", (game,))
                    db.execute("DELETE FROM games WHERE id = ?", (game,))
                db.execute("VACUUM")  # moved cells leave their old bytes behind
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            for file in _with_log(path):
                file.unlink(missing_ok=True)


def _with_log(path: Path) -> list[Path]:
    return [path, Path(f"{path}-wal"), Path(f"{path}-shm")]


def _opened(path: Path) -> sqlite3.Connection:
    db = connected(path, read_only=True)
    db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return db


def _rows(db: sqlite3.Connection, query: str, *values: str) -> Iterator[tuple[object, ...]]:
    """The rows up to where SQLite refuses to read on."""
    with suppress(sqlite3.Error):
        yield from db.execute(query, values)


def _listed(db: sqlite3.Connection) -> Iterator[tuple[str, str, int]]:
    """Every game with when it was begun, and how many records it says it has."""
    found: dict[str, tuple[str, int]] = {}
    for row in _rows(db, "SELECT * FROM games ORDER BY rowid"):
        records = row[2] if len(row) > 2 and isinstance(row[2], int) and 0 < row[2] < 100_000 else 0
        found[str(row[0])] = (str(row[1]) if str(row[1]).isascii() else "", records)
    for (game,) in _rows(db, "SELECT DISTINCT game FROM records"):
        found.setdefault(str(game), ("", 0))
    return ((game, created, records) for game, (created, records) in found.items() if game.isascii())


def _game(db: sqlite3.Connection, game: str, created: str) -> Exported:
    records: list[Record] = []
    before = old_seed(game)
    for number, row in enumerate(_rows(db, "SELECT * FROM records WHERE game = ? ORDER BY number", game), 1):
        _, found, at, text, tick, link = (*row, "", "")[:6]
        before = old_link(before, number, str(at), str(tick), str(text))
        if found != number or (link and str(link).encode() != before):
            break
        try:
            f"{at}{tick}{text}".encode()
            records.append(Record(number, str(at), body(json.loads(str(text))), str(tick)))
        except (ValueError, TypeError, RecursionError):
            break
    return Exported(game, created or (records[0].at if records else ""), tuple(records))
