"""Taking up a game from the journal, where this version can read it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import JournalDamaged
from companion.json_types import Body
from companion.storage.game_list import Loss, notes
from companion.storage.journal import Journal
from companion.table.history import ledger_of, replay
from companion.table.ledger import Ledger
from companion.table.state import TableState, step
from companion.table.table_events import TableEvent

_log = logging.getLogger(__name__)

_WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game from its `records`: its history, with the table after each event, and its ledger.

    `undone`: the last record took something back.
    """

    history: list[TableEvent]
    states: list[TableState]
    records: int
    undone: bool
    ledger: Ledger


def resume(journal: Journal, game_id: str, empty: TableState) -> Resumed | None:
    """The game as it stands. One that this version cannot read to its end is put aside, unwritten, and comes
    back with a version that can: None. Raises StorageError."""
    try:
        found = _replayed([record.body for record in journal.records(game_id)], empty)
    except Exception:  # whatever a record of another version brings about
        _log.exception("game %s cannot be read to its end", game_id)
        if game_id == journal.current():
            loss = Loss(unread=True, version=_writer(journal, game_id))
            journal.put_notes({"current": None, _WAITING: game_id}, loss)
        return None
    if game_id == waiting(journal):
        left = notes(one for one in journal.losses() if not one.unread)
        journal.put_notes({"current": game_id, _WAITING: None, "losses": left})
    return found


def waiting(journal: Journal) -> str | None:
    """The game that was put aside, None where there is none or another one is on the table."""
    found = str(journal.note(_WAITING))
    return found if journal.current() is None and any(info.id == found for info in journal.games()) else None


def _writer(journal: Journal, game_id: str) -> str:
    try:
        return journal.version_of(game_id)
    except JournalDamaged as error:
        return str(error.values.get("version", ""))


def _replayed(bodies: Sequence[Body], empty: TableState) -> Resumed:
    history, undone = replay(bodies)
    states = [empty]
    for event in history:
        states.append(step(states[-1], event))
    return Resumed(history, states, len(bodies), undone, ledger_of(bodies))
