"""The evidence behind each verdict: pictures, readings and corrections, in a file of its own.

It stands beside the journal and never in its way: bounded in size (the oldest pictures go first, what was
said of them stays), deleted with its game, and begun anew when the file is damaged. Examples are corrected
pictures kept apart from any game, until they are forgotten.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.errors import StorageError
from companion.reveal import corrections
from companion.reveal.assessing import Assessment
from companion.reveal.examples import Example
from companion.reveal.state import RevealState, Shot

LIMIT_BYTES = 200_000_000
MOST_EXAMPLES = 500

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

_OLDEST = (
    "SELECT number, length(jpeg) + coalesce(length(clean), 0) FROM pictures ORDER BY round NOTNULL, number"
)
"""Pictures in the order in which they go: those behind no verdict first, then the oldest."""


@dataclass(frozen=True, slots=True)
class VerdictEvidence:
    """What one verdict of a game rests on; `pictures` are those still kept."""

    round: int
    body: Mapping[str, Any]
    pictures: tuple[str, ...]


def record(state: RevealState, found: Assessment) -> dict[str, Any]:
    """What a verdict rests on as plain data: claim, interval, every die as merged, every correction."""
    spoken = (step for step in state.steps if not isinstance(step, Shot))
    return {
        "claim": asdict(state.claim),
        "expected": state.expected,
        "lo": found.lo,
        "hi": found.hi,
        "early": found.early,
        "problems": [asdict(problem) for problem in found.problems],
        "dice": [asdict(die) for die in found.dice],
        "corrections": [corrections.to_json(step) for step in spoken],
    }


class Evidence:
    """Pictures by id, evidence by game and round, and examples. Any thread may use it."""

    def __init__(
        self, path: Path, *, limit_bytes: int = LIMIT_BYTES, most_examples: int = MOST_EXAMPLES
    ) -> None:
        """Open or make the file at `path`; raises StorageError where that is impossible."""
        self.path, self._limit_bytes, self._most_examples = path, limit_bytes, most_examples
        self._lock = threading.Lock()
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(path)

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            self._db.close()

    def keep(self, game: str, jpeg: bytes, clean: bytes | None = None) -> str:
        """Keep a picture as it is to be shown, and as it was taken (for examples); returns its id."""
        name = secrets.token_hex(8)
        with self._changing() as db:
            row = (name, game, jpeg, clean)
            db.execute("INSERT INTO pictures (id, game, jpeg, clean) VALUES (?, ?, ?, ?)", row)
            self._make_room(db)
        return name

    def picture(self, name: str) -> bytes | None:
        """The picture as it is to be shown, None when it is not kept any more."""
        with self._lock:
            row = self._db.execute("SELECT jpeg FROM pictures WHERE id = ?", (name,)).fetchone()
        return row[0] if row else None

    def keep_verdict(
        self, game: str, round_number: int, body: Mapping[str, Any], pictures: Iterable[str]
    ) -> None:
        """Keep what a verdict rests on, in place of what the round had before; all other pictures of the
        game that belong to no verdict are dropped."""
        with self._changing() as db:
            text = json.dumps(body, ensure_ascii=False)
            db.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", (game, round_number, text))
            db.execute("UPDATE pictures SET round = NULL WHERE game = ? AND round = ?", (game, round_number))
            mine = [(round_number, game, name) for name in pictures]
            db.executemany("UPDATE pictures SET round = ? WHERE game = ? AND id = ?", mine)
            db.execute("DELETE FROM pictures WHERE game = ? AND round IS NULL", (game,))

    def verdicts(self, game: str) -> tuple[VerdictEvidence, ...]:
        """The evidence of every verdict of a game, round by round."""
        rounds = "SELECT round, body FROM verdicts WHERE game = ? ORDER BY round"
        names = "SELECT id FROM pictures WHERE game = ? AND round = ? ORDER BY number"
        with self._lock:
            return tuple(
                VerdictEvidence(
                    number, json.loads(body), tuple(row[0] for row in self._db.execute(names, (game, number)))
                )
                for number, body in self._db.execute(rounds, (game,)).fetchall()
            )

    def delete(self, game: str) -> None:
        """Forget everything of a game; its examples stay."""
        with self._changing() as db:
            db.execute("DELETE FROM pictures WHERE game = ?", (game,))
            db.execute("DELETE FROM verdicts WHERE game = ?", (game,))

    def keep_examples(self, examples: Iterable[Example]) -> int:
        """Keep corrected pictures whose clean copy is here, the newest ones; returns how many came in."""
        added = 0
        with self._changing() as db:
            for example in examples:
                added += db.execute(
                    "INSERT OR REPLACE INTO examples (picture, body, jpeg)"
                    " SELECT id, ?, clean FROM pictures WHERE id = ? AND clean IS NOT NULL",
                    (json.dumps(example.to_json()), example.picture),
                ).rowcount
            newest = "SELECT number FROM examples ORDER BY number DESC LIMIT ?"
            db.execute(f"DELETE FROM examples WHERE number NOT IN ({newest})", (self._most_examples,))
        return added

    def examples(self) -> tuple[tuple[Example, bytes], ...]:
        """All examples with their pictures, the oldest first."""
        with self._lock:
            rows = self._db.execute("SELECT body, jpeg FROM examples ORDER BY number").fetchall()
        return tuple((Example.from_json(json.loads(body)), jpeg) for body, jpeg in rows)

    def forget_examples(self) -> None:
        """Delete all examples."""
        with self._changing() as db:
            db.execute("DELETE FROM examples")

    def size_bytes(self) -> int:
        """How much all pictures of games take."""
        with self._lock:
            return sum(size for _, size in self._db.execute(_OLDEST))

    def _make_room(self, db: sqlite3.Connection) -> None:
        """Drop pictures until the rest fits; the newest stays whatever its size."""
        rows = db.execute(_OLDEST).fetchall()
        newest, total = max(number for number, _ in rows), sum(size for _, size in rows)
        for number, size in rows:
            if total <= self._limit_bytes:
                return
            if number != newest:
                db.execute("DELETE FROM pictures WHERE number = ?", (number,))
                total -= size

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, one at a time; raises StorageError."""
        with self._lock, _explained(self.path), self._db:
            yield self._db


def _opened(path: Path) -> sqlite3.Connection:
    """The database, a new one when the file is damaged: evidence must not keep a game from going on."""
    try:
        return _prepared(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
    path.replace(path.with_suffix(".damaged"))
    for beside in (f"{path}-wal", f"{path}-shm"):
        Path(beside).unlink(missing_ok=True)
    return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute("PRAGMA auto_vacuum = FULL")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] == 0:
            db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """SQLite's and the system's complaints as ours."""
    try:
        yield
    except sqlite3.Error as error:
        reason = "disk_full" if "full" in str(error) else "evidence_unwritable"
        raise StorageError(reason, path=path, cause=str(error)) from error
    except OSError as error:
        raise StorageError("evidence_unwritable", path=path, cause=error.strerror or str(error)) from error
