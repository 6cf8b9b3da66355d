"""Losses by a failing card, kept in the journal until somebody has read of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from companion.table.journal import Journal

NOTE = "losses"
MAX_LOSSES = 9
"""So many are remembered; older ones are in the log."""

PART, GAME_PART = "journal_loss", "game_cut"
"""The parts under which the page reports losses."""

UNWRITABLE = ("journal_gone", "journal_full", "journal_unwritable", "journal_damaged", "folder_forbidden")
"""Reasons why a command could not be written. Every page and the lamps show them, also in a reveal."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss by a failing card: `records` of `games` are missing, none where all could be restored.

    `game` is the one on the table where it is cut, with `missing` records of it lost. `file` is where the
    damaged journal was set aside, "" where it is still in use: then its end is missing. `emptied`: the folder
    has had games, and nobody knows how many. `unread`: they are there, but this version cannot read them.
    `gone`: the game that was on the table is not there any more.
    """

    records: int = 0
    games: int = 0
    file: str = ""
    game: str = ""
    missing: int = 0
    emptied: bool = False
    unread: bool = False
    gone: bool = False


FaultValues = tuple[str, tuple[tuple[str, str], ...]]
"""Reason and values of a fault."""


def losses(journal: Journal) -> tuple[Loss, ...]:
    """The losses that nobody has read of yet."""
    try:
        return tuple(Loss(**one) for one in json.loads(journal.note(NOTE) or "[]"))
    except (ValueError, TypeError):
        return ()


def add_loss(journal: Journal, loss: Loss) -> None:
    """Write down one more; raises StorageError."""
    journal.put_note(NOTE, json.dumps([asdict(one) for one in (*losses(journal), loss)][-MAX_LOSSES:]))


def take_notice(journal: Journal) -> None:
    """Somebody has read what was lost; raises StorageError."""
    if journal.note(NOTE) is not None:
        journal.put_note(NOTE, None)


def faults_of(found: tuple[Loss, ...], current: str | None) -> dict[str, FaultValues]:
    """The losses as faults by part: of the game on the table if it is cut or gone, then of all together."""
    if not found:
        return {}
    records, games = sum(one.records for one in found), sum(one.games for one in found)
    file = next((one.file for one in reversed(found) if one.file), "")
    values = (("records", str(records)), ("games", str(games)), ("file", file))
    missing = sum(one.missing for one in found if one.game and one.game == current)
    faults: dict[str, FaultValues] = {}
    if missing:
        faults[GAME_PART] = "game_cut", (("missing", str(missing)),)
    elif current is None and any(one.gone for one in found):
        faults[GAME_PART] = "game_gone", ()
    return {**faults, PART: (_reason(found, records, games, file), values)}


def _reason(found: tuple[Loss, ...], records: int, games: int, file: str) -> str:
    if any(one.emptied for one in found):
        return "journal_emptied"
    if all(one.unread for one in found):
        return "journal_unread"
    if not records and not games:
        return "journal_mended"
    return "journal_lost" if file else "journal_short"
