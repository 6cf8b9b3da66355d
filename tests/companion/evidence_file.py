"""What lies in a file of evidence."""

import sqlite3
from contextlib import closing

from companion.reveal.evidence import Evidence


def pictures_by_round(evidence: Evidence, game: str) -> dict[int, list[str]]:
    """The pictures still kept of each verdict of a game."""
    found: dict[int, list[str]] = {}
    if evidence._db.path.exists():
        with closing(sqlite3.connect(evidence._db.path)) as db:
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'pictures'").fetchone():
                rows = "SELECT round, id FROM pictures WHERE game = ? AND round NOTNULL ORDER BY number"
                for number, name in db.execute(rows, (game,)):
                    found.setdefault(number, []).append(name)
    return found


def size_bytes(evidence: Evidence) -> int:
    """How much all pictures of games take."""
    with closing(sqlite3.connect(evidence._db.path)) as db:
        lengths = db.execute("SELECT sum(length(jpeg) + coalesce(length(clean), 0)) FROM pictures")
        return int(lengths.fetchone()[0] or 0)
