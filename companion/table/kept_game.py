"""The game on the table as a value: the fold of its records, of those too that are still to be written.

A change makes another value, and `write` has the journal keep what is fresh of it. Where that fails, the one
before still stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

from companion.errors import BadCommand
from companion.json_types import Body, whole
from companion.rules.events import Called
from companion.rules.game import refuse
from companion.rules.records import written
from companion.storage.journal import Journal
from companion.table.commands import Author
from companion.table.ledger import EMPTY, Entry, Ledger, Renamed, note, renamed
from companion.table.state import TableState, step
from companion.table.table_events import TableEvent, TableRecord, Undone, from_json

PASSED_OVER = "passed_over"
"""A record of older versions: those before it from number `from` on could not be read, and are left out."""

_EMPTY = TableState()
T = TypeVar("T", bound=TableRecord)


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game, or none: its events, and the table before the first and after each of them.

    `ledger` is what no undo takes back. There are so many `records`, the `fresh` ones among them, which are
    still to be written. `undone`: the last of them took events back.
    """

    states: tuple[TableState, ...] = (_EMPTY,)
    id: str | None = None
    history: tuple[TableEvent, ...] = ()
    ledger: Ledger = EMPTY
    records: int = 0
    fresh: tuple[TableRecord, ...] = ()
    undone: bool = False

    @property
    def state(self) -> TableState:
        """The table after all that happened."""
        return self.states[-1]

    @property
    def fresh_events(self) -> tuple[tuple[TableEvent, TableState], ...]:
        """The events that are fresh, each with the table after it."""
        first = len(self.history) - sum(isinstance(one, TableEvent) for one in self.fresh)
        return tuple(zip(self.history[first:], self.states[first + 1 :], strict=True))

    def following(self, *records: TableRecord) -> KeptGame:
        """The game after these records, too; raises BadCommand for one that does not follow."""
        return self._grown(records, _following)

    def played(self, *events: TableEvent) -> KeptGame:
        """The game after these events, too; raises BadCommand for a call that the rules refuse."""
        return self._grown(events, _played)

    def _grown(self, records: tuple[T, ...], follow: Callable[[KeptGame, T], KeptGame]) -> KeptGame:
        if not records:
            return self
        count, fresh = self.records + len(records), (*self.fresh, *records)
        return replace(reduce(follow, records, self), records=count, fresh=fresh)


def _played(game: KeptGame, event: TableEvent) -> KeptGame:
    if isinstance(event, Called) and game.state.game:
        refuse(event.call, game.state.game)
    return _following(game, event)


def _following(game: KeptGame, record: TableRecord) -> KeptGame:
    match record:
        case Undone(keep):
            if not 0 <= keep <= len(game.history):
                raise BadCommand("event_unreadable", cause=f"keep {keep} of {len(game.history)}")
            return replace(game, history=game.history[:keep], states=game.states[: keep + 1], undone=True)
        case Renamed(old, new):
            ledger, events = note(game.ledger, record), renamed(game.history, old, new)
            again = KeptGame(game.states[:1]).following(*events)
            return replace(game, history=again.history, states=again.states, ledger=ledger)
    if isinstance(record, Entry):
        return replace(game, ledger=note(game.ledger, record))
    states = (*game.states, step(game.state, record))
    return replace(game, history=(*game.history, record), states=states, undone=False)


def replay(bodies: Sequence[Body], empty: TableState = _EMPTY, game_id: str | None = None) -> KeptGame:
    """The game that a journal's records make; `empty` is the table before the first. Raises BadCommand."""
    records = (from_json(body) for _, body in standing(bodies))
    return replace(KeptGame((empty,), game_id).following(*records), records=len(bodies), fresh=())


def standing(bodies: Iterable[Body]) -> list[tuple[int, Body]]:
    """The records with their numbers, without those that a later one passes over."""
    kept: list[tuple[int, Body]] = []
    for number, body in enumerate(bodies, 1):
        if body.get("event") == PASSED_OVER:
            kept = [entry for entry in kept if entry[0] < whole(body["from"])]
        else:
            kept.append((number, body))
    return kept


def write(game: KeptGame, journal: Journal, author: Author) -> KeptGame:
    """Have the journal keep what `author` made fresh, of a new game too; raises StorageError, and BadCommand
    where there is no game."""
    if game.state.game is None:
        raise BadCommand("no_game")
    signed = {"author": author.to_json()}
    bodies = [written(one) | ({} if isinstance(one, Entry) else signed) for one in game.fresh]
    game_id = game.id
    if game_id is None:
        game_id = journal.create(*bodies)
    else:
        journal.append(game_id, game.records - len(game.fresh) + 1, *bodies)
    return replace(game, id=game_id, fresh=())
