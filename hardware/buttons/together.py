"""Two buttons held together, the gesture that play never makes. Pure, every time is given.

OK and another button are one gesture if both go down within the time of a hold and stay down for
`together_s`, and a second one if they stay down for `switch_off_s`. Their own events are then not reported. A
hold beside which the other button was only tapped is reported when that button is released. A box without OK
uses its first two buttons.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hardware.buttons.debounce import ButtonEvent, ButtonState, EventKind, Timing

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

    def waits(self, name: str) -> bool:
        """Whether the hold of that button is not reported yet."""
        return any(name == other for other, _ in self.waiting)


@dataclass(frozen=True, slots=True)
class Step:
    """The new state, the events to report, and when the gesture or the longer one was complete, if it was."""

    state: Together
    report: tuple[Named, ...] = ()
    gesture_s: float | None = None
    switch_off_s: float | None = None


def sorted_out(
    state: Together,
    events: Sequence[Named],
    buttons: Mapping[str, ButtonState],
    now_s: float,
    timing: Timing,
) -> Step:
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
        return Step(state, (*report, *late))
    if state.complete:
        return Step(replace(state, over=True), (*report, *late), switch_off_s=due_s)
    return Step(replace(state, complete=True), (*report, *late), due_s)


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
    return any(
        _a_pair(name, other, tuple(buttons)) and (state.waits(other) or other in held or not now.reported)
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
