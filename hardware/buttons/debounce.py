"""Debounces buttons: from raw edges to events. Pure, every time is given.

- A level counts once it has been unchanged for `stable_s`.
- A press shorter than `minimum_s` is noise from the wire.
- After a press, others are ignored for `lockout_s`.
- A press of `hold_s` is reported as held while the finger is still down; its release reports nothing.
- A button down for `stuck_s` is stuck.
- Two buttons held together for `together_s` are a gesture that play never makes, for `switch_off_s` another.

OK and another button are one gesture if both go down within the time of a hold. Their own events are then not
reported. A hold beside which the other button was only tapped is reported when that button is released. A box
without OK uses its first two buttons.

Debouncing of libraries differs between back ends and loses releases, so none is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from hardware.ports import SWITCH_OFF, TOGETHER


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


USUAL = Timing()
"""The times of the box's buttons."""


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


Named = tuple[str, ButtonEvent]
"""The name of a button, and its event."""


@dataclass(frozen=True, slots=True)
class Together:
    """The state of buttons that are down at once.

    `waiting` are holds that are not reported yet, because another button is down as well. `complete`: those
    were the gesture. `over`: they were the longer one too, or can no longer become it.
    """

    waiting: tuple[Named, ...] = ()
    complete: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Sorted:
    """The new state, the events to report, and the gesture that became complete, and when, if one did."""

    state: Together
    report: tuple[Named, ...] = ()
    gesture: tuple[str, float] | None = None


def sorted_out(
    state: Together,
    events: Sequence[Named],
    buttons: Mapping[str, ButtonState],
    now_s: float,
    timing: Timing,
) -> Sorted:
    """Keep back what may become the gesture, and report the rest, in order."""
    report: list[Named] = []
    held = {name for name, event in events if event.kind is EventKind.HELD}
    for name, event in events:
        if event.kind is EventKind.HELD and _partner(state, name, buttons, held):
            state = replace(state, waiting=(*state.waiting, (name, event)))
        else:
            report.append((name, event))
    state, late = _let_go(state, buttons)
    due_s = gesture_due_s(state, buttons, timing)
    if due_s is None or due_s > now_s:
        return Sorted(state, (*report, *late))
    if state.complete:
        return Sorted(replace(state, over=True), (*report, *late), (SWITCH_OFF, due_s))
    return Sorted(replace(state, complete=True), (*report, *late), (TOGETHER, due_s))


def gesture_due_s(state: Together, buttons: Mapping[str, ButtonState], timing: Timing) -> float | None:
    """When the waiting buttons will have been held together long enough for the next gesture; None if they
    will not."""
    since = {name: buttons[name].down_s for name, _ in state.waiting}
    down = {name: at_s for name, at_s in since.items() if at_s is not None}
    if state.over or not _has_a_pair(tuple(down), tuple(buttons)):
        return None
    return max(down.values()) + (timing.switch_off_s if state.complete else timing.together_s)


def _partner(
    state: Together, name: str, buttons: Mapping[str, ButtonState], held: Collection[str] = ()
) -> bool:
    """Whether another button is down that could make the gesture with this one; `held` are new holds."""
    held = {*held, *(waiting for waiting, _ in state.waiting)}
    return any(
        _a_pair(name, other, tuple(buttons)) and (other in held or not now.reported)
        for other, now in buttons.items()
        if other != name and now.down_s is not None
    )


def _a_pair(one: str, other: str, names: Sequence[str]) -> bool:
    return "ok" in (one, other) if "ok" in names else {one, other} == set(names[:2])


def _has_a_pair(some: Sequence[str], names: Sequence[str]) -> bool:
    """Whether two of some buttons make the gesture; `names` are all buttons of the box."""
    return any(_a_pair(one, other, names) for n, one in enumerate(some) for other in some[:n])


def _let_go(state: Together, buttons: Mapping[str, ButtonState]) -> tuple[Together, tuple[Named, ...]]:
    """Forget a gesture that ended, complete or too short; report a hold that lost its partner."""
    up = [name for name, _ in state.waiting if buttons[name].down_s is None]
    if _has_a_pair([name for name, _ in state.waiting], tuple(buttons)):
        done = len(up) == len(state.waiting)
        broken = bool(up)
        left = replace(state, complete=state.complete or broken, over=state.over or broken)
        return (Together() if done else left), ()
    if not up and any(_partner(Together(), name, buttons) for name, _ in state.waiting):
        return state, ()
    return (Together() if state.waiting else state), state.waiting
