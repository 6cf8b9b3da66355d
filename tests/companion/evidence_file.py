"""What lies in a file of evidence: nothing of the product reads the verdicts in it, a person may."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any, NamedTuple

from companion.reveal.evidence import Evidence


class VerdictEvidence(NamedTuple):
    """The evidence of one verdict of a game; `pictures` are those still kept."""

    round: int
    body: Mapping[str, Any]
    pictures: tuple[str, ...]


def verdicts(evidence: Evidence, game: str) -> tuple[VerdictEvidence, ...]:
    """The evidence of every verdict of a game, round by round."""
    rounds = "SELECT round, body FROM verdicts WHERE game = ? ORDER BY round"
    names = "SELECT id FROM pictures WHERE game = ? AND round = ? ORDER BY number"
    if not evidence._db.path.exists():
        return ()
    with closing(sqlite3.connect(evidence._db.path)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'verdicts'").fetchone():
            return ()  # the file is just being made
        return tuple(
            VerdictEvidence(
                number, json.loads(body), tuple(row[0] for row in db.execute(names, (game, number)))
            )
            for number, body in db.execute(rounds, (game,)).fetchall()
        )


def size_bytes(evidence: Evidence) -> int:
    """How much all pictures of games take."""
    with closing(sqlite3.connect(evidence._db.path)) as db:
        lengths = db.execute("SELECT sum(length(jpeg) + coalesce(length(clean), 0)) FROM pictures")
        return int(lengths.fetchone()[0] or 0)
