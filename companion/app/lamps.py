"""What the lamps show of a snapshot: pure, the same for the box and for the page."""

from __future__ import annotations

from companion.table.table import Snapshot
from companion.table.words import hindrance, seat_words, state_word
from hardware.ports import BoxState, LampView, SeatLamp


def lamp_view(now: Snapshot) -> LampView:
    """Everything the lamps show of `now`; they ask for the state word alone, not for all a page shows."""
    state = BoxState(state_word(now))
    fault = hindrance(now)
    reason = fault.reason if fault and state is BoxState.FAULT else ""
    seats = tuple(SeatLamp(word) for word in seat_words(now.state))
    return LampView(state, seats, reason, now.state.reveal is not None)
