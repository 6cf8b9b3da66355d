"""Taking up a game from the journal, to the last record that can be read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from companion.json_types import Body
from companion.table.history import ledger_of, passed_over, replay
from companion.table.journal import Journal
from companion.table.ledger import Ledger
from companion.table.losses import Loss, add_loss
from companion.table.readable import first_unreadable
from companion.table.state import TableState, step
from companion.table.table_events import TableEvent

_log = logging.getLogger(__name__)


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


def resume(journal: Journal, game_id: str, empty: TableState) -> Resumed:
    """The game as it stands. Where a record cannot be read the game goes on before it; the rest is passed
    over for good, and noted as a loss. Raises StorageError."""
    bodies = [record.body for record in journal.records(game_id)]
    try:
        return _replayed(bodies, empty)
    except Exception:  # whatever a record brings about that this version cannot read
        _log.exception("game %s cannot be read to its end", game_id)
    return _replayed([*bodies, _pass_over(journal, game_id, bodies, empty)], empty)


def _replayed(bodies: Sequence[Body], empty: TableState) -> Resumed:
    history, undone = replay(bodies)
    states = [empty]
    for event in history:
        states.append(step(states[-1], event))
    return Resumed(history, states, len(bodies), undone, ledger_of(bodies))


def _pass_over(journal: Journal, game_id: str, bodies: Sequence[Body], empty: TableState) -> Body:
    """Write the record that leaves out those that cannot be read; a game that has no others is put away."""
    bad = first_unreadable(bodies, empty) or len(bodies)
    missing = len(bodies) + 1 - bad
    add_loss(journal, Loss(missing, 1, game=game_id, missing=missing, unread=True))
    body = passed_over(bad)
    journal.append(game_id, len(bodies) + 1, body)
    if bad == 1:
        journal.put_away()
    return body
