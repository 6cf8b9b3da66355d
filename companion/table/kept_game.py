"""The game on the table as the journal keeps it: its events, the table after each, and its ledger.

Whatever changes is written and synced first. Where that fails, nothing here has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.errors import BadCommand
from companion.json_types import Body
from companion.rules.events import Called
from companion.rules.game import refuse
from companion.rules.records import written
from companion.storage.journal import Journal
from companion.table.authors import Author
from companion.table.casting import MAX_THROWS, Cast
from companion.table.commands import Command
from companion.table.deciding import due, goes_on
from companion.table.ledger import EMPTY, Entry, Renamed, noted
from companion.table.renaming import renamed
from companion.table.resuming import resume
from companion.table.state import TableState, step
from companion.table.table_events import TableEvent


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
        self._fold([renamed(event, old, new) for event in self.history])

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
