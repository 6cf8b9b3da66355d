"""The table: the one owner of changing state.

`do` is the only way anything changes. One lock: the command is checked, what happens is written to the
journal and synced, the new value replaces the old, the version rises, listeners wake. A refused command
changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Unpack

from companion.errors import BadCommand, StaleCommand, StorageError
from companion.json_types import Body
from companion.reveal.state import BOUND
from companion.rules.events import Called
from companion.rules.game import Phase, refuse
from companion.table import commands as cmd
from companion.table import ledger as ledgers
from companion.table.announcing import Announcement, announced, step_of, why_not_undo
from companion.table.casting import Cast, Roll, fresh_dice
from companion.table.commands import Command
from companion.table.cups import hides, of_phone
from companion.table.dealing import cast_for, dealt
from companion.table.deciding import decide, due
from companion.table.history import keep_on_undo
from companion.table.journal import Journal
from companion.table.ledger import EMPTY, By, Entry, Kind, Ledger, Note, Renamed, noted, seat_moved
from companion.table.losses import GAME_PART, PART, faults_of, losses, take_notice
from companion.table.presses import Freshness, leaves, meaning
from companion.table.recalling import recalled, rejudged, thrown_anew
from companion.table.renaming import check_rename, renamed, swap
from companion.table.resuming import resume
from companion.table.snapshot import Changes, Fault, Snapshot
from companion.table.state import REVEALING, TableState, step
from companion.table.table_events import TableEvent, to_json

__all__ = ["Fault", "Snapshot", "Table"]

VERSIONS_PER_START = 1_000_000


class Table:
    """One game at a time, its journal, and everybody who listens."""

    def __init__(
        self,
        journal: Journal,
        *,
        each: bool = False,
        frames: int = 2,
        bound: float = BOUND,
        roll: Roll = fresh_dice,
        now_s: Callable[[], float] | None = None,
    ) -> None:
        """Take up the current game of `journal` where it stood; `each`, `frames`, `bound` as in the reveal.
        With a clock that never jumps, `now_s`, a press of OK leaves only what has been shown for a while."""
        self._journal, self._roll = journal, roll
        self._fresh, self._reveals = Freshness(now_s), 0
        self._ledger = EMPTY
        self._sitting: dict[str, str] = {}
        self._empty = TableState(each=each, frames=frames, bound=bound)
        self._changed = threading.Condition()
        self._history: list[TableEvent] = []
        self._states: list[TableState] = [self._empty]
        self._records = 0
        version = journal.boots() * VERSIONS_PER_START
        self._now = Snapshot(version, None, self._empty, stale_before=version)
        self._unwritten: str | None = None
        game_id = journal.current()
        if game_id is not None:
            with self._changed:
                self._resume(game_id)
        self.tell_losses()

    def snapshot(self) -> Snapshot:
        """The table as it is. Nobody waits here for a command that is being written to the disk."""
        return self._now

    def wait(self, after: int, timeout_s: float) -> Snapshot:
        """The table once its version is above `after`, or as it is when `timeout_s` has passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._now.version > after, timeout_s)
            return self._now

    def do(self, command: Command, based_on: int | None = None) -> Snapshot:
        """Carry out `command`; raises a CompanionError, and then nothing has changed.

        `based_on` is the version the command was made for; StaleCommand when more than looks came since.
        """
        with self._changed:
            if based_on is not None and based_on < self._now.stale_before:
                raise StaleCommand("table_moved_on")
            try:
                self._carry_out(command)
            except StorageError as error:
                self._report_unwritten(error.reason)
                raise
            if not isinstance(command, cmd.TakePicture):
                self._report_unwritten(None)
            return self._now

    def forget(self, game_id: str) -> None:
        """Delete a kept game from the journal; raises BadCommand for that on the table, StorageError."""
        with self._changed:
            if game_id == self._now.game_id:
                raise BadCommand("game_on_table")
            self._journal.delete(game_id)

    def _carry_out(self, command: Command) -> None:
        """Do what is asked; raises a CompanionError, and then nothing has changed."""
        match command:
            case cmd.Press():
                self._press(command)
            case cmd.AddObservation(reveal=number) if number not in (None, self._now.reveal):
                raise StaleCommand("look_too_late")
            case cmd.Undo(by, name):
                self._undo(by, name)
            case cmd.Rename(player, to):
                self._rename(command, player, to)
            case cmd.NewGame() | cmd.PlayAgain():
                self._begin(command)
            case cmd.PutAway():
                self._put_away()
            case cmd.TakePicture(place):
                self._want(place)
            case cmd.CorrectCall(call):
                self._again(*recalled(self._history, call))
            case cmd.Correct(correction) if of_phone(self._now.state, correction):
                raise BadCommand("rolled_in_phone")
            case cmd.Correct(correction) if _judged(self._now.state):
                self._again(*rejudged(self._history, correction), hold=True)
            case cmd.TakeNotice():
                take_notice(self._journal)
                self.tell_losses()
                self._publish(minor=True, resumed=False)
            case _:
                self._go_on(command)

    def report(self, part: str, fault: Fault | None) -> Snapshot:
        """Note that a part of the box fails, or with None that it works again."""
        with self._changed:
            others = tuple(entry for entry in self._now.faults if entry[0] != part)
            faults = others if fault is None else (*others, (part, fault))
            if faults != self._now.faults:
                self._publish(minor=True, faults=faults)
            return self._now

    def refresh(self) -> None:
        """Wake everybody who shows something beside the table that has changed."""
        with self._changed:
            self._publish(minor=True)

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Note which phone, by its id, sits in the seat of `player`; "" when none does.

        `freed`: who freed it, for the note to all phones. Raises StorageError.
        """
        with self._changed:
            self._sitting[player] = phone
            game = self._now.state.game
            if game is None or game.phase is Phase.OVER or player not in [p.name for p in game.players]:
                return
            told = (replace(freed, round=game.round.number, seat=player),) if freed else ()
            moved: tuple[Entry, ...] = ()
            if self._ledger.seal:
                moved = seat_moved(self._ledger, game, player, self._ledger.mark(phone), self._now.state.cups)
            self._note(*moved, *told)

    def watch(self, preview: str) -> None:
        """Note what the camera's view is fit for."""
        with self._changed:
            if preview != self._now.preview:
                self._publish(minor=True, preview=preview)

    def _press(self, press: cmd.Press) -> None:
        command = meaning(press, self._now.state)
        if leaves(command) and self._fresh.too_fresh():
            raise BadCommand("just_changed")
        if command is press:
            self._go_on(press)
        else:
            self._carry_out(command)

    def _go_on(self, command: Command) -> None:
        cast, seal = cast_for(self._ledger, self._now.state.cups, self._roll)
        events = decide(self._now.state, command, cast)
        by_and_by = isinstance(command, cmd.AddObservation | cmd.Correct)
        states = self._following(events, self._now.state)
        if by_and_by and not self._now.held:
            events = self._with_due(events, states, cast)
        self._keep_shown(states[-1])
        entries = dealt(cast.ledger, self._sitting, events, states[-1])
        self._write(map(to_json, events), (*seal, *entries) if entries else ())
        self._history.extend(events)
        self._states.extend(states)
        only_observed = isinstance(command, cmd.AddObservation) and len(events) == 1
        changes: Changes = {"held": self._now.held and by_and_by}
        if announcement := announced(command):
            changes["announcement"] = announcement
        self._publish(minor=only_observed, **changes)

    def _again(self, keep: int, events: tuple[TableEvent, ...], *, hold: bool = False) -> None:
        """Let `events` follow what is kept, and the verdict after them. Where they do not settle one,
        `hold` leaves it to people: the dice may have been taken away."""
        states = self._following(events, self._states[keep])
        events = self._with_due(events, states, Cast(self._roll, self._ledger))
        self._keep_shown(states[-1])
        self._write([{"v": 1, "event": "undone", "keep": keep}, *map(to_json, events)])
        self._history[keep:], self._states[keep + 1 :] = events, states
        self._publish(held=hold and not _judged(states[-1]))

    def _following(self, events: tuple[TableEvent, ...], state: TableState) -> list[TableState]:
        """The table after each of the events, the first of which finds it as `state`."""
        states: list[TableState] = []
        for event in events:
            before = states[-1] if states else state
            if isinstance(event, Called) and before.game:
                refuse(event.call, before.game)
            states.append(step(before, event))
        return states

    def _with_due(
        self, events: tuple[TableEvent, ...], states: list[TableState], cast: Cast
    ) -> tuple[TableEvent, ...]:
        """The events with what follows from them by itself; `states` grows alike."""
        for following in due(states[-1], cast):
            events += (following,)
            states.append(step(states[-1], following))
        return events

    def _begin(self, command: cmd.NewGame | cmd.PlayAgain) -> None:
        state = self._now.state
        going_on = state.game is not None and state.game.phase is not Phase.OVER
        if isinstance(command, cmd.NewGame) and going_on:
            raise BadCommand("game_going_on")
        cups = state.cups if isinstance(command, cmd.PlayAgain) else command.cups
        cast, seal = cast_for(EMPTY, cups, self._roll)
        events = decide(state, command, cast)
        begun = self._following(events, self._empty)[-1]
        entries = (*seal, *dealt(cast.ledger, self._sitting, events, begun))
        bodies = [*map(ledgers.to_json, entries), *map(to_json, events)]
        game_id = self._journal.create(*bodies)
        self._load(game_id, list(events), len(bodies), noted(EMPTY, entries))
        self._publish(game_id=game_id, held=False)

    def _put_away(self) -> None:
        self._journal.put_away()
        self._load(None, [], 0, EMPTY)
        self._publish(game_id=None, held=False)

    def _undo(self, by: By, name: str) -> None:
        keep = keep_on_undo(self._history)
        if keep is None:
            raise BadCommand("nothing_to_undo")
        undone = step_of(self._history[keep])
        game = self._now.state.game
        if game and (refused := why_not_undo(game.ruleset.undo, undone, by, name)):
            raise BadCommand(refused[0], player=refused[1])
        told = Announcement("undone", by, name, undone)
        if self._now.undo_hides:
            self._throw_anew(keep, by, name, told)
            return
        self._write([{"v": 1, "event": "undone", "keep": keep}])
        del self._history[keep:], self._states[keep + 1 :]
        self._publish(held=True, announcement=told)

    def _rename(self, command: cmd.Rename, old: str, new: str) -> None:
        """Have everything that was kept say the new name."""
        check_rename(self._now.state.game, old, new)
        self._write([], (Renamed(old, new),))
        self._history = [renamed(event, old, new) for event in self._history]
        self._states = [self._empty]
        for event in self._history:
            self._states.append(step(self._states[-1], event))
        self._sitting = {swap(old, new)(player): phone for player, phone in self._sitting.items()}
        self._publish(announcement=announced(command), held=self._now.held)

    def _throw_anew(self, keep: int, by: By, name: str, announcement: Announcement) -> None:
        """Take a step back that hides dice which have been seen: note it for all, and throw the round
        anew."""
        if by is By.PLAYER:
            raise BadCommand("undo_hides")
        state = self._states[keep]
        assert state.game is not None
        cast, seal = cast_for(self._ledger, state.cups, self._roll)
        told = (*seal, Note(Kind.TAKEN_BACK, state.game.round.number, by, name))
        cast = replace(cast, ledger=noted(self._ledger, told))
        start, events = thrown_anew(self._history[:keep], cast.round(state.game, state.cups))
        states = self._following(events, self._states[start])
        fallen = dealt(cast.ledger, {}, events, states[-1])
        undone = {"v": 1, "event": "undone", "keep": start}
        self._write([undone, *map(to_json, events)], (*told, *fallen))
        self._history[start:], self._states[start + 1 :] = events, states
        self._publish(held=True, announcement=announcement)

    def _keep_shown(self, after: TableState) -> None:
        """Raises BadCommand where dice that somebody may have seen would be hidden again."""
        if hides(self._now.state, after):
            raise BadCommand("cups_were_seen")

    def _note(self, *entries: Entry) -> None:
        """Keep ledger entries, and wake all phones."""
        if entries:
            self._write([], entries)
            self._publish(minor=True)

    def _want(self, place: str | None) -> None:
        state = self._now.state
        if state.reveal is None:
            raise BadCommand("no_reveal")
        self._publish(minor=True, wanted=self._now.wanted + 1, place=place, held=False)

    def _write(self, bodies: Iterable[Body], entries: Iterable[Entry] = ()) -> None:
        """Add to the journal, and to the ledger what no undo takes back."""
        if self._now.game_id is None:
            raise BadCommand("no_game")
        entries = tuple(entries)
        written = [*map(ledgers.to_json, entries), *bodies]
        self._journal.append(self._now.game_id, self._records + 1, *written)
        self._records += len(written)
        self._ledger = noted(self._ledger, entries)

    def _publish(self, *, minor: bool = False, **changes: Unpack[Changes]) -> None:
        """The next version; only a `minor` change lets commands for older versions stand."""
        version = self._now.version + 1
        changes.setdefault("resumed", self._now.resumed and minor)
        state, keep = self._states[-1], keep_on_undo(self._history)
        if announcement := changes.get("announcement"):
            changes["announcement"] = replace(announcement, number=version)
        before = self._now
        now = replace(
            before,
            version=version,
            state=state,
            ledger=self._ledger,
            stale_before=before.stale_before if minor else version,
            can_undo=keep is not None,
            undoes=None if keep is None else step_of(self._history[keep]),
            undo_hides=keep is not None and hides(state, self._states[keep]),
            **changes,
        )
        self._now = now if _which(now) == _which(before) else self._opened(now, now.wanted > before.wanted)
        self._fresh.note(now.game_id, state)
        self._changed.notify_all()

    def _opened(self, now: Snapshot, asked: bool) -> Snapshot:
        """The snapshot with another reveal, or none: looks asked for before were meant for the one before."""
        self._reveals += 1
        number = self._reveals if _which(now) else 0
        return replace(now, reveal=number, wanted=int(asked), place=now.place if asked else None)

    def _resume(self, game_id: str) -> None:
        found = resume(self._journal, game_id, self._empty)
        if not found.history:
            return
        self._history, self._states, self._records = found.history, found.states, found.records
        self._ledger = found.ledger
        going_on = self._states[-1].game is not None and self._states[-1].game.phase is not Phase.OVER
        self._publish(game_id=game_id, held=found.undone, resumed=going_on)

    def tell_losses(self) -> None:
        """Report losses of the journal that nobody has read of yet."""
        with self._changed:
            found = faults_of(losses(self._journal), self._now.game_id)
            for part in (PART, GAME_PART):
                self.report(part, Fault(*found[part]) if part in found else None)

    def _report_unwritten(self, reason: str | None) -> None:
        """Report on every page and by the lamps that a command could not be written, until one can be
        again."""
        before, self._unwritten = self._unwritten, reason
        if before and before != reason:
            self.report(before, None)
        if reason:
            self.report(reason, Fault(reason))

    def _load(self, game_id: str | None, history: list[TableEvent], records: int, ledger: Ledger) -> None:
        self._ledger = ledger
        self._history, self._states, self._records = history, [self._empty], records
        for event in history:
            self._states.append(step(self._states[-1], event))


def _which(now: Snapshot) -> tuple[object, ...]:
    """The key of the reveal that wants pictures, different from those before and after; empty while none
    does."""
    game = now.state.game
    if game is None or game.phase not in REVEALING or now.held:
        return ()
    return now.game_id, game.round.number, len(now.state.rolls)


def _judged(state: TableState) -> bool:
    return state.game is not None and state.game.phase in (Phase.VERDICT, Phase.OVER)
