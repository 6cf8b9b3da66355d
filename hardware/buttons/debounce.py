"""Debounces one button: from raw edges to events. Pure, every time is given.

- A level counts once it has been unchanged for `stable_s`.
- A press shorter than `minimum_s` is noise from the wire.
- After a press, others are ignored for `lockout_s`.
- A press of `hold_s` is reported as held while the finger is still down; its release reports nothing.
- A button down for `stuck_s` is stuck.
- Two buttons held together for `together_s` are a gesture: see `hardware/buttons/together.py`.

Debouncing of libraries differs between back ends and loses releases, so none is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of a button in seconds."""

    stable_s: float = 0.03
    minimum_s: float = 0.05
    lockout_s: float = 0.25
    hold_s: float = 1.2
    together_s: float = 3.0
    switch_off_s: float = 10.0
    stuck_s: float = 20.0


class EventKind(Enum):
    """The kind of an event of a button."""

    SHORT = "short"
    HELD = "held"
    STUCK = "stuck"
    FREED = "freed"


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """An event of a button, and when it became true."""

    kind: EventKind
    at_s: float


@dataclass(frozen=True, slots=True)
class ButtonState:
    """The state of one button.

    `level` is the raw level since `level_s`. `down_s` is when the accepted press began, None while up.
    `reported`: this press has been reported or is to be ignored. Presses before `ignore_until_s` are too.
    """

    level: bool = False
    level_s: float = float("-inf")
    down_s: float | None = None
    reported: bool = False
    stuck: bool = False
    ignore_until_s: float = float("-inf")


Step = tuple[ButtonState, tuple[ButtonEvent, ...]]


def at_rest(level: bool, now_s: float) -> ButtonState:
    """The state of a button just opened. One that is already down is ignored until it has been let go."""
    return ButtonState(level=level, level_s=now_s, down_s=now_s if level else None, reported=level)


def edge(state: ButtonState, level: bool, at_s: float, timing: Timing) -> Step:
    """The raw level became `level` at `at_s`. An edge older than the last one counts at the time of that."""
    at_s = max(at_s, state.level_s)
    state, events = advance(state, at_s, timing)
    if level != state.level:
        state = replace(state, level=level, level_s=at_s)
    return state, events


def advance(state: ButtonState, now_s: float, timing: Timing) -> Step:
    """Let time pass until `now_s` without an edge."""
    events: list[ButtonEvent] = []
    settled = state.level_s + timing.stable_s <= now_s
    if state.down_s is None and state.level and settled:
        state = replace(state, down_s=state.level_s, reported=state.level_s < state.ignore_until_s)
    if state.down_s is not None:
        state = _while_down(state, now_s, timing, events)
        if not state.level and settled:
            state = _release(state, timing, events)
    return state, tuple(events)


def _while_down(state: ButtonState, now_s: float, timing: Timing, events: list[ButtonEvent]) -> ButtonState:
    """Report a hold, and that the button is stuck, once each has lasted long enough."""
    assert state.down_s is not None
    held_at_s, stuck_at_s = state.down_s + timing.hold_s, state.down_s + timing.stuck_s
    last_s = now_s if state.level else state.level_s
    if not state.reported and last_s >= held_at_s:
        events.append(ButtonEvent(EventKind.HELD, held_at_s))
        state = replace(state, reported=True)
    if not state.stuck and last_s >= stuck_at_s:
        events.append(ButtonEvent(EventKind.STUCK, stuck_at_s))
        state = replace(state, stuck=True)
    return state


def _release(state: ButtonState, timing: Timing, events: list[ButtonEvent]) -> ButtonState:
    """On release report a short press, unless it was noise, a hold, or too soon after the last."""
    assert state.down_s is not None
    released_s = state.level_s
    long_enough = released_s - state.down_s >= timing.minimum_s
    if state.stuck:
        events.append(ButtonEvent(EventKind.FREED, released_s))
    if not state.reported and long_enough:
        events.append(ButtonEvent(EventKind.SHORT, released_s))
    ignore_until_s = released_s + timing.lockout_s if long_enough else state.ignore_until_s
    return replace(state, down_s=None, reported=False, stuck=False, ignore_until_s=ignore_until_s)


def due_s(state: ButtonState, timing: Timing) -> float | None:
    """When `advance` has to be called next if no edge comes; None when nothing is pending."""
    settles_s = state.level_s + timing.stable_s
    if state.down_s is None:
        return settles_s if state.level else None
    if not state.level:
        return settles_s
    if not state.reported:
        return state.down_s + timing.hold_s
    return None if state.stuck else state.down_s + timing.stuck_s
