"""The game on the table as the journal keeps it: its events, the table after each, and its ledger.

Whatever changes is written and synced first. Where that fails, nothing here has changed. A challenge that was
noted wrong becomes the right one here, and a round is rolled again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from msgspec import structs

from companion.errors import BadCommand, CompanionError
from companion.json_types import Body
from companion.reveal.corrections import ByHand, Correction
from companion.rules.calls import Call, Calza, Dudo, DudoPass
from companion.rules.events import Called, HandedBack, Joined, Left, NextRound, Revealed, RolledOff, Started
from companion.rules.game import refuse
from companion.rules.judge import Reveal
from companion.rules.position import Phase
from companion.rules.records import written
from companion.storage.journal import Journal
from companion.table.casting import MAX_THROWS, Cast, Roll, cast_for, dealt, secrets_of
from companion.table.commands import Author, Command, CorrectRound
from companion.table.deciding import due, goes_on
from companion.table.ledger import EMPTY, Entry, Kind, Note, Renamed, noted, renamed
from companion.table.resuming import resume
from companion.table.state import TableState, step
from companion.table.table_events import (
    Amended,
    BotSeated,
    ColoursLearnt,
    Corrected,
    Cups,
    Observed,
    Rolled,
    TableEvent,
)


class KeptGame:
    """One game in the journal, or none. Not thread-safe by itself: the table's lock guards it.

    Every change raises StorageError where it cannot be written, and BadCommand where there is no game.
    """

    def __init__(self, journal: Journal, empty: TableState) -> None:
        """No game yet; `empty` is the table before its first event."""
        self._journal, self._empty = journal, empty
        self.id: str | None = None
        self.ledger = EMPTY
        self.history: list[TableEvent] = []
        self._states = [empty]
        self._records = 0

    @property
    def state(self) -> TableState:
        """The table after all that happened."""
        return self._states[-1]

    def state_after(self, number: int) -> TableState:
        """The table after the first `number` events."""
        return self._states[number]

    def take_up(self, game_id: str) -> bool | None:
        """Take up a game where it stood; whether its last record took something back. None where it cannot
        be read: then there is no game."""
        found = resume(self._journal, game_id, self._empty)
        if found is None or not found.history:
            return None
        self.id, self.ledger = game_id, found.ledger
        self.history, self._states, self._records = found.history, found.states, found.records
        return found.undone

    def begin(self, events: Sequence[TableEvent], entries: Sequence[Entry], author: Author) -> None:
        """A new game that begins with these events and ledger entries."""
        bodies = [*map(written, entries), *_signed(events, author)]
        self.id = self._journal.create(*bodies)
        self.ledger, self._records = noted(EMPTY, entries), len(bodies)
        self._fold(events)

    def put_away(self) -> None:
        """No game is on the table any more."""
        self._journal.put_notes({"current": None})
        self.id, self.ledger, self._records = None, EMPTY, 0
        self._fold(())

    def add(
        self,
        events: Sequence[TableEvent],
        states: Sequence[TableState],
        author: Author,
        entries: Iterable[Entry] = (),
    ) -> None:
        """Let `events` by `author` follow, with the table after each of them in `states`."""
        self._write(_signed(events, author), entries)
        self.history.extend(events)
        self._states.extend(states)

    def replace_from(
        self,
        keep: int,
        events: Sequence[TableEvent],
        states: Sequence[TableState],
        author: Author,
        entries: Iterable[Entry] = (),
    ) -> None:
        """Take back all but the first `keep` events, and let `events` follow them as in `add`."""
        undone: Body = {"v": 1, "event": "undone", "keep": keep, "author": author.to_json()}
        self._write([undone, *_signed(events, author)], entries)
        self.history[keep:], self._states[keep + 1 :] = events, states

    def note(self, entries: Iterable[Entry]) -> None:
        """Keep ledger entries, which no undo takes back."""
        self._write([], entries)

    def rename(self, old: str, new: str, entries: Iterable[Entry] = ()) -> None:
        """Have everything that was kept say the new name."""
        self.note((Renamed(old, new), *entries))
        self._fold(renamed(tuple(self.history), old, new))

    def _write(self, bodies: Iterable[Body], entries: Iterable[Entry]) -> None:
        if self.id is None:
            raise BadCommand("no_game")
        entries = tuple(entries)
        records = [*map(written, entries), *bodies]
        self._journal.append(self.id, self._records + 1, *records)
        self._records += len(records)
        self.ledger = noted(self.ledger, entries)

    def _fold(self, history: Sequence[TableEvent]) -> None:
        self.history, self._states = list(history), [self._empty]
        for event in history:
            self._states.append(step(self._states[-1], event))


def _signed(events: Iterable[TableEvent], author: Author) -> list[Body]:
    """The records of events, each with its author."""
    return [{**written(event), "author": author.to_json()} for event in events]


def states_after(events: Sequence[TableEvent], state: TableState) -> list[TableState]:
    """The table after each of the events, the first of which finds it as `state`. Raises BadCommand for a
    call that the rules refuse."""
    states: list[TableState] = []
    for event in events:
        before = states[-1] if states else state
        if isinstance(event, Called) and before.game:
            refuse(event.call, before.game)
        states.append(step(before, event))
    return states


def followed(
    command: Command, events: tuple[TableEvent, ...], before: TableState, cast: Cast, *, held: bool = False
) -> tuple[tuple[TableEvent, ...], list[TableState]]:
    """The events of a command with those that follow by themselves, and the table after each of them. Raises
    BadCommand. `held`: a person has the say when the reveal goes on."""
    states = states_after(events, before)
    if goes_on(command, before, states[-1], held=held):
        events = with_due(events, states, cast)
    return events, states


def with_due(events: tuple[TableEvent, ...], states: list[TableState], cast: Cast) -> tuple[TableEvent, ...]:
    """The events with what follows from them by itself; `states` grows alike.

    A roll in phones that ends in a tie is followed by the next one, up to `MAX_THROWS`.
    """
    for _ in range(MAX_THROWS):
        following = due(states[-1], cast)
        if not following:
            break
        events += following
        states += states_after(following, states[-1])
    return events


_COMINGS = ColoursLearnt | Joined | BotSeated | Amended
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
    return at, (*reversed(after), Corrected(correction))


def left_by_undo(kept: KeptGame, keep: int, cast: Cast) -> tuple[tuple[TableEvent, ...], list[TableState]]:
    """What follows the first `keep` events when the rest is undone, and the table after each: the verdict
    without the correction that made another."""
    states = [kept.state_after(keep)]
    corrected = kept.state.is_judged and isinstance(kept.history[keep], Corrected)
    return with_due((), states, cast) if corrected else (), states[1:]


def amended(
    kept: KeptGame, wish: CorrectRound, cast: Cast
) -> tuple[int, tuple[TableEvent, ...], list[TableState]]:
    """How many events stay when an earlier round is corrected, what follows them, and the table after each.
    Dice in phones of the round on the table are as many as their players have then.

    Raises BadCommand with the first round that could not have been played so, where the dice are not kept;
    BadReveal for a count that cannot be.
    """
    found = (at for at, event in enumerate(kept.history) if isinstance(event, Revealed))
    at = next((at for at in found if _round_at(kept.state_after(at)) == wish.round), None)
    if at is None:
        raise BadCommand("no_such_round", round=wish.round)
    if wish.keep_dice and (wish.game or wish.round < _round_at(kept.state)):
        events: tuple[TableEvent, ...] = (Amended(wish.round, wish.count),)
        return len(kept.history), events, states_after(events, kept.state)
    state, events = kept.state_after(at), (Revealed(Reveal(count=wish.count)), *kept.history[at + 1 :])
    states: list[TableState] = []
    for event in events:
        try:
            state = states_after((event,), state)[0]
        except CompanionError as error:
            if not states:
                raise
            raise _cannot_stand(wish, _round_at(state) + isinstance(event, NextRound)) from error
        states.append(state)
    if (
        kept.state.game
        and state.game
        and (state.game.phase is Phase.OVER) != (kept.state.game.phase is Phase.OVER)
    ):
        raise _cannot_stand(wish, _round_at(state))
    again = _fitting(state, cast)
    if again and state.game and state.game.phase is Phase.REVEAL:
        raise _cannot_stand(wish, _round_at(state))
    return at, (*events, *again), [*states, *states_after(again, state)]


def _fitting(state: TableState, cast: Cast) -> tuple[Rolled, ...]:
    """The dice in phones that are not as many as their players have, put right."""
    if state.game is None or state.game.phase not in (Phase.BIDDING, Phase.REVEAL):
        return ()
    now = cast.round(state.game, state.cups)
    return tuple(one for one in now if (one.player, one.faces) not in state.rolled)


def _cannot_stand(wish: CorrectRound, later: int) -> BadCommand:
    return BadCommand("round_cannot_stand", round=wish.round, later=later)


def _round_at(state: TableState) -> int:
    return state.game.round.number if state.game else 0


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
    return isinstance(event, Observed | Joined | BotSeated | Amended)


def roll_again(kept: KeptGame, keep: int, undone: Note, roll: Roll, author: Author) -> None:
    """Take the game back to its first `keep` events, the dice of its last round rolled again; the ledger
    notes `undone`."""
    state = kept.state_after(keep)
    assert state.game is not None
    cast, seal = cast_for(kept.ledger, secrets_of(state), roll)
    entries = (*seal, structs.replace(undone, kind=Kind.TAKEN_BACK, round=state.game.round.number))
    cast = replace(cast, ledger=noted(kept.ledger, entries))
    start, events = thrown_anew(kept.history[:keep], cast.round(state.game, state.cups))
    states = states_after(events, kept.state_after(start))
    entries = (*entries, *dealt(cast.ledger, {}, events, states))
    kept.replace_from(start, events, states, author, entries)
