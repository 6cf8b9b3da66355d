"""A fresh journal from everything that damaged files and copies still give, proved by the checksums."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.storage import schema
from companion.storage.chain import Row, chained, link, seed
from companion.storage.repair import is_one_bit_off, repaired
from companion.storage.salvage import Found, Game, Source


@dataclass(frozen=True, slots=True)
class Cut:
    """A game that could not be brought back whole: `kept` of its records, `of` that there should be."""

    game: str
    created: str
    kept: int
    of: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of rebuilding: how many records of each game are in the fresh file, and which games are
    cut."""

    kept: Mapping[str, int]
    cut: tuple[Cut, ...]

    @property
    def records(self) -> int:
        """How many there are of all games."""
        return sum(self.kept.values())


def woven(game: str, candidates: Iterable[Row]) -> tuple[Row, ...]:
    """The longest run of records from the first on of which each fits the checksum before it."""
    by_number: dict[int, list[Row]] = {}
    for row in candidates:
        by_number.setdefault(row.number, []).append(row)
    found: list[Row] = []
    before = seed(game)
    while (following := _fitting(before, by_number.get(len(found) + 1, ()))) is not None:
        found.append(following)
        before = following.chain
    return tuple(found) or _unsealed(game, by_number)


def _fitting(before: str, candidates: Sequence[Row]) -> Row | None:
    """The record that follows the one with the checksum `before`, if need be with one bit made right."""
    for row in candidates:
        if row.chain == link(before, row):
            return row
    made_right = (repaired(before, row) for row in dict.fromkeys(candidates) if row.chain)
    return next(filter(None, made_right), None)


def _unsealed(game: str, by_number: dict[int, list[Row]]) -> tuple[Row, ...]:
    """Records from before there were checksums: as far as they are JSON and none is missing."""
    found: list[Row] = []
    while plain := [row for row in by_number.get(len(found) + 1, ()) if not row.chain and _is_json(row)]:
        found.append(plain[0])
    return chained(game, found)


def _is_json(row: Row) -> bool:
    try:
        (row.at + row.body).encode()
        return isinstance(json.loads(row.body), dict)
    except (ValueError, RecursionError):
        return False


def rebuild(fresh: Path, sources: Sequence[Source], current: str | None, boots: int) -> Rebuilt:
    """Write a journal to the new file `fresh`. Raises sqlite3.Error or OSError where that is impossible."""
    listed = [source.found() for source in sources]
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")  # synced as a whole below
        schema.make(db)
        db.execute("BEGIN")
        cut, kept = [], {}
        for game in _union(listed):
            rows = woven(game.id, (row for source in sources for row in source.rows(game.id)))
            expected = _expected(game, sources, rows)
            if rows:
                _write(db, game, rows)
                kept[game.id] = len(rows)
            if len(rows) < expected:
                cut.append(Cut(game.id, game.created, len(rows), expected))
        _write_notes(db, current, max([boots, *(found.boots for found in listed)]))
        db.execute("COMMIT")
    _sync(fresh)
    return Rebuilt(kept, tuple(cut))


def _union(listed: Sequence[Found]) -> list[Game]:
    """Every game of any source: those of the first in its order, then what the others have besides."""
    found: dict[str, Game] = {}
    for source in listed:
        for game in source.games.values():
            known = found.get(game.id)
            if known is None or (not known.created and game.created) or known.records < game.records:
                found[game.id] = Game(
                    game.id, (known and known.created) or game.created, game.records, game.head
                )
    listed_ids = [game.id for game in found.values() if game.created]
    return [game for game in found.values() if game.created or not _is_stray(game.id, listed_ids)]


def _is_stray(game: str, listed: Sequence[str]) -> bool:
    """Whether an id that only records have is that of a listed game with a wrong bit."""
    return any(is_one_bit_off(game, one) for one in listed)


def _expected(game: Game, sources: Sequence[Source], rows: Sequence[Row]) -> int:
    """How many records there should be: by the game's own row, or else the last that was seen at all."""
    if rows and game.head == rows[-1].chain:
        return len(rows)
    seen = max((row.number for source in sources for row in source.rows(game.id)), default=0)
    plausible = [count for count in (game.records, seen) if 0 <= count < 100_000]
    return max([len(rows), *plausible])


def _write(db: sqlite3.Connection, game: Game, rows: Sequence[Row]) -> None:
    created = game.created or rows[0].at
    sealed = (game.id, created, len(rows), rows[-1].chain, schema.game_seal(game.id, created))
    db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", sealed)
    found = ((game.id, row.number, row.at, row.body, row.tick, row.chain) for row in rows)
    db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", found)


def _write_notes(db: sqlite3.Connection, current: str | None, boots: int) -> None:
    if current:
        schema.put_note(db, "current", current)
    schema.put_note(db, "boots", str(boots))
    schema.put_ledger(db)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
