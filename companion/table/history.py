"""The history of a game: what of a journal's records stands, and what the last step of a person was.

What changes a thing that every screen had shown is announced to all phones, with its author.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.errors import BadCommand
from companion.json_types import Body, whole
from companion.rules.calls import BidCall, Call
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
from companion.table import ledger as ledgers
from companion.table.commands import Author, By, Command
from companion.table.ledger import EMPTY, Kind, Ledger, Note, Renamed, Step, noted, renamed
from companion.table.table_events import (
    Amended,
    Asked,
    BotSeated,
    ColoursLearnt,
    Corrected,
    Cups,
    Observed,
    Rolled,
    RollTied,
    TableEvent,
    from_json,
)

PASSED_OVER = "passed_over"
"""A record of older versions: those before it from number `from` on could not be read, and are left out."""


def replay(bodies: Iterable[Body]) -> tuple[list[TableEvent], bool]:
    """The events that a journal's records leave standing, and whether the last record took some back."""
    history: list[TableEvent] = []
    undone = False
    for _, body in standing(bodies):
        entry = ledgers.from_json(body)
        if isinstance(entry, Renamed):
            history = list(renamed(tuple(history), entry.player, entry.to))
        if entry is not None:
            continue
        undone = body.get("event") == "undone"
        follow(history, body)
    return history, undone


def follow(history: list[TableEvent], body: Body) -> None:
    """Let one record add to the history, or take some of it back; raises BadCommand."""
    if body.get("event") != "undone":
        history.append(from_json(body))
        return
    keep = whole(body["keep"])
    if not 0 <= keep <= len(history):
        raise BadCommand("event_unreadable", cause=f"keep {keep} of {len(history)}")
    del history[keep:]


def standing(bodies: Iterable[Body]) -> list[tuple[int, Body]]:
    """The records with their numbers, without those that a later one passes over."""
    kept: list[tuple[int, Body]] = []
    for number, body in enumerate(bodies, 1):
        if body.get("event") == PASSED_OVER:
            kept = [entry for entry in kept if entry[0] < whole(body["from"])]
        else:
            kept.append((number, body))
    return kept


def ledger_of(bodies: Iterable[Body]) -> Ledger:
    """The ledger, which no undo takes back, from a journal's records."""
    return noted(EMPTY, filter(None, (ledgers.from_json(body) for _, body in standing(bodies))))


def keep_on_undo(history: list[TableEvent]) -> int | None:
    """How many events stay when the last step of a person is taken back; None when none was.

    Looks come by themselves and go with the call or the correction before them, dice rolled in phones with
    the round they were rolled for, as do colours learnt on the way. A correction goes alone, what the camera
    saw before it stays. A verdict goes with the correction that made it, or with its call where nothing was
    looked at: the dice are in phones.
    """
    keep = len(history)
    while keep and _by_itself(history[keep - 1]):
        keep -= 1
    if (
        keep > 1
        and isinstance(history[keep - 1], Revealed)
        and isinstance(history[keep - 2], Called | Corrected)
    ):
        keep -= 1
    return keep - 1 if keep > 1 and not isinstance(history[keep - 1], Started | Cups) else None


def _by_itself(event: TableEvent) -> bool:
    """Whether it belongs to the event before: observations, phone rolls, learnt colours, levels of bots."""
    learnt = isinstance(event, ColoursLearnt) and bool(event.colours)
    return learnt or isinstance(event, Observed | Rolled | BotSeated)


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
    Amended: "amended",
    Started: "start",
}


def step_of(event: TableEvent) -> Step:
    """What kind of step made this happen, and whose."""
    if isinstance(event, Called):
        call = event.call
        return Step(_word(type(call)), call.by, call.bid if isinstance(call, BidCall) else None)
    return Step(_KINDS.get(type(event), "other"), getattr(event, "player", ""))


def _word(call: type[Call]) -> str:
    return str(call.__struct_config__.tag).removeprefix("choose_").removeprefix("declare_")


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
