"""Colour and pattern of the status light in every state, patterns of seat lamps and buzzer, as data. Pure.

About one player in twelve cannot distinguish red from green, so no two states share a pattern. Nothing
flashes more than three times a second. docs/reference/lamps.md is made from these tables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate

from hardware.ports import BoxState, SeatLamp

Rgb = tuple[float, float, float]

FRAME_S = 0.05


@dataclass(frozen=True, slots=True)
class Pattern:
    """Brightness over time, repeated: `steps` of (duration in s, level from 0 to 1).

    A `smooth` pattern fades from each level to the next; any other jumps. `words` describe it to people.
    """

    words: str
    steps: tuple[tuple[float, float], ...]
    smooth: bool = False

    @property
    def period_s(self) -> float:
        """Seconds until the pattern repeats."""
        return sum(seconds for seconds, _ in self.steps)

    def level(self, since_s: float) -> float:
        """The level from 0 to 1, `since_s` seconds after the pattern began."""
        index, into = self._place(since_s)
        seconds, level = self.steps[index]
        if not self.smooth:
            return level
        following = self.steps[(index + 1) % len(self.steps)][1]
        return level + (following - level) * (1 - math.cos(math.pi * into / seconds)) / 2

    def next_change_s(self, since_s: float) -> float | None:
        """Seconds until the level changes next; None for a constant pattern."""
        if len(self.steps) == 1:
            return None
        index, into = self._place(since_s)
        return FRAME_S if self.smooth else max(0.001, self.steps[index][0] - into)

    def _place(self, since_s: float) -> tuple[int, float]:
        """The index of the current step, and the seconds since it began."""
        along = since_s % self.period_s
        ends = list(accumulate(seconds for seconds, _ in self.steps))
        index = next((i for i, end in enumerate(ends) if along < end), len(ends) - 1)
        return index, along - (ends[index] - self.steps[index][0])


@dataclass(frozen=True, slots=True)
class StatusSignal:
    """How the status light shows one state: `colour` in words, `rgb` from 0 to 1, and the pattern."""

    colour: str
    rgb: Rgb
    pattern: Pattern


def _flashes(count: int) -> Pattern:
    """`count` short flashes, then a pause."""
    on_off = ((0.15, 1.0), (0.2, 0.0)) * count
    words = "one short flash" if count == 1 else f"{count} short flashes"
    return Pattern(f"{words}, then a pause", (*on_off, (1.5, 0.0)))


CONSTANT = Pattern("steady", ((1.0, 1.0),))
DARK = Pattern("dark", ((1.0, 0.0),))
_SLOW_BREATH = Pattern("slow breath", ((2.5, 0.15), (2.5, 0.6)), smooth=True)
_QUICK_BREATH = Pattern("quick breath", ((0.4, 0.2), (0.4, 1.0)), smooth=True)
_LONG_ON = Pattern("long on, short off", ((1.4, 1.0), (0.2, 0.0)))
_EVEN_BLINK = Pattern("even blink", ((0.5, 1.0), (0.5, 0.0)))
_LONG_SHORT = Pattern("long, short", ((0.9, 1.0), (0.2, 0.0), (0.2, 1.0), (0.4, 0.0)))
_RAPID_FLICKER = Pattern("rapid flicker", ((0.17, 1.0), (0.17, 0.0)))

STATUS: dict[BoxState, StatusSignal] = {
    BoxState.IDLE: StatusSignal("white", (0.5, 0.5, 0.5), _SLOW_BREATH),
    BoxState.BIDDING: StatusSignal("blue", (0.0, 0.1, 1.0), CONSTANT),
    BoxState.LOOKING: StatusSignal("yellow", (1.0, 0.6, 0.0), _QUICK_BREATH),
    BoxState.QUESTION: StatusSignal("violet", (0.7, 0.0, 1.0), _flashes(2)),
    BoxState.STANDS: StatusSignal("green", (0.0, 1.0, 0.1), _LONG_ON),
    BoxState.FAILS: StatusSignal("red", (1.0, 0.0, 0.0), _EVEN_BLINK),
    BoxState.OVER: StatusSignal("turquoise", (0.0, 0.9, 0.7), _LONG_SHORT),
    BoxState.FAULT: StatusSignal("red", (1.0, 0.0, 0.0), _RAPID_FLICKER),
}

FAULT_FLASHES: dict[str, int] = {
    "camera_missing": 3,
    "camera_busy": 4,
    "camera_silent": 5,
    "pin_taken": 6,
    "pins_missing": 6,
    "button_stuck": 7,
    "no_permission": 8,
    "disk_full": 9,
    "lamp_missing": 10,
    "under_voltage": 11,
    "settings_set_aside": 12,
}
"""Number of red flashes of each fault, by its reason; a fault that is not listed flickers."""

SEAT: dict[SeatLamp, Pattern] = {
    SeatLamp.OFF: DARK,
    SeatLamp.IN: DARK,
    SeatLamp.STARTS: CONSTANT,
    SeatLamp.LOSES: Pattern("rapid blink", ((0.17, 1.0), (0.17, 0.0))),
    SeatLamp.GAINS: Pattern("double blink", ((0.15, 1.0), (0.15, 0.0), (0.15, 1.0), (0.55, 0.0))),
    SeatLamp.OUT: Pattern("a glint every four seconds", ((0.06, 1.0), (3.94, 0.0))),
}


def status_signal(state: BoxState, fault: str = "") -> StatusSignal:
    """The signal of a state; in state `fault` that of the fault with this reason, if it has one."""
    if state is BoxState.FAULT and fault in FAULT_FLASHES:
        return StatusSignal("red", STATUS[BoxState.FAULT].rgb, _flashes(FAULT_FLASHES[fault]))
    return STATUS[state]


def status_rgb(state: BoxState, fault: str, since_s: float) -> Rgb:
    """Red, green and blue from 0 to 1, `since_s` seconds after the state began."""
    signal = status_signal(state, fault)
    level = signal.pattern.level(since_s)
    red, green, blue = signal.rgb
    return (red * level, green * level, blue * level)


SOUNDS: dict[BoxState, tuple[float, ...]] = {
    BoxState.LOOKING: (0.05,),
    BoxState.QUESTION: (0.08, 0.12, 0.08),
    BoxState.STANDS: (0.5,),
    BoxState.FAILS: (0.12, 0.12, 0.12, 0.12, 0.12),
    BoxState.OVER: (0.1, 0.1, 0.1, 0.1, 0.6),
    BoxState.FAULT: (0.04, 0.06, 0.04, 0.06, 0.04, 0.06, 0.04),
}
"""Seconds on, off, on ... once through. States that are not here are silent."""


def sounding(state: BoxState, since_s: float) -> tuple[bool, float | None]:
    """Whether the buzzer sounds `since_s` seconds into a state's pattern, and seconds until that changes."""
    passed = 0.0
    for index, seconds in enumerate(SOUNDS.get(state, ())):
        passed += seconds
        if since_s < passed:
            return index % 2 == 0, passed - since_s
    return False, None
