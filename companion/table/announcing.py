"""Announcements to all phones: who changed something that every screen had shown. Pure."""

from __future__ import annotations

from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.events import (
    Called,
    Finished,
    HandedBack,
    Joined,
    Left,
    NextRound,
    Revealed,
    RolledOff,
    Started,
)
from companion.table import commands as cmd
from companion.table.authors import Author, By
from companion.table.commands import Command
from companion.table.ledger import Kind, Note, Step
from companion.table.table_events import Asked, ColoursLearnt, Corrected, RollTied, TableEvent

_CALLS: dict[type[Call], str] = {
    BidCall: "bid",
    Dudo: "dudo",
    Calza: "calza",
    Pass: "pass",
    DudoPass: "dudo_pass",
    ChooseVisibility: "visibility",
    ChooseDirection: "direction",
    DeclarePalifico: "palifico",
}
_KINDS: dict[type[TableEvent], str] = {
    Asked: "press",
    Corrected: "correction",
    ColoursLearnt: "colours",
    Revealed: "verdict",
    NextRound: "next_round",
    RolledOff: "roll",
    RollTied: "roll",
    Finished: "stop",
    Joined: "joined",
    Left: "left",
    HandedBack: "handed_back",
    Started: "start",
}


def step_of(event: TableEvent) -> Step:
    """What kind of step made this happen, and whose."""
    if isinstance(event, Called):
        call = event.call
        return Step(_CALLS[type(call)], call.by, call.bid if isinstance(call, BidCall) else None)
    return Step(_KINDS.get(type(event), "other"), getattr(event, "player", ""))


_NOTES: dict[type[Command], Kind] = {
    cmd.Undo: Kind.UNDONE,
    cmd.Correct: Kind.CORRECTED,
    cmd.CorrectCall: Kind.RECALLED,
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
        number,
        author.by,
        author.seat,
        player=named,
        step=step if kind in (Kind.UNDONE, Kind.TIME_UP, Kind.CALLED_FOR) else None,
        to=getattr(command, "to", ""),
        count=getattr(command, "count", 0),
    )
