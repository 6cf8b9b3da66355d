"""Status light, seat lamps, light ring and buzzer on the pins of a factory, real and mock alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from hardware.clock import sooner
from hardware.errors import HardwareError, LampMissing, PinError
from hardware.gpio.pins import Device, Devices, Pins, explain
from hardware.gpio.wiring import Wiring
from hardware.lamps import patterns
from hardware.lamps.patterns import Rgb
from hardware.lamps.strip import Pixel, Strip
from hardware.ports import BoxState, Clock, LampView

_STATUS_LEADS: dict[str, Rgb] = {
    "status red": (1.0, 0.0, 0.0),
    "status green": (0.0, 1.0, 0.0),
    "status blue": (0.0, 0.0, 1.0),
}


class PinLights:
    """Lamps and buzzer on pins. One without a pin is computed only; one that can't be opened is in
    `faults()`."""

    def __init__(self, wiring: Wiring, pins: Pins, clock: Clock, strip: Strip | None = None) -> None:
        """With a `strip` the status light and the seat lamps are its pixels, and not on pins."""
        self.wake: Callable[[], None] = lambda: None
        """Has whoever calls `refresh` call it now."""
        self._wiring, self._clock, self._strip = wiring, clock, strip
        self._lock = threading.RLock()
        self._view, self._since_s, self._ring_lit = LampView(BoxState.IDLE), clock.now_s(), False
        self._sound, self._sound_s = BoxState.IDLE, clock.now_s()
        self._done = False
        self._tested: str | None = None
        self._devices = Devices(self._makers(pins), clock, _why_dark)

    def show(self, view: LampView) -> None:
        """Show `view` from now on; the same view again does not restart its pattern.

        The light ring goes on when the camera begins to look, and off when the call is judged.
        """
        with self._lock:
            if view.lights_dice != self._view.lights_dice:
                self.ring(view.lights_dice)
            if view != self._view:
                self._view, self._since_s = view, self._clock.now_s()
        self.wake()

    def ring(self, lit: bool) -> None:
        """Switch the light ring; never by PWM, whose pulses show as bands in a picture."""
        with self._lock:
            self._ring_lit = lit
            self._set("light ring", self._ring())

    def play(self, state: BoxState) -> None:
        """Sound the pattern of a state once; a new one cuts off the old."""
        with self._lock:
            self._sound, self._sound_s = state, self._clock.now_s()
        self.wake()

    def refresh(self) -> float | None:
        """Set each to what it does now; returns the seconds until that changes, None for never."""
        with self._lock:
            if self._done:
                return None
            self._devices.open_when_due()
            self._set("status light", self._rgb())
            self._set("buzzer", self._sounding()[0])
            levels = self._levels()
            for number in range(1, self._seat_lamps + 1):
                self._set(_seat(number), levels[number - 1] if number <= len(levels) else 0.0)
            return self._pause_s()

    def parts(self) -> tuple[str, ...]:
        """The names of all lamps of the wiring, as `test` takes them."""
        status = tuple(_STATUS_LEADS) if self._strip or self._wiring.status is not None else ()
        seats = tuple(_seat(n) for n in range(1, self._seat_lamps + 1))
        return (*status, *seats, *(("light ring",) if self._wiring.ring is not None else ()))

    def test(self, part: str | None) -> None:
        """Light only the lamp called `part`; None shows the view again."""
        with self._lock:
            self._tested = part
            self._set("light ring", self._ring())
            self.refresh()
        self.wake()

    def faults(self) -> tuple[HardwareError, ...]:
        """What could not be opened."""
        with self._lock:
            dark = (self._strip.fault,) if self._strip and self._strip.fault else ()
            return (*self._devices.faults(), *dark)

    def close(self) -> None:
        """All lamps off and silence, pins given back; may be called twice."""
        with self._lock:
            self._done = True
        for device in self._devices.there.values():
            device.off()
        self._devices.close()
        if self._strip:
            self._strip.close()

    @property
    def _seat_lamps(self) -> int:
        """How many seats have a lamp."""
        return self._strip.seats if self._strip else len(self._wiring.seats)

    def _makers(self, pins: Pins) -> dict[str, Callable[[], Device]]:
        """How each lamp of the wiring, and its buzzer, is opened."""
        wiring, makers = self._wiring, dict[str, Callable[[], Device]]()
        if self._strip is not None:
            for pixel in range(self._strip.seats + 1):
                makers[_seat(pixel) if pixel else "status light"] = partial(Pixel, self._strip, pixel)
        elif wiring.status is not None:
            high = not wiring.common_anode
            makers["status light"] = partial(pins.device, "RGBLED", *wiring.status, active_high=high)
        for number, pin in enumerate(() if self._strip else wiring.seats, start=1):
            makers[_seat(number)] = partial(pins.device, "LED", pin)
        if wiring.ring is not None:
            makers["light ring"] = partial(pins.device, "LED", wiring.ring)
        if wiring.buzzer is not None:
            makers["buzzer"] = partial(pins.device, "DigitalOutputDevice", wiring.buzzer)
        return makers

    def _set(self, part: str, value: object) -> None:
        """Drive a device if its value changes: repeating a PWM value makes LEDs shimmer."""
        device = self._devices.there.get(part)
        if device is not None and device.value != value:
            device.value = value

    def _sounding(self) -> tuple[bool, float | None]:
        return patterns.sounding(self._sound, max(0.0, self._clock.now_s() - self._sound_s))

    def _elapsed_s(self) -> float:
        return max(0.0, self._clock.now_s() - self._since_s)

    def _ring(self) -> float:
        return float(self._ring_lit if self._tested is None else self._tested == "light ring")

    def _rgb(self) -> Rgb:
        if self._tested is not None:
            return _STATUS_LEADS.get(self._tested, (0.0, 0.0, 0.0))
        return patterns.status_rgb(self._view.state, self._view.fault, self._elapsed_s())

    def _levels(self) -> tuple[float, ...]:
        if self._tested is not None:
            return tuple(float(self._tested == _seat(n)) for n in range(1, self._seat_lamps + 1))
        return tuple(patterns.SEAT[lamp].level(self._elapsed_s()) for lamp in self._view.seats)

    def _pause_s(self) -> float | None:
        """Seconds until anything changes."""
        running = [patterns.status_signal(self._view.state, self._view.fault).pattern]
        running += [patterns.SEAT[lamp] for lamp in self._view.seats]
        pauses = [pattern.next_change_s(self._elapsed_s()) for pattern in running]
        pause_s = min((pause for pause in pauses if pause is not None), default=None)
        return sooner(sooner(pause_s, self._sounding()[1]), self._devices.pause_s())


def _why_dark(part: str, error: Exception) -> HardwareError:
    """The error of a lamp that can't be driven; a cause that holds for every pin is kept."""
    fault = explain(part, error)
    dark = type(fault) is PinError and part != "buzzer"
    return LampMissing(fault.sentence) if dark else fault


def _seat(number: int) -> str:
    return f"lamp of seat {number}"
