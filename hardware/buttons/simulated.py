"""Fingers for the simulated box: they press mock pins, so that a press goes the way of a real one."""

from __future__ import annotations

import threading

from hardware.buttons.pin_buttons import PinButtons
from hardware.clock import SkippingClock
from hardware.gpio.pins import Pins
from hardware.gpio.wiring import Wiring


class SimulatedBox:
    """Fingers for mock pins: a press drives the pin, so it goes the way of a real one, and takes no time."""

    def __init__(self, buttons: PinButtons, wiring: Wiring, pins: Pins) -> None:
        if not isinstance(pins.clock, SkippingClock):
            raise ValueError("only mock pins can be pressed by the program")
        self._buttons, self._clock, self._factory = buttons, pins.clock, pins.factory
        self._numbers = dict(wiring.buttons)
        self._lock = threading.Lock()

    def press(self, name: str, held: bool = False) -> None:
        """Press and let go of the button `name`; raises KeyError for a button that is not there."""
        pin = self._factory.pin(f"GPIO{self._numbers[name]}")
        timing = self._buttons.timing
        long_s = timing.hold_s if held else timing.minimum_s
        with self._lock:
            self._pass(timing.lockout_s)
            pin.drive_low()
            self._pass(long_s + timing.stable_s)
            pin.drive_high()
            self._pass(timing.stable_s)

    def hold_together(self, *names: str) -> None:
        """Hold these buttons together until that is a gesture, and let go; raises KeyError as `press`."""
        pins = [self._factory.pin(f"GPIO{self._numbers[name]}") for name in names]
        timing = self._buttons.timing
        with self._lock:
            self._pass(timing.lockout_s)
            for pin in pins:
                pin.drive_low()
            self._pass(timing.stable_s)
            self._pass(timing.hold_s)
            self._pass(timing.together_s)
            for pin in pins:
                pin.drive_high()
            self._pass(timing.stable_s)

    def _pass(self, seconds: float) -> None:
        self._clock.skip(seconds)
        self._buttons.settle()
