"""The history of a game: what the last step of a person was, and how it is undone.

What changes a thing that every screen had shown is announced to all phones, with its author.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules import events
from companion.rules.calls import BidCall, Call, word
from companion.table import commands as cmd
from companion.table import table_events as ev
from companion.table.commands import Author, By, Command
from companion.table.ledger import Kind, Note, Step
from companion.table.state import TableState


def keep_on_undo(history: Sequence[ev.TableEvent], states: Sequence[TableState]) -> int | None:
    """How many events stay when the last step of a person is taken back; None when none was. `states` has the
    table before the first and after each.

    Looks come by themselves and go with the call or the correction before them, dice rolled in phones with
    the round they were rolled for, as do colours learnt on the way. A correction goes alone, what the camera
    saw before it stays. A verdict goes with the correction that made it, or with its call where nothing was
    looked at: the dice are in phones. The end of a game goes with the step that put somebody ahead (row E3).
    """
    keep = len(history)
    while keep and _by_itself(history[keep - 1]):
        keep -= 1
    if (
        keep > 1
        and isinstance(history[keep - 1], events.Revealed)
        and isinstance(history[keep - 2], events.Called | ev.Corrected)
    ):
        keep -= 1
    if keep > 1 and isinstance(history[keep - 1], events.Finished) and states[keep - 1].is_ahead:
        keep -= 1
    return keep - 1 if keep > 1 and not isinstance(history[keep - 1], events.Started | ev.Cups) else None


def _by_itself(event: ev.TableEvent) -> bool:
    """Whether it belongs to the event before: observations, phone rolls, learnt colours, levels of bots."""
    learnt = isinstance(event, ev.ColoursLearnt) and bool(event.colours)
    return learnt or isinstance(event, ev.Observed | ev.Rolled | ev.BotSeated)


_KINDS: dict[type[ev.TableEvent], str] = {
    ev.Asked: "press",
    ev.Corrected: "correction",
    ev.ColoursLearnt: "colours",
    events.Revealed: "verdict",
    events.NextRound: "next_round",
    events.RolledOff: "roll",
    ev.RollTied: "roll",
    events.Finished: "stop",
    events.Joined: "joined",
    events.Left: "left",
    events.HandedBack: "handed_back",
    ev.Amended: "amended",
    events.Started: "start",
}


def step_of(event: ev.TableEvent) -> Step:
    """What kind of step made this happen, and whose."""
    if isinstance(event, events.Called):
        call = event.call
        return Step(_word(type(call)), call.by, call.bid if isinstance(call, BidCall) else None)
    return Step(_KINDS.get(type(event), "other"), getattr(event, "player", ""))


def _word(call: type[Call]) -> str:
    return word(call).removeprefix("choose_").removeprefix("declare_")


_NOTES: dict[type[Command], Kind] = {
    cmd.Undo: Kind.UNDONE,
    cmd.Correct: Kind.CORRECTED,
    cmd.CorrectCall: Kind.RECALLED,
    cmd.CorrectRound: Kind.AMENDED,
    cmd.ForgetColours: Kind.COLOURS_FORGOTTEN,
    cmd.Abandon: Kind.STOPPED,
    cmd.TimeUp: Kind.TIME_UP,
    cmd.Join: Kind.JOINED,
    cmd.Leave: Kind.LEFT,
    cmd.HandBack: Kind.HANDED_BACK,
    cmd.Rename: Kind.RENAMED,
}


_BY_STEP = (Kind.TIME_UP, Kind.JOINED, Kind.CALLED_FOR)
"""Notes about the player whose step followed: only that says who it was."""


def announced(command: Command, author: Author, number: int, step: Step | None) -> Note | None:
    """The note of round `number` for a command that was done; None where every screen already shows it.
    `step` is what it undid, or the first that it made happen."""
    for_another = isinstance(command, cmd.Say) and author.by is By.PLAYER and command.call.by != author.seat
    kind = Kind.CALLED_FOR if for_another else _NOTES.get(type(command))
    if kind is None:
        return None
    named = step.player if step and kind in _BY_STEP else getattr(command, "player", "")
    return Note(
        kind,
        command.round if isinstance(command, cmd.CorrectRound) else number,
        author.by,
        author.seat,
        player=named,
        step=step if kind in (Kind.UNDONE, Kind.TIME_UP, Kind.CALLED_FOR) else None,
        to=getattr(command, "to", ""),
        count=getattr(command, "count", 0),
    )
