"""The pictures behind each verdict, in a file of its own. What was read in them is in the journal.

The file is bounded in size: the oldest pictures are deleted first. It is deleted with its game, and replaced
by an empty file when it is damaged. Examples are corrected pictures, kept until they or their game are
deleted: each labels every die of one picture, for one with unlabelled dice would teach a net wrongly.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from msgspec import MsgspecError, Struct, to_builtins
from msgspec.json import decode, encode

from companion.errors import StorageError
from companion.reveal.corrections import Add
from companion.reveal.merging import PlaceView, Track
from companion.reveal.owners import plain
from companion.reveal.revealed import RevealedDie, revealed
from companion.reveal.state import RevealState
from companion.storage.database import SideDatabase
from companion.storage.side_files import SideFile


class Label(Struct, frozen=True, omit_defaults=True):
    """One die of an example, as `labels.json` has it."""

    x: float
    y: float
    size: float
    face: int
    colour: str
    ignore: bool = False


class Example(Struct, frozen=True):
    """A picture with all its dice."""

    picture: str
    dice: tuple[Label, ...]


def examples(state: RevealState) -> tuple[Example, ...]:
    """An example for the newest picture of every place in which a person changed something.

    There is none where a person added a die without saying where it lies: a picture may show it unlabelled.
    """
    if any(isinstance(step, Add) and None in (step.place, step.x, step.y) for step in state.steps):
        return ()
    dice = {die.id: die for die in revealed(state)}
    corrected = (view for view in state.places if view.picture and any(map(_corrected, view.tracks)))
    return tuple(_example(view, dice) for view in corrected)


def _corrected(track: Track) -> bool:
    """Whether a person said something else than the reader."""
    return track.struck or (track.answer is not None and track.answer != track.face)


def _example(view: PlaceView, dice: Mapping[str, RevealedDie]) -> Example:
    shown = [dice[track.id] for track in view.tracks if not track.struck]
    return Example(view.picture, tuple(_label(die) for die in shown if _inside(die)))


def _inside(die: RevealedDie) -> bool:
    return all(0 <= at <= 1 for at in _spot(die))


def _spot(die: RevealedDie) -> tuple[float, float]:
    return round(die.x or 0.0, 5), round(die.y or 0.0, 5)


def _entry(label: Label) -> dict[str, object]:
    """A die in `labels.json`."""
    return {key: value for key, value in to_builtins(label).items() if value != ""}


def _label(die: RevealedDie) -> Label:
    return Label(*_spot(die), round(die.size, 5), die.face, plain(die.colour), not die.certain)


def export_examples(store: Evidence, directory: Path) -> int:
    """Write every example and `labels.json` into `directory`; returns how many there were.

    Raises StorageError when the folder cannot be written.
    """
    labels = {}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for example, jpeg in store.examples():
            name = f"{example.picture}.jpg"
            (directory / name).write_bytes(jpeg)
            labels[name] = {"dice": [_entry(label) for label in example.dice]}
        (directory / "labels.json").write_text(json.dumps(labels, indent=1), encoding="utf-8")
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError("folder_forbidden", path=directory) from error
    return len(labels)


Answer = TypeVar("Answer")

FILE = "evidence.sqlite"
"""The file of pictures in a data folder."""

LIMIT_BYTES = 200_000_000
MAX_EXAMPLES = 500

_DROPPED_AT_ONCE = 10

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
"""`verdicts` has what older versions wrote, until its game is deleted."""

_OF_GAME = (
    "CASE WHEN json_valid(body) THEN json_extract(body, '$.game') = ? END"
    " OR picture IN (SELECT id FROM pictures WHERE game = ?)"
)
"""Examples of a game; those of older versions name none and are found by their picture while it is kept."""

_BEYOND = """
DELETE FROM pictures WHERE number IN (
    SELECT number FROM (
        SELECT number, row_number() OVER kept AS place,
            sum(length(jpeg) + coalesce(length(clean), 0)) OVER kept AS bytes
        FROM pictures
        WINDOW kept AS (
            ORDER BY number = (SELECT max(number) FROM pictures) DESC, round NOTNULL DESC, number DESC
        )
    ) WHERE place > 1 AND bytes > ?
)"""
"""Drops what has no room: pictures behind no verdict go first, then the oldest; the newest stays."""


def picture_id() -> str:
    """A new name for a picture."""
    return secrets.token_hex(8)


class Evidence:
    """Pictures by id, and examples. Any thread may use it."""

    def __init__(
        self, file: SideFile, *, limit_bytes: int = LIMIT_BYTES, most_examples: int = MAX_EXAMPLES
    ) -> None:
        """Take up the file; none is made before something is kept."""
        self._limit_bytes, self._most_examples = limit_bytes, most_examples
        pragmas = "auto_vacuum = FULL", "journal_mode = WAL", "synchronous = NORMAL"
        self._db = SideDatabase(file, _TABLES, *pragmas)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def keep(self, game: str, jpeg: bytes, clean: bytes | None = None, name: str | None = None) -> str:
        """Keep a picture as it is to be shown, and as it was taken (for examples); returns its id."""
        name = name or picture_id()

        def write(db: sqlite3.Connection) -> None:
            row = (name, game, jpeg, clean)
            db.execute("INSERT INTO pictures (id, game, jpeg, clean) VALUES (?, ?, ?, ?)", row)
            db.execute(_BEYOND, (self._limit_bytes,))

        self._change(write)
        return name

    def picture(self, name: str) -> bytes | None:
        """The picture as it is to be shown, None when it is not kept any more."""
        query = "SELECT jpeg FROM pictures WHERE id = ?"
        row = self._db.read(lambda db: db.execute(query, (name,)).fetchone(), None)
        return row[0] if row else None

    def keep_verdict(self, game: str, round_number: int, pictures: Iterable[str]) -> None:
        """Keep the pictures that a verdict rests on, in place of those that the round had before; all others
        of the game that belong to no verdict are dropped."""
        mine = [(round_number, game, name) for name in pictures]

        def write(db: sqlite3.Connection) -> None:
            db.execute("UPDATE pictures SET round = NULL WHERE game = ? AND round = ?", (game, round_number))
            db.executemany("UPDATE pictures SET round = ? WHERE game = ? AND id = ?", mine)
            db.execute("DELETE FROM pictures WHERE game = ? AND round IS NULL", (game,))

        self._change(write)

    def delete(self, game: str) -> None:
        """Forget everything of a game, its examples too, and what SQLite would leave of it in the file."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("PRAGMA secure_delete = ON")
            db.execute(f"DELETE FROM examples WHERE {_OF_GAME}", (game, game))
            db.execute("DELETE FROM pictures WHERE game = ?", (game,))
            db.execute("DELETE FROM verdicts WHERE game = ?", (game,))

        self._change(write)
        self._settle()

    def spare_bytes(self, but: str | None) -> int:
        """Bytes of the pictures of all games but one."""
        query = "SELECT coalesce(sum(length(jpeg) + coalesce(length(clean), 0)), 0) FROM pictures"
        return int(
            self._db.read(lambda db: db.execute(f"{query} WHERE game != ?", (but or "",)).fetchone()[0], 0)
        )

    def drop_pictures(self, but: str | None) -> None:
        """Drop the pictures of all games but one, few at a time: a full disk takes no large change. Raises
        StorageError."""
        some = f"SELECT number FROM pictures WHERE game != ? LIMIT {_DROPPED_AT_ONCE}"
        drop = f"DELETE FROM pictures WHERE number IN ({some})"
        while self.spare_bytes(but) and self._change(lambda db: db.execute(drop, (but or "",)).rowcount):
            self._settle()

    def keep_examples(self, examples: Iterable[Example]) -> int:
        """Keep corrected pictures whose clean copy is here, the newest ones; returns how many came in."""
        kept = tuple(examples)

        def write(db: sqlite3.Connection) -> int:
            added = 0
            for example in kept:
                added += db.execute(
                    "INSERT OR REPLACE INTO examples (picture, body, jpeg)"
                    " SELECT id, json_set(?, '$.game', game), clean FROM pictures"
                    " WHERE id = ? AND clean IS NOT NULL",
                    (encode(example).decode(), example.picture),
                ).rowcount
            newest = "SELECT number FROM examples ORDER BY number DESC LIMIT ?"
            db.execute(f"DELETE FROM examples WHERE number NOT IN ({newest})", (self._most_examples,))
            return added

        return self._change(write)

    def examples(self) -> tuple[tuple[Example, bytes], ...]:
        """All examples with their pictures, the oldest first."""
        query = "SELECT body, jpeg FROM examples ORDER BY number"
        rows: list[tuple[str, bytes]] = self._db.read(lambda db: db.execute(query).fetchall(), [])
        return tuple((found, jpeg) for body, jpeg in rows if (found := _read(body)) is not None)

    def forget_examples(self) -> None:
        """Delete all examples."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("PRAGMA secure_delete = ON")
            db.execute("DELETE FROM examples")

        self._change(write)
        self._settle()

    def _settle(self) -> None:
        """Leave nothing deleted in SQLite's log. Pictures that only make room are not overwritten: the disk
        would be written twice for nothing."""
        self._db.read(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone(), None)
        self._db.read(lambda db: db.execute("PRAGMA secure_delete = OFF").fetchone(), None)

    def _change(self, write: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Write all or nothing; raises StorageError."""
        try:
            return self._db.change(write)
        except (sqlite3.Error, OSError) as error:
            cause = getattr(error, "strerror", None) or str(error)
            reason = "disk_full" if "full" in cause else "evidence_unwritable"
            raise StorageError(reason, path=self._db.path, cause=cause) from error


def _read(text: str) -> Example | None:
    with suppress(MsgspecError, ValueError):
        return decode(text, type=Example)
    return None
