"""Announcements to all phones: an undo, a new player, one who left, a new name. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.rules.bids import Bid
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
from companion.rules.ruleset import UndoBy
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.ledger import By
from companion.table.table_events import Asked, ColoursLearnt, Corrected, RollTied, TableEvent

AnnouncementKind = Literal["undone", "joined", "left", "handed_back", "renamed", "time_up"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a person: its kind, whose it was or about whom, and the bid that was made."""

    kind: str
    player: str = ""
    bid: Bid | None = None


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement to all phones: undone, joined, left, handed_back, renamed or time_up.

    `by` and `name` say who did it, `step` what was undone, or done by the clock, `player` about whom it is,
    `to` the new name and `count` the new number. `number` is the version of the table at that moment.
    """

    kind: AnnouncementKind
    by: By
    name: str = ""
    step: Step | None = None
    player: str = ""
    to: str = ""
    count: int = 0
    number: int = 0


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


def why_not_undo(who: UndoBy, step: Step, by: By, name: str) -> tuple[str, str] | None:
    """The reason why a step may not be taken back by this phone, with the player who may; None when it may.

    Whoever holds the box or leads may always.
    """
    if by is not By.PLAYER or who == "everybody":
        return None
    if who == "host":
        return "undo_host", ""
    return None if step.player in ("", name) else ("undo_caller", step.player)


def announced(command: Command, events: Sequence[TableEvent] = ()) -> Announcement | None:
    """The announcement for a command that was done and made `events` happen; None where every screen already
    shows it."""
    match command:
        case cmd.TimeUp() if events:
            step = step_of(events[0])
            return Announcement("time_up", By.BOX, step=step, player=step.player)
        case cmd.Join(by=by, name=name) if events:
            return Announcement("joined", by, name, player=step_of(events[0]).player)
        case cmd.Leave(player=player, by=by, name=name):
            return Announcement("left", by, name, player=player)
        case cmd.HandBack(player=player, count=count, by=by, name=name):
            return Announcement("handed_back", by, name, player=player, count=count)
        case cmd.Rename(player=player, to=to, by=by, name=name):
            return Announcement("renamed", by, name, player=player, to=to)
    return None
