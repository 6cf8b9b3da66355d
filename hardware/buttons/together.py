"""Two buttons held together, the gesture that play never makes: pure, with every time given.

OK and another button, both down within the time of a hold and both down for `together_s`, are one gesture;
what either would have said alone is then not told. A hold beside which the other button was only tapped
is told as usual, when that button is let go. A box without OK uses its first two buttons.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hardware.buttons.debounce import ButtonState, Happening, Timing, Told

Named = tuple[str, Happening]
"""What one button has to tell."""


@dataclass(frozen=True, slots=True)
class Together:
    """What is known of buttons that are down at once.

    `waiting` are holds that are not told yet, for another button is down as well; `told` says that those
    which wait were the gesture.
    """

    waiting: tuple[Named, ...] = ()
    told: bool = False

    def waits(self, name: str) -> bool:
        """Whether the hold of that button is kept back."""
        return any(name == other for other, _ in self.waiting)


@dataclass(frozen=True, slots=True)
class Step:
    """What comes of some happenings: what is to be told, and when the gesture was complete, if it was."""

    state: Together
    tell: tuple[Named, ...] = ()
    gesture_s: float | None = None


def sorted_out(
    state: Together,
    happened: Sequence[Named],
    buttons: Mapping[str, ButtonState],
    now_s: float,
    timing: Timing,
) -> Step:
    """Hold back what may become the gesture, and tell the rest, in order."""
    tell: list[Named] = []
    held = {name for name, happening in happened if happening.told is Told.HELD}
    for name, happening in happened:
        if happening.told is Told.HELD and _partner(state, name, buttons, held):
            state = replace(state, waiting=(*state.waiting, (name, happening)))
        else:
            tell.append((name, happening))
    state, late = _let_go(state, buttons)
    due_s = gesture_due_s(state, buttons, timing)
    if due_s is None or due_s > now_s:
        return Step(state, (*tell, *late))
    return Step(replace(state, told=True), (*tell, *late), due_s)


def gesture_due_s(state: Together, buttons: Mapping[str, ButtonState], timing: Timing) -> float | None:
    """When the buttons that wait will have been held together long enough; None when that is not coming."""
    since = [buttons[name].down_s for name, _ in state.waiting]
    down = [at_s for at_s in since if at_s is not None]
    return max(down) + timing.together_s if len(down) >= 2 and not state.told else None


def _partner(
    state: Together, name: str, buttons: Mapping[str, ButtonState], held: Collection[str] = ()
) -> bool:
    """Whether another button is down that could make the gesture with this one; `held` were told just now."""
    return any(
        _a_pair(name, other, tuple(buttons)) and (state.waits(other) or other in held or not now.spoken)
        for other, now in buttons.items()
        if other != name and now.down_s is not None
    )


def _a_pair(one: str, other: str, names: Sequence[str]) -> bool:
    return "ok" in (one, other) if "ok" in names else {one, other} == set(names[:2])


def _let_go(state: Together, buttons: Mapping[str, ButtonState]) -> tuple[Together, tuple[Named, ...]]:
    """Forget a gesture that was ended, told or too short; a hold that lost its partner is told after all."""
    up = [name for name, _ in state.waiting if buttons[name].down_s is None]
    if len(state.waiting) >= 2:
        done = len(up) == len(state.waiting)
        return (Together() if done else replace(state, told=state.told or bool(up))), ()
    if not state.waiting or (not up and _partner(Together(), state.waiting[0][0], buttons)):
        return state, ()
    return Together(), state.waiting
