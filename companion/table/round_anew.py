"""A step taken back that hides dice which somebody may have seen: the round is rolled again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from companion.table.casting import Roll
from companion.table.dealing import cast_for, dealt, secrets_of
from companion.table.kept_game import KeptGame, states_after
from companion.table.ledger import Entry, Kind, Note, noted
from companion.table.recalling import thrown_anew
from companion.table.state import TableState
from companion.table.table_events import TableEvent


@dataclass(frozen=True, slots=True)
class RoundAnew:
    """What replaces a game's events from number `start` on: the table after each of `events` in `states`."""

    start: int
    events: tuple[TableEvent, ...]
    states: list[TableState]
    entries: tuple[Entry, ...]


def rolled_again(kept: KeptGame, keep: int, undone: Note, roll: Roll) -> RoundAnew:
    """The game with its first `keep` events, and the dice of its last round rolled again; the ledger notes
    `undone`. Changes nothing."""
    state = kept.state_after(keep)
    assert state.game is not None
    cast, seal = cast_for(kept.ledger, secrets_of(state), roll)
    entries = (*seal, structs.replace(undone, kind=Kind.TAKEN_BACK, round=state.game.round.number))
    cast = replace(cast, ledger=noted(kept.ledger, entries))
    start, events = thrown_anew(kept.history[:keep], cast.round(state.game, state.cups))
    states = states_after(events, kept.state_after(start))
    return RoundAnew(start, events, states, (*entries, *dealt(cast.ledger, {}, events, states)))
