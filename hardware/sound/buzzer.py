"""A buzzer with one pattern for every state that makes a sound."""

from __future__ import annotations

import threading

from hardware.clock import sooner
from hardware.errors import HardwareError
from hardware.gpio.pins import Devices, Pins
from hardware.gpio.wiring import Wiring
from hardware.ports import BoxState, Clock
from hardware.ticker import Beat, Ticker

PATTERNS: dict[BoxState, tuple[float, ...]] = {
    BoxState.LOOKING: (0.05,),
    BoxState.QUESTION: (0.08, 0.12, 0.08),
    BoxState.STANDS: (0.5,),
    BoxState.FAILS: (0.12, 0.12, 0.12, 0.12, 0.12),
    BoxState.OVER: (0.1, 0.1, 0.1, 0.1, 0.6),
    BoxState.FAULT: (0.04, 0.06, 0.04, 0.06, 0.04, 0.06, 0.04),
}
"""Seconds on, off, on ... once through. States that are not here are silent."""


def sounding(state: BoxState | None, since_s: float) -> tuple[bool, float | None]:
    """Whether the buzzer sounds `since_s` seconds into a state's pattern, and seconds until that changes."""
    passed = 0.0
    for index, seconds in enumerate(PATTERNS.get(state, ()) if state is not None else ()):
        passed += seconds
        if since_s < passed:
            return index % 2 == 0, passed - since_s
    return False, None


class PinSound:
    """A buzzer on a pin; without a pin, or with one that can't be opened, the patterns run unheard."""

    def __init__(self, wiring: Wiring, pins: Pins, clock: Clock, beat: Beat = None) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._state: BoxState | None = None
        self._since_s = clock.now_s()
        self._done = False
        pin = wiring.buzzer
        opened = {} if pin is None else {"buzzer": lambda: pins.device("DigitalOutputDevice", pin)}
        self._devices = Devices(opened, clock)
        self._ticker = Ticker("sound", self.refresh, beat)

    def play(self, state: BoxState) -> None:
        """Play the pattern of `state` once; a new one cuts off the old."""
        with self._lock:
            self._state, self._since_s = state, self._clock.now_s()
        self._ticker.wake()

    def refresh(self) -> float | None:
        """Set the buzzer to what it does now; returns the seconds until that changes, None for never."""
        with self._lock:
            if self._done:
                return None
            self._devices.open_when_due()
            on, pause_s = self._now()
            for device in self._devices.there.values():
                if bool(device.value) != on:
                    device.value = on
            return sooner(pause_s, self._devices.pause_s())

    def faults(self) -> tuple[HardwareError, ...]:
        """The faults that keep the buzzer silent."""
        return self._devices.faults()

    def close(self) -> None:
        """Silence; the pin is given back; may be called twice."""
        with self._lock:
            self._done = True
        self._ticker.close()
        for device in self._devices.there.values():
            device.off()
        self._devices.close()

    def _now(self) -> tuple[bool, float | None]:
        return sounding(self._state, max(0.0, self._clock.now_s() - self._since_s))
