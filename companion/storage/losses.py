"""What a card has lost of the journal."""

from __future__ import annotations

from dataclasses import dataclass

MAX_LOSSES = 9
"""So many are remembered; older ones are in the log."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss by a failing card: `records` of `games` are missing, none where the other file had all.

    `game` is the one on the table where it is cut, with `missing` records of it lost. `file` is where the
    damaged one is kept, "" where nothing was left of it. `emptied`: the folder has had games, and nobody
    knows how many. `gone`: the game that was on the table is not there any more. `vanished`: the files were
    deleted while the box was running. `unread`: the game on the table is whole, but of a `version` that
    this one cannot read.
    """

    records: int = 0
    games: int = 0
    file: str = ""
    game: str = ""
    missing: int = 0
    emptied: bool = False
    unread: bool = False
    gone: bool = False
    vanished: bool = False
    version: str = ""
