"""Seats, late-comers and the newest announcement, as plain data."""

from __future__ import annotations

from companion.rules.position import Waiting
from companion.table.ledger import Note, Step
from companion.table.state import TableState
from companion.table.wire.bid import bid_json
from companion.table.wire.seats import AnnouncementJson, NoteJson, SeatRollJson, StepJson, WaitingJson


def step_view(step: Step | None) -> StepJson | None:
    """A step of a person as data."""
    if step is None:
        return None
    return {
        "kind": step.kind,
        "player": step.player,
        "bid": bid_json(step.bid) if step.bid else None,
    }


def note_view(note: Note) -> NoteJson:
    """A note to all phones as data."""
    return {
        "kind": note.kind,
        "round": note.round,
        "by": note.by,
        "name": note.name,
        "step": step_view(note.step),
        "player": note.player,
        "to": note.to,
        "count": note.count,
    }


def announcement_view(note: Note | None, number: int) -> AnnouncementJson | None:
    """The last note to all phones; `number` rises with each."""
    return {**note_view(note), "number": number} if note else None


def seat_roll_view(state: TableState) -> SeatRollJson | None:
    """What came of the roll for seats or starter, until somebody bids."""
    found, game = state.rolled_off, state.game
    if found is None or game is None or game.round.number != 1 or game.round.bids:
        return None
    return {
        "rolls": [dict(round_) for round_ in found.rolls],
        "before": list(found.before),
        "seats": [player.name for player in game.players],
        "starter": game.round.starter,
    }


def waiting_view(state: TableState, one: Waiting) -> WaitingJson:
    """Somebody who came late as data."""
    return {
        "name": one.name,
        "colour": one.colour,
        "after": one.after,
        "phone_cup": one.name in state.cups,
        "bot": dict(state.bots).get(one.name),
    }
