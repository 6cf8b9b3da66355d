"""What the lamps say: for every state a colour and a rhythm, as data, and the pure function of time.

Colours alone are no language: about one player in twelve can't tell red from green, so no two states share a
rhythm, and none flashes more than three times a second. docs/reference/lamps.md shows this table; a test
keeps the two alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate

from hardware.ports import BoxState, SeatLamp

Rgb = tuple[float, float, float]

FRAME_S = 0.05


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Levels over time, again and again: `steps` of (seconds, level from 0 to 1).

    A `smooth` rhythm glides from each step's level to the next one's instead of jumping.
    """

    words: str
    steps: tuple[tuple[float, float], ...]
    smooth: bool = False

    @property
    def period_s(self) -> float:
        return sum(seconds for seconds, _ in self.steps)

    def level(self, since_s: float) -> float:
        """The level `since_s` seconds after the rhythm began."""
        index, into = self._place(since_s)
        seconds, level = self.steps[index]
        if not self.smooth:
            return level
        following = self.steps[(index + 1) % len(self.steps)][1]
        return level + (following - level) * (1 - math.cos(math.pi * into / seconds)) / 2

    def next_change_s(self, since_s: float) -> float | None:
        """Seconds until the level changes next; None for a steady rhythm."""
        if len(self.steps) == 1:
            return None
        index, into = self._place(since_s)
        return FRAME_S if self.smooth else max(0.001, self.steps[index][0] - into)

    def _place(self, since_s: float) -> tuple[int, float]:
        """The step that is on, and the seconds since it began."""
        along = since_s % self.period_s
        ends = list(accumulate(seconds for seconds, _ in self.steps))
        index = next((i for i, end in enumerate(ends) if along < end), len(ends) - 1)
        return index, along - (ends[index] - self.steps[index][0])


@dataclass(frozen=True, slots=True)
class Look:
    """How the status light says one state: its colour by word and as (red, green, blue), and its rhythm."""

    colour: str
    rgb: Rgb
    rhythm: Rhythm


def _flashes(count: int) -> Rhythm:
    """`count` short flashes, then a pause."""
    on_off = ((0.15, 1.0), (0.2, 0.0)) * count
    words = "one short flash" if count == 1 else f"{count} short flashes"
    return Rhythm(f"{words}, then a pause", (*on_off, (1.5, 0.0)))


STEADY = Rhythm("steady", ((1.0, 1.0),))
DARK = Rhythm("dark", ((1.0, 0.0),))
_LONG_SHORT = Rhythm("long, short", ((0.9, 1.0), (0.2, 0.0), (0.2, 1.0), (0.4, 0.0)))

STATUS: dict[BoxState, Look] = {
    BoxState.IDLE: Look("white", (0.5, 0.5, 0.5), Rhythm("slow breath", ((2.5, 0.15), (2.5, 0.6)), True)),
    BoxState.BIDDING: Look("blue", (0.0, 0.1, 1.0), STEADY),
    BoxState.LOOKING: Look("yellow", (1.0, 0.6, 0.0), Rhythm("quick breath", ((0.4, 0.2), (0.4, 1.0)), True)),
    BoxState.QUESTION: Look("violet", (0.7, 0.0, 1.0), _flashes(2)),
    BoxState.STANDS: Look("green", (0.0, 1.0, 0.1), Rhythm("long on, short off", ((1.4, 1.0), (0.2, 0.0)))),
    BoxState.FAILS: Look("red", (1.0, 0.0, 0.0), Rhythm("even blink", ((0.5, 1.0), (0.5, 0.0)))),
    BoxState.OVER: Look("turquoise", (0.0, 0.9, 0.7), _LONG_SHORT),
    BoxState.FAULT: Look("red", (1.0, 0.0, 0.0), Rhythm("rapid flicker", ((0.17, 1.0), (0.17, 0.0)))),
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
}
"""How many red flashes tell of which fault; a fault without a number flickers."""

SEAT: dict[SeatLamp, Rhythm] = {
    SeatLamp.OFF: DARK,
    SeatLamp.IN: DARK,
    SeatLamp.STARTS: STEADY,
    SeatLamp.LOSES: Rhythm("rapid blink", ((0.17, 1.0), (0.17, 0.0))),
    SeatLamp.GAINS: Rhythm("double blink", ((0.15, 1.0), (0.15, 0.0), (0.15, 1.0), (0.55, 0.0))),
    SeatLamp.OUT: Rhythm("a glint every four seconds", ((0.06, 1.0), (3.94, 0.0))),
}


def look(state: BoxState, fault: str = "") -> Look:
    """The status light's look for a state, or for a fault told by its reason key."""
    if state is BoxState.FAULT and fault in FAULT_FLASHES:
        return Look("red", STATUS[BoxState.FAULT].rgb, _flashes(FAULT_FLASHES[fault]))
    return STATUS[state]


def status_rgb(state: BoxState, fault: str, since_s: float) -> Rgb:
    """Red, green and blue from 0 to 1 of the status light, `since_s` seconds after the state began."""
    shown = look(state, fault)
    level = shown.rhythm.level(since_s)
    red, green, blue = shown.rgb
    return (red * level, green * level, blue * level)


def seat_level(lamp: SeatLamp, since_s: float) -> float:
    """1 when a seat's lamp is lit, else 0."""
    return SEAT[lamp].level(since_s)
