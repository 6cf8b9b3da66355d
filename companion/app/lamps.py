"""Lamps and sound of the box: what they show of a snapshot, and the shell that shows it."""

from __future__ import annotations

from companion.table.table import Snapshot
from companion.table.words import hindrance, seat_words, state_word
from hardware.ports import BoxState, LampView, Lights, SeatLamp, Sound


class Signals:
    """Shows every snapshot with the lamps, and plays a sound when the state word changes."""

    def __init__(self, lights: Lights, sound: Sound) -> None:
        self._lights, self._sound = lights, sound
        self._sounded, self._complained = BoxState.IDLE, ""

    def show(self, now: Snapshot) -> None:
        """Show `now`. The same fault sounds once, until it is gone."""
        shown = lamp_view(now)
        self._lights.show(shown)
        if shown.state != self._sounded and not (shown.fault and shown.fault == self._complained):
            self._sound.play(shown.state)
        self._sounded = shown.state
        reasons = [fault.reason for _, fault in now.faults]
        self._complained = shown.fault or (self._complained if self._complained in reasons else "")


def lamp_view(now: Snapshot) -> LampView:
    """Everything the lamps show of `now`: pure, made from the state word and not from all a page shows."""
    state = BoxState(state_word(now))
    fault = hindrance(now)
    reason = fault.reason if fault and state is BoxState.FAULT else ""
    seats = tuple(SeatLamp(word) for word in seat_words(now.state))
    return LampView(state, seats, reason, now.state.reveal is not None)
