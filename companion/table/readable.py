"""How far a game can be read, whatever its records are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.errors import BadCommand
from companion.json_types import Body
from companion.table import ledger as ledgers
from companion.table.history import follow, standing
from companion.table.state import TableState, step
from companion.table.table_events import TableEvent


def check(bodies: Sequence[Body]) -> None:
    """Whether a game that comes from elsewhere can be read; raises BadCommand with the line of its export."""
    bad = first_unreadable(bodies, TableState())
    if bad is not None or not bodies:
        raise BadCommand("export_unreadable", line=(bad or 0) + 1)


def first_unreadable(bodies: Iterable[Body], empty: TableState) -> int | None:
    """The number of the first record that cannot be read or does not follow from those before it."""
    history: list[TableEvent] = []
    states = [empty]
    for number, body in standing(bodies):
        try:
            if ledgers.from_json(body) is None:
                follow(history, body)
            del states[len(history) + 1 :]
            states += [step(states[-1], event) for event in history[len(states) - 1 :]]
        except Exception:  # whatever a damaged or crafted record brings about
            return number
    return None
