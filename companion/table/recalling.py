"""A challenge that was noted wrong becomes the right one, and a die that was read wrong after the verdict;
a round rolled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from msgspec import structs

from companion.errors import BadCommand
from companion.reveal.corrections import ByHand, Correction
from companion.rules.calls import Call, Calza, Dudo, DudoPass
from companion.rules.events import Called, HandedBack, Joined, Left, NextRound, Revealed, RolledOff, Started
from companion.table.casting import Roll, cast_for, dealt, secrets_of
from companion.table.kept_game import KeptGame, states_after
from companion.table.ledger import Entry, Kind, Note, noted
from companion.table.state import TableState
from companion.table.table_events import (
    BotSeated,
    ColoursLearnt,
    Corrected,
    Cups,
    Observed,
    Rolled,
    TableEvent,
)

_COMINGS = ColoursLearnt | Joined | BotSeated
"""What may follow a verdict without a change to the dice behind it."""


def recalled(history: Sequence[TableEvent], call: Call) -> tuple[int, tuple[TableEvent, ...]]:
    """How many events stay when this round's challenge is `call`, and what then follows them.

    Observations and corrections follow; a count by hand does not, for it was of other dice. Raises BadCommand
    where nothing was challenged in this round.
    """
    at = called_at(history)
    return at, (Called(call), *filter(_stays, history[at + 1 :]))


def called_at(history: Sequence[TableEvent]) -> int:
    """Where in the history this round's challenge stands; raises BadCommand where nothing was challenged, or
    somebody has come or gone since."""
    for at in range(len(history) - 1, -1, -1):
        match history[at]:
            case Left() | HandedBack():
                raise BadCommand("seats_changed")
            case Called(Dudo() | Calza() | DudoPass()):
                return at
            case NextRound():
                break
    raise BadCommand("no_reveal")


def rejudged(history: Sequence[TableEvent], correction: Correction) -> tuple[int, tuple[TableEvent, ...]]:
    """How many events stay when the dice behind the newest verdict are corrected, and what follows them.

    Raises BadCommand where the last thing that happened was no verdict.
    """
    after = tuple(takewhile(lambda event: isinstance(event, _COMINGS), reversed(history)))
    at = len(history) - len(after) - 1
    if at >= 0 and isinstance(history[at], Left | HandedBack):
        raise BadCommand("seats_changed")
    if at < 0 or not isinstance(history[at], Revealed):
        raise BadCommand("no_reveal")
    return at, (Corrected(correction), *reversed(after))


def thrown_anew(
    history: Sequence[TableEvent], rolled: tuple[Rolled, ...]
) -> tuple[int, tuple[TableEvent, ...]]:
    """How many events stay when the dice in phones of the last round are `rolled` anew, and what follows:
    everything that was said in it so far."""
    start = len(history)
    while start and not isinstance(history[start - 1], NextRound | RolledOff | Started | Cups):
        start -= 1
    said = (event for event in history[start:] if not isinstance(event, Rolled))
    return start, (*rolled, *said)


def _stays(event: TableEvent) -> bool:
    """Whether it holds whatever was called."""
    if isinstance(event, Corrected):
        return not isinstance(event.correction, ByHand)
    return isinstance(event, Observed | Joined | BotSeated)


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
