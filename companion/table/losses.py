"""Losses by a failing card, kept in the journal until somebody has read of them, as faults of the page."""

from __future__ import annotations

from companion.storage.game_list import Loss

__all__ = ["GAME_PART", "PART", "UNWRITABLE", "FaultValues", "Loss", "faults_of", "is_cut"]

PART, GAME_PART = "journal_loss", "game_cut"
"""The parts under which the page reports losses."""

UNWRITABLE = ("journal_gone", "journal_full", "journal_unwritable", "folder_forbidden")
"""Reasons why a command could not be written. Every page and the lamps show them, also in a reveal."""

FaultValues = tuple[str, tuple[tuple[str, str], ...]]
"""Reason and values of a fault."""


def is_cut(found: tuple[Loss, ...], game: str | None) -> bool:
    """Whether the end of this game is lost: other dice lie there than those called."""
    return any(one.missing and one.game == game for one in found)


def faults_of(found: tuple[Loss, ...], current: str | None) -> dict[str, FaultValues]:
    """The losses as faults by part: of the game on the table if it is cut or gone, then of all together."""
    if not found:
        return {}
    if all(one.cause for one in found):
        files = "; ".join(f"{one.file} ({one.cause})" for one in found)
        return {PART: ("set_aside", (("files", files),))}
    found = tuple(one for one in found if not one.cause)
    records, games = sum(one.records for one in found), sum(one.games for one in found)
    file = next((one.file for one in reversed(found) if one.file), "")
    version = next((one.version or "?" for one in found if one.unread), "")
    values = (("records", str(records)), ("games", str(games)), ("file", file), ("version", version))
    missing = sum(one.missing for one in found if one.game and one.game == current)
    faults: dict[str, FaultValues] = {}
    if is_cut(found, current):
        faults[GAME_PART] = "game_cut", (("missing", str(missing)),)
    elif current is None and any(one.gone for one in found):
        faults[GAME_PART] = "game_gone", ()
    elif version and not all(one.unread for one in found):
        faults[GAME_PART] = "journal_unread", values
    return {**faults, PART: (_reason(found, records, games, file), values)}


def _reason(found: tuple[Loss, ...], records: int, games: int, file: str) -> str:
    if any(one.emptied for one in found):
        return "journal_emptied"
    if all(one.unread for one in found):
        return "journal_unread"
    if any(one.vanished for one in found):
        return "journal_vanished"
    if not records and not games:
        return "journal_mended"
    return "journal_lost" if file else "journal_short"
