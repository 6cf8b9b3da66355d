"""The table: the one owner of changing state.

`do` is the only way anything changes. One lock: the command is checked, what happens is written to the
journal and synced, the new value replaces the old, the version rises, listeners wake. A refused command
changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf

from companion.errors import BadCommand, StaleCommand, StorageError
from companion.reveal.state import BOUND
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.amending import (
    amended,
    followed,
    recalled,
    rejudged,
    rolled_again,
    undone,
    with_due,
    without_lost_dice,
)
from companion.table.authority import refuse
from companion.table.casting import Cast, Roll, dealt, fresh_dice, reseated, seal_for, secrets_of
from companion.table.commands import BOX, Author, By, Command
from companion.table.cups import dice_read, hides, of_phone
from companion.table.deciding import SEEN_S, doubts_standing, leaves, meaning, on_screen, rematch
from companion.table.history import announced, keep_on_undo, step_of
from companion.table.kept_game import KeptGame, write
from companion.table.ledger import EMPTY, Note, Renamed, Step, check_rename
from companion.table.resuming import resume, waiting
from companion.table.sitting import Sitting
from companion.table.snapshot import (
    GAME_PART,
    PART,
    Fault,
    Snapshot,
    answerable_since,
    faults_of,
    is_cut,
    next_snapshot,
)
from companion.table.state import TableState

__all__ = ["REAL_DICE", "Fault", "Snapshot", "Table"]

VERSIONS_PER_START = 1_000_000
REAL_DICE = "real_dice"
"""The journal's note of that choice."""


class Table:
    """One game at a time, its journal, and everybody who listens. `remember` gets who begins a game, and who
    is here once it is over, as often as that changes."""

    def __init__(
        self,
        journal: Journal,
        *,
        each: bool = False,
        frames: int = 2,
        bound: float = BOUND,
        roll: Roll = fresh_dice,
        now_s: Callable[[], float] = lambda: inf,
    ) -> None:
        """Take up the current game of `journal` where it stood; `each`, `frames`, `bound` as in the reveal.
        With a clock that never jumps, `now_s`, a press of OK leaves, and a challenge is about, only what has
        been shown for a while."""
        self._journal, self._roll = journal, roll
        self._now_s, self._shown, self._shown_s, self._shown_by = now_s, tuple[object, ...](), -inf, ""
        self.remember: Callable[[cmd.NewGame], None] = lambda _: None
        self._empty = TableState(each=each, frames=frames, bound=bound)
        self._kept = KeptGame((self._empty,))
        self._changed = threading.Condition()
        version = journal.boots() * VERSIONS_PER_START
        self._now = Snapshot(version, None, self._empty, stale_before=version)
        self._unwritten: str | None = None
        game_id = journal.current() or waiting(journal)
        if game_id is not None:
            with self._changed:
                self._resume(game_id)
        self._note_shown()
        self.report_losses()

    def snapshot(self) -> Snapshot:
        """The table as it is. Nobody waits here for a command that is being written to the disk."""
        return self._now

    def playing(self) -> str | None:
        """The id of the game that goes on, None while none does."""
        return self._now.game_id if self._now.state.goes_on else None

    def wait(self, after: int, timeout_s: float, ended: Callable[[], bool] = lambda: False) -> Snapshot:
        """The table above version `after`, or as it is after `timeout_s` or, on a `wake`, once `ended`."""
        with self._changed:
            self._changed.wait_for(lambda: self._now.version > after or ended(), timeout_s)
            return self._now

    def wake(self) -> None:
        """Have everybody who waits ask whether the wait has ended."""
        with self._changed:
            self._changed.notify_all()

    def do(self, command: Command, based_on: int | None = None, author: Author = BOX) -> Snapshot:
        """Carry out the `command` of `author`; raises a CompanionError, and then nothing has changed.

        `based_on` is the version the command was made for; StaleCommand if more than observations came since,
        or a picture of other dice where it is about some.
        """
        with self._changed:
            if based_on is not None and based_on < answerable_since(self._now, command):
                raise StaleCommand("table_moved_on")
            before = rematch(self._now.state)
            try:
                self._carry_out(command, author)
            except StorageError as error:
                self._report_unwritten(error.reason)
                raise
            if not isinstance(command, cmd.TakePicture):
                self._report_unwritten(None)
            self._note_shown(_source(author))
            now = self._now
        here = command if isinstance(command, cmd.NewGame) else rematch(now.state)
        if here and (here is command or here != before):
            self.remember(here)
        return now

    def forget(self, game_id: str) -> None:
        """Delete a kept game from the journal; raises BadCommand for one that goes on, StorageError."""
        with self._changed:
            if game_id == self.playing():
                raise BadCommand("game_on_table")
            if game_id == self._now.game_id:
                self._put_away(self._now)
            self._journal.delete(game_id)

    def _carry_out(self, command: Command, author: Author) -> None:
        """Do what is asked; raises a CompanionError, and then nothing has changed."""
        if isinstance(command, cmd.Press):
            command = self._pressed(command, author)
        refuse(command, author, self._now)
        if doubts_standing(command, self._now.state) and self._is_new_to(author):
            raise BadCommand("just_changed")
        match command:
            case cmd.AddObservation(reveal=number) if number not in (None, self._now.reveal):
                raise StaleCommand("look_too_late")
            case cmd.Undo():
                self._undo(author)
            case cmd.Rename():
                self._rename(command, author)
            case cmd.NewGame() | cmd.PlayAgain():
                self._begin(command, author)
            case cmd.PutAway():
                self._put_away(self._now)
            case cmd.TakePicture(place):
                self._want(place)
            case cmd.CorrectCall(call):
                self._again(recalled(self._kept, call), command, author)
            case cmd.CorrectRound():
                self._amend(command, author)
            case cmd.Correct(correction) if of_phone(self._now.state, correction):
                raise BadCommand("rolled_in_phone")
            case cmd.Correct(correction) if self._now.state.is_judged:
                self._again(rejudged(self._kept, correction), command, author)
            case cmd.Pause(on):
                self._pause(on)
            case cmd.RealDice(on):
                self._choose_dice(on)
            case cmd.TakeNotice():
                self._journal.put_notes({"losses": None})
                self.report_losses()
                self._publish(replace(self._now, resumed=False), minor=True)
            case _:
                self._go_on(command, author)

    def report(self, part: str, fault: Fault | None) -> Snapshot:
        """Note that a part of the box fails, or with None that it works again."""
        with self._changed:
            others = tuple(entry for entry in self._now.faults if entry[0] != part)
            faults = others if fault is None else (*others, (part, fault))
            if faults != self._now.faults:
                self._publish(replace(self._now, faults=faults), minor=True)
            return self._now

    def offer_real_dice(self, begun: bool) -> None:
        """Let people choose between simulated dice and their own, as they did last. `begun`: a game with
        their own goes on, whatever they chose."""
        with self._changed:
            on = begun or self._journal.note(REAL_DICE) is True
            self._publish(replace(self._now, real_dice=on), minor=True)

    def refresh(self) -> None:
        """Wake everybody who shows something beside the table that has changed."""
        with self._changed:
            self._publish(self._now, minor=True)

    def seat(self, seats: Mapping[str, str], freed: Note | None = None, known: Sitting | None = None) -> None:
        """Note which phone, by its id, sits in each of these seats from now on, and in no other; "" for none.

        `freed`: who freed one, for the note to all phones. `known`: who sat where as that was decided. What
        cannot be written now is written as a round begins. Until then the phone gets no dice.
        """
        with self._changed:
            sitting = self._now.sitting.moved(seats, known).within(self._now.state)
            entries = reseated(self._kept.ledger, self._now.state, sitting, freed)
            with suppress(StorageError):
                if entries:
                    self._write(self._kept.following(*entries))
            self._publish(replace(self._now, sitting=sitting), minor=True)

    def keep_dice(self, player: str, faces: tuple[int, ...]) -> None:
        """Note the real dice of a bot, at which the box alone has looked. Raises BadCommand, StorageError."""
        with self._changed:
            read = dice_read(self._now.state, self._kept.ledger, player, faces)
            self._write(self._kept.following(read))
            self._publish(self._now, minor=True)

    def watch(self, preview: str) -> None:
        """Note what the camera's view is fit for."""
        with self._changed:
            if preview != self._now.preview:
                self._publish(replace(self._now, preview=preview), minor=True)

    def _pressed(self, press: cmd.Press, author: Author) -> Command:
        """What a press means; on a player's phone it is that player's."""
        if author.by is By.PLAYER and press.by is None:
            press = cmd.Press(press.button, author.seat)
        command = meaning(press, self._now.state)
        if leaves(command) and self._now_s() - self._shown_s < SEEN_S:
            raise BadCommand("just_changed")
        return command

    def _is_new_to(self, author: Author) -> bool:
        """Whether the author cannot have seen yet what is shown: something else brought it just now."""
        if author.by is By.BOT or _source(author) == self._shown_by:
            return False
        return self._now_s() - self._shown_s < SEEN_S

    def _note_shown(self, by: str = "") -> None:
        """Note since when the screens show what they do, and what brought it."""
        shown = on_screen(self._now.game_id, self._now.state)
        if shown != self._shown:
            self._shown, self._shown_s, self._shown_by = shown, self._now_s(), by

    def _write(self, after: KeptGame, author: Author = BOX) -> None:
        """Have the journal keep the game as it is `after` a change, and the table go on with it."""
        self._kept = write(after, self._journal, author)

    def _go_on(self, command: Command, author: Author) -> None:
        held = self._now.held
        seal = seal_for(self._kept.ledger, secrets_of(self._kept.state), self._roll)
        before = self._kept.following(*seal)
        after = followed(before, command, Cast(self._roll, before.ledger), held=held)
        self._keep_shown(after.state)
        events = after.fresh_events
        note = self._noted(command, author, step_of(events[0][0]))
        self._write(after.following(*dealt(after, self._now.sitting), *note), author)
        only_observed = isinstance(command, cmd.AddObservation) and len(events) == 1
        held = held and isinstance(command, cmd.AddObservation | cmd.Correct)
        self._publish(replace(self._now, held=held), minor=only_observed)

    def _noted(self, command: Command, author: Author, step: Step | None = None) -> tuple[Note, ...]:
        """The note to all phones of a command that changes what they had shown, if it does."""
        game = self._now.state.game
        shown = not isinstance(command, cmd.Correct) or self._now.state.is_judged
        note = announced(command, author, game.round.number, step) if game and shown else None
        return (note,) if note else ()

    def _again(self, changed: KeptGame, command: cmd.Correct | cmd.CorrectCall, author: Author) -> None:
        """Let the verdict follow what was `changed`. Where corrected dice do not settle one, it is left to
        people: the dice may have been taken away."""
        after = with_due(changed, Cast(self._roll, changed.ledger))
        self._keep_shown(after.state)
        self._write(after.following(*self._noted(command, author)), author)
        held = isinstance(command, cmd.Correct) and not after.state.is_judged
        self._publish(replace(self._now, held=held))

    def _amend(self, wish: cmd.CorrectRound, author: Author) -> None:
        """Correct an earlier round, of the game on the table or of one before it."""
        on_table = wish.game in ("", self._kept.id)
        game = self._kept if on_table else resume(self._journal, wish.game, self._empty)
        if not game:
            raise BadCommand("unknown_game", game=wish.game)
        after = amended(game, wish, Cast(self._roll, game.ledger))
        after = after.following(*dealt(after), *self._noted(wish, author))
        if on_table:
            self._keep_shown(after.state)
            self._write(after, author)
        else:
            write(after, self._journal, author)
        self._publish(self._now)

    def _begin(self, command: cmd.NewGame | cmd.PlayAgain, author: Author) -> None:
        state = self._now.state
        if isinstance(command, cmd.NewGame) and state.goes_on:
            raise BadCommand("game_going_on")
        begun = rematch(state) if isinstance(command, cmd.PlayAgain) else command
        if begun is None:
            raise BadCommand("game_not_over" if state.game else "no_game")
        seal = seal_for(EMPTY, secrets_of(begun), self._roll)
        sealed = KeptGame((self._empty,)).following(*seal)
        after = followed(sealed, begun, Cast(self._roll, sealed.ledger))
        sitting = self._now.sitting.within(after.state, anew=True)
        self._write(after.following(*dealt(after, sitting)), author)
        self._publish(replace(self._now, held=False))

    def _put_away(self, now: Snapshot, **notes: object) -> None:
        self._journal.put_notes({"current": None, **notes})
        self._kept = KeptGame((self._empty,))
        self._publish(replace(now, held=False))

    def _undo(self, author: Author) -> None:
        keep = keep_on_undo(self._kept.history, self._kept.states)
        if keep is None:
            raise BadCommand("nothing_to_undo")
        (note,) = self._noted(cmd.Undo(), author, self._now.undoes)
        if self._now.undo_hides:
            after = rolled_again(self._kept, keep, note, self._roll)
        else:
            after = undone(self._kept, keep, Cast(self._roll, self._kept.ledger)).following(note)
        self._write(after, author)
        self._publish(replace(self._now, held=not after.state.is_judged))

    def _rename(self, command: cmd.Rename, author: Author) -> None:
        """Have everything that was kept say the new name."""
        old, new = command.player, command.to
        check_rename(self._now.state.game, old, new)
        if old == new:
            return
        self._write(self._kept.following(Renamed(old, new), *self._noted(command, author)), author)
        self._publish(replace(self._now, sitting=self._now.sitting.renamed(old, new)))

    def _keep_shown(self, after: TableState) -> None:
        """Raises BadCommand where dice that somebody may have seen would be hidden again."""
        if hides(self._now.state, after):
            raise BadCommand("cups_were_seen")

    def _pause(self, on: bool) -> None:
        if self._now.state.game is None:
            raise BadCommand("no_game")
        self._publish(replace(self._now, paused=on), minor=True)

    def _choose_dice(self, on: bool) -> None:
        """A game that is over is put away: no undo has it go on with other dice."""
        if self._now.real_dice is None:
            raise BadCommand("dice_are_real")
        if self._now.state.goes_on:
            raise BadCommand("game_going_on")
        self._put_away(replace(self._now, real_dice=on), **{REAL_DICE: on or None})

    def _want(self, place: str | None) -> None:
        state = self._now.state
        if state.reveal is None:
            raise BadCommand("no_reveal")
        now = replace(self._now, wanted=self._now.wanted + 1, place=place, held=False)
        self._publish(now, minor=True)

    def _publish(self, changed: Snapshot, *, minor: bool = False) -> None:
        """The next version; only a `minor` change lets commands for older versions stand."""
        self._now = next_snapshot(self._now, changed, self._kept, minor=minor)
        self._changed.notify_all()

    def _resume(self, game_id: str) -> None:
        game = resume(self._journal, game_id, self._empty)
        if game is None:
            return
        self._kept, mended = game, without_lost_dice(game, self._roll)
        with suppress(StorageError):
            if mended.fresh:
                self._write(mended)
        cut = is_cut(self._journal.losses(), game_id)
        self._publish(replace(self._now, held=game.undone or cut, resumed=game.state.goes_on), minor=True)

    def report_losses(self) -> None:
        """Report losses of the journal that nobody has read of yet."""
        with self._changed:
            found = faults_of(self._journal.losses(), self._now.game_id)
            for part in (GAME_PART, PART):
                self.report(part, found.get(part))

    def _report_unwritten(self, reason: str | None) -> None:
        """Report on every page and by the lamps that a command could not be written, until one can be
        again."""
        before, self._unwritten = self._unwritten, reason
        if before and before != reason:
            self.report(before, None)
        if reason:
            self.report(reason, Fault(reason))


def _source(author: Author) -> str:
    """Where the commands of an author come from: the phone, the box, its clock."""
    return author.phone or author.by
