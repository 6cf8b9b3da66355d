"""Seats, late-comers and the newest announcement, as plain data."""

from __future__ import annotations

from companion.rules.position import Waiting
from companion.table.announcing import Announcement, Step
from companion.table.state import TableState
from companion.table.wire.bid import bid_json
from companion.table.wire.seats import AnnouncementJson, SeatRollJson, StepJson, WaitingJson


def step_view(step: Step | None) -> StepJson | None:
    """A step of a person as data."""
    if step is None:
        return None
    return {
        "kind": step.kind,
        "player": step.player,
        "bid": bid_json(step.bid) if step.bid else None,
    }


def announcement_view(announced: Announcement | None) -> AnnouncementJson | None:
    """The last announcement to all phones; `number` rises with each."""
    if announced is None:
        return None
    return {
        "kind": announced.kind,
        "by": announced.by,
        "name": announced.name,
        "step": step_view(announced.step),
        "player": announced.player,
        "to": announced.to,
        "count": announced.count,
        "number": announced.number,
    }


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
