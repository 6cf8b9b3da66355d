"""Ledger entries for dice rolled in phones: how they fell, and who holds which seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.rules.events import NextRound, RolledOff, Started
from companion.rules.game import Phase
from companion.table.casting import Cast, Roll, sealed, thrown
from companion.table.commands import NewGame
from companion.table.ledger import Entry, Ledger, Note, Sat, noted, seat_moved, seats_held
from companion.table.state import TableState
from companion.table.table_events import Rolled, TableEvent


def cast_for(ledger: Ledger, secrets: Sequence[object], roll: Roll) -> tuple[Cast, tuple[Entry, ...]]:
    """Where the next dice come from, and the seal to be kept where a game has none and `secrets`: cups in
    phones, or bots."""
    seal = (sealed(roll),) if secrets and not ledger.seal else ()
    return Cast(roll, noted(ledger, seal)), seal


def secrets_of(game: TableState | NewGame) -> tuple[object, ...]:
    """What of a game needs secrets: dice in phones, and what bots decide."""
    return (*game.cups, *game.bots)


def dealt(
    ledger: Ledger, sitting: Mapping[str, str], events: Sequence[TableEvent], states: Sequence[TableState]
) -> tuple[Entry, ...]:
    """The dice that fell in phones with these events, and the seats of a round that begins with them.

    `states` are the table after each event. `sitting` are phones by player, as far as they have come back
    since the start of the box.
    """
    rolls = ((one, after) for one, after in zip(events, states, strict=True) if isinstance(one, Rolled))
    fallen = thrown(ledger, rolls)
    return (*fallen, *_held(ledger, sitting, states[-1])) if _begins(events) else fallen


def reseated(
    ledger: Ledger, state: TableState, player: str, phone: str, freed: Note | None
) -> tuple[Entry, ...]:
    """What is kept of a change in the seat of `player`, where `phone` sits from now on, "" for none.

    `freed`: who freed it, for the note to all phones.
    """
    game = state.game
    if game is None or game.phase is Phase.OVER or player not in [p.name for p in game.players]:
        return ()
    moved = seat_moved(ledger, game, player, ledger.mark(phone), state.cups) if ledger.seal else ()
    return (*moved, replace(freed, round=game.round.number, player=player)) if freed else moved


def _held(ledger: Ledger, sitting: Mapping[str, str], after: TableState) -> tuple[Entry, ...]:
    if not after.cups or after.game is None:
        return ()
    moved = tuple(
        Sat(player.name, mark)
        for player in after.game.players
        if player.name in sitting and (mark := ledger.mark(sitting[player.name])) != ledger.sits(player.name)
    )
    held = seats_held(noted(ledger, moved), after.game) if after.game.phase is Phase.BIDDING else ()
    return (*moved, *held)


def _begins(events: Sequence[TableEvent]) -> bool:
    """Whether dice are rolled for a round that begins with these events."""
    return any(isinstance(event, Started | NextRound | RolledOff) for event in events)
