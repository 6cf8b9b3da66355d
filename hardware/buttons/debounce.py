"""From the raw edges of one button to finished presses: pure, with every time given.

A level counts once it has been unchanged for `stable_s`. A press shorter than `minimum_s` is noise from the
wire. After a press the button is deaf for `lockout_s`. A press that lasts `hold_s` is reported as held while
the finger is still down, so that the person feels when it took; its release then says nothing more. A button
down for `stuck_s` is stuck. Two buttons held together for `together_s` are a gesture, told by
`hardware/buttons/together.py`. Library debouncing differs between back ends and loses releases, so none is
used.
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
    stuck_s: float = 20.0


class Told(Enum):
    """What a button has to tell."""

    SHORT = "short"
    HELD = "held"
    STUCK = "stuck"
    FREED = "freed"


@dataclass(frozen=True, slots=True)
class Happening:
    """Something told, and when it became true."""

    told: Told
    at_s: float


@dataclass(frozen=True, slots=True)
class ButtonState:
    """What is known of one button.

    `level` is the raw level since `level_s`; `down_s` is when the accepted press began, None while up.
    `spoken` says that this press has been told or is to be ignored.
    """

    level: bool = False
    level_s: float = float("-inf")
    down_s: float | None = None
    spoken: bool = False
    stuck: bool = False
    deaf_until_s: float = float("-inf")


Step = tuple[ButtonState, tuple[Happening, ...]]


def at_rest(level: bool, now_s: float) -> ButtonState:
    """The state of a button just opened. One that is already down is ignored until it has been let go."""
    return ButtonState(level=level, level_s=now_s, down_s=now_s if level else None, spoken=level)


def edge(state: ButtonState, level: bool, at_s: float, timing: Timing) -> Step:
    """The button's raw level became `level` at `at_s`; edges that arrive late count as arriving now."""
    at_s = max(at_s, state.level_s)
    state, told = advance(state, at_s, timing)
    if level != state.level:
        state = replace(state, level=level, level_s=at_s)
    return state, told


def advance(state: ButtonState, now_s: float, timing: Timing) -> Step:
    """Let time pass until `now_s` without an edge."""
    told: list[Happening] = []
    settled = state.level_s + timing.stable_s <= now_s
    if state.down_s is None and state.level and settled:
        state = replace(state, down_s=state.level_s, spoken=state.level_s < state.deaf_until_s)
    if state.down_s is not None:
        state = _while_down(state, now_s, timing, told)
        if not state.level and settled:
            state = _release(state, timing, told)
    return state, tuple(told)


def _while_down(state: ButtonState, now_s: float, timing: Timing, told: list[Happening]) -> ButtonState:
    """Tell of a hold or of being stuck once each has lasted long enough."""
    assert state.down_s is not None
    held_at_s, stuck_at_s = state.down_s + timing.hold_s, state.down_s + timing.stuck_s
    last_s = now_s if state.level else state.level_s
    if not state.spoken and last_s >= held_at_s:
        told.append(Happening(Told.HELD, held_at_s))
        state = replace(state, spoken=True)
    if not state.stuck and last_s >= stuck_at_s:
        told.append(Happening(Told.STUCK, stuck_at_s))
        state = replace(state, stuck=True)
    return state


def _release(state: ButtonState, timing: Timing, told: list[Happening]) -> ButtonState:
    """The finger has gone: tell of a short press, unless it was noise, a hold, or too soon after the last."""
    assert state.down_s is not None
    released_s = state.level_s
    long_enough = released_s - state.down_s >= timing.minimum_s
    if state.stuck:
        told.append(Happening(Told.FREED, released_s))
    if not state.spoken and long_enough:
        told.append(Happening(Told.SHORT, released_s))
    deaf_until_s = released_s + timing.lockout_s if long_enough else state.deaf_until_s
    return replace(state, down_s=None, spoken=False, stuck=False, deaf_until_s=deaf_until_s)


def due_s(state: ButtonState, timing: Timing) -> float | None:
    """When `advance` will next have something to do if no edge comes; None when nothing is pending."""
    settles_s = state.level_s + timing.stable_s
    if state.down_s is None:
        return settles_s if state.level else None
    if not state.level:
        return settles_s
    if not state.spoken:
        return state.down_s + timing.hold_s
    return None if state.stuck else state.down_s + timing.stuck_s
