"""A buzzer with one pattern for every state that makes a sound."""

from __future__ import annotations

import logging
import threading

from hardware.clock import Retry, sooner
from hardware.errors import HardwareError
from hardware.gpio.pins import Device, Pins, explain
from hardware.gpio.wiring import Wiring
from hardware.ports import BoxState, Clock
from hardware.ticker import Beat, Ticker

_log = logging.getLogger(__name__)

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
        self._pin, self._pins, self._clock = wiring.buzzer, pins, clock
        self._lock = threading.RLock()
        self._state: BoxState | None = None
        self._since_s = clock.now_s()
        self._device: Device = None
        self._fault: HardwareError | None = None
        self._done = False
        self._retry = Retry(clock)
        self.reopen()
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
            if self._fault is not None and self._retry.due():
                self.reopen()
            on, pause_s = self._now()
            if self._device is not None and bool(self._device.value) != on:
                self._device.value = on
            return sooner(pause_s, self._retry.pause_s() if self._fault is not None else None)

    def reopen(self) -> None:
        """Try again to open a buzzer that could not be opened."""
        from gpiozero import DigitalOutputDevice

        if self._pin is None or self._device is not None:
            return
        try:
            self._device, self._fault = DigitalOutputDevice(self._pin, pin_factory=self._pins.factory), None
        except Exception as error:
            known, self._fault = self._fault, explain("buzzer", error)
            if str(known) != str(self._fault):
                _log.warning("%s", self._fault)

    def faults(self) -> tuple[HardwareError, ...]:
        """The faults that keep the buzzer silent."""
        return () if self._fault is None else (self._fault,)

    def close(self) -> None:
        """Silence; the pin is given back; may be called twice."""
        with self._lock:
            self._done = True
        self._ticker.close()
        device, self._device = self._device, None
        if device is not None:
            device.off()
            device.close()

    def _now(self) -> tuple[bool, float | None]:
        return sounding(self._state, max(0.0, self._clock.now_s() - self._since_s))
