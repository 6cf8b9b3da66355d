"""Status light, seat lamps and light ring on the pins of a factory, real and mock alike."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from hardware.clock import Retry, sooner
from hardware.errors import HardwareError, LampMissing
from hardware.gpio.pins import Device, Pins, explain
from hardware.gpio.wiring import Wiring, checked
from hardware.lamps import patterns
from hardware.lamps.patterns import Rgb
from hardware.lamps.strip import StripLamps, seat_pixel, status_pixel
from hardware.ports import BoxState, Clock, LampView, SeatLamp
from hardware.ticker import Beat, Ticker

_log = logging.getLogger(__name__)
T = TypeVar("T")

RING_AT_WORK = 1.0
"""Plainly on, without PWM, while pictures are taken."""

_STATUS_LEADS: dict[str, Rgb] = {
    "status red": (1.0, 0.0, 0.0),
    "status green": (0.0, 1.0, 0.0),
    "status blue": (0.0, 0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """The present light of the lamps, read back from the pins where a lamp has one.

    `rgb` are red, green and blue from 0 to 1, `seats` one level for each seat of the view. `colour` and
    `pattern` describe the status light in words.
    """

    view: LampView
    rgb: Rgb
    seats: tuple[float, ...]
    ring: float
    colour: str
    pattern: str


class PinLights:
    """Lamps on pins. A lamp without a pin is computed only; one that can't be opened is in `faults()`."""

    def __init__(
        self, wiring: Wiring, pins: Pins, clock: Clock, beat: Beat = None, strip: StripLamps | None = None
    ) -> None:
        """With a `strip` the status light and the seat lamps are its pixels, and not on pins."""
        self._wiring, self._pins, self._clock, self._strip = wiring, pins, clock, strip
        self._lock = threading.RLock()
        self._view, self._since_s, self._ring_level = LampView(BoxState.IDLE), clock.now_s(), 0.0
        self._devices: dict[str, Device] = {}
        self._failed: dict[str, HardwareError] = {}
        self._ring_at_work = RING_AT_WORK
        self._done = False
        self._tested: str | None = None
        self._retry = Retry(clock)
        self.reopen()
        self._ticker = Ticker("lights", self.refresh, beat)

    def show(self, view: LampView) -> None:
        """Show `view` from now on; the same view again does not restart its pattern.

        The light ring goes on when the camera begins to look, and off when the call is judged.
        """
        with self._lock:
            if view.lights_dice != self._view.lights_dice:
                self._ring_level = self._ring_at_work if view.lights_dice else 0.0
                self._set("light ring", self._ring())
            if view != self._view:
                self._view, self._since_s = view, self._clock.now_s()
        self._ticker.wake()

    def ring(self, level: float) -> None:
        """Set the light ring from 0 (off) to 1; other values are clamped.

        A level above 0 becomes the level for pictures, too.
        """
        with self._lock:
            self._ring_level = min(1.0, max(0.0, level))
            self._ring_at_work = self._ring_level or self._ring_at_work
            self._set("light ring", self._ring())

    def shown(self) -> Shown:
        """The present light of the lamps."""
        with self._lock:
            self.refresh()
            signal = patterns.status_signal(self._view.state, self._view.fault)
            rgb = self._read("status light", self._rgb())
            levels = tuple(self._read(_seat(n), level) for n, level in enumerate(self._levels(), start=1))
            ring = self._read("light ring", self._ring())
            return Shown(self._view, rgb, levels, ring, signal.colour, signal.pattern.words)

    def refresh(self) -> float | None:
        """Set every lamp to what it shows now; returns the seconds until that changes, None for never."""
        with self._lock:
            if self._done:
                return None
            if self._failed and self._retry.due():
                self.reopen()
            self._set("status light", self._rgb())
            levels = self._levels()
            for number in range(1, self._seat_lamps + 1):
                self._set(_seat(number), levels[number - 1] if number <= len(levels) else 0.0)
            return self._pause_s()

    def reopen(self) -> None:
        """Try again to open the lamps that could not be opened."""
        with self._lock:
            for part, make in self._makers().items():
                if part not in self._devices:
                    self._open(part, make)

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
        self._ticker.wake()

    def faults(self) -> tuple[HardwareError, ...]:
        """The lamps that could not be opened."""
        with self._lock:
            dark = (self._strip.fault,) if self._strip and self._strip.fault else ()
            return (*self._failed.values(), *dark)

    def close(self) -> None:
        """All lamps off, pins given back; may be called twice."""
        with self._lock:
            self._done = True
        self._ticker.close()
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.off()
            device.close()
        if self._strip:
            self._strip.close()

    @property
    def _seat_lamps(self) -> int:
        """How many seats have a lamp."""
        return self._strip.seats if self._strip else len(self._wiring.seats)

    def _makers(self) -> dict[str, Callable[[], Device]]:
        """How each lamp of the wiring is opened."""
        from gpiozero import LED, RGBLED

        wiring, factory = self._wiring, self._pins.factory
        makers: dict[str, Callable[[], Device]] = {}
        if (strip := self._strip) is not None:
            makers["status light"] = lambda: status_pixel(strip)
            for number in range(1, strip.seats + 1):
                makers[_seat(number)] = lambda seat=number: seat_pixel(strip, seat)  # type: ignore[misc]
        elif wiring.status is not None:
            red, green, blue = wiring.status
            high = not wiring.common_anode
            makers["status light"] = lambda: RGBLED(red, green, blue, active_high=high, pin_factory=factory)
        for number, pin in enumerate(() if strip else wiring.seats, start=1):
            makers[_seat(number)] = lambda pin=pin: LED(pin, pin_factory=factory)  # type: ignore[misc]
        if wiring.ring is not None:
            makers["light ring"] = lambda pin=wiring.ring: RingPin(pin, factory)  # type: ignore[misc]
        return makers

    def _open(self, part: str, make: Callable[[], Device]) -> None:
        try:
            self._devices[part] = make()
        except Exception as error:
            known, self._failed[part] = {*map(str, self._failed.values())}, _why_dark(part, error)
            if str(self._failed[part]) not in known:
                _log.warning("%s", self._failed[part])
        else:
            self._failed.pop(part, None)

    def _set(self, part: str, value: object) -> None:
        """Drive a lamp if its value changes: repeating a PWM value makes LEDs shimmer."""
        device = self._devices.get(part)
        if device is not None and device.value != value:
            device.value = value

    def _read(self, part: str, computed: T) -> T:
        device = self._devices.get(part)
        return computed if device is None else cast(T, device.value)

    def _elapsed_s(self) -> float:
        return max(0.0, self._clock.now_s() - self._since_s)

    def _ring(self) -> float:
        return self._ring_level if self._tested is None else float(self._tested == "light ring")

    def _rgb(self) -> Rgb:
        if self._tested is not None:
            return _STATUS_LEADS.get(self._tested, (0.0, 0.0, 0.0))
        return patterns.status_rgb(self._view.state, self._view.fault, self._elapsed_s())

    def _levels(self) -> tuple[float, ...]:
        if self._tested is not None:
            return tuple(float(self._tested == _seat(n)) for n in range(1, self._seat_lamps + 1))
        return tuple(patterns.seat_level(lamp, self._elapsed_s()) for lamp in self._view.seats)

    def _pause_s(self) -> float | None:
        """Seconds until any lamp changes."""
        running = [patterns.status_signal(self._view.state, self._view.fault).pattern]
        running += [patterns.SEAT[SeatLamp(lamp)] for lamp in self._view.seats]
        pauses = [pattern.next_change_s(self._elapsed_s()) for pattern in running]
        pause_s = min((pause for pause in pauses if pause is not None), default=None)
        return sooner(pause_s, self._retry.pause_s() if self._failed else None)


def _why_dark(part: str, error: Exception) -> HardwareError:
    """The error of a lamp that can't be driven; a cause that holds for every pin is kept."""
    fault = explain(part, error)
    return fault if fault.reason != "pin_fault" else LampMissing(fault.sentence)


def _seat(number: int) -> str:
    return f"lamp of seat {number}"


def open_lights(
    wiring: Wiring, pins: Pins, clock: Clock, beat: Beat = None, strip: StripLamps | None = None
) -> PinLights:
    """The lamps of `wiring` on `pins`, or on a `strip`. Raises WiringFault; a lamp that can't be opened is in
    `faults()`."""
    return PinLights(checked(wiring), pins, clock, beat, strip)


DIMMED_HZ = 1000


class RingPin:
    """A lamp on one pin with a `value` from 0 to 1; opening it raises what gpiozero raises."""

    def __init__(self, pin: int, factory: Device) -> None:
        self._pin, self._factory, self._level = pin, factory, 0.0
        self.by_pwm = False
        """Whether the pin is driven by PWM at this moment."""
        self._device = self._plain()

    @property
    def value(self) -> float:
        """The level that is shown."""
        return self._level

    @value.setter
    def value(self, level: float) -> None:
        dimmed = 0.0 < level < 1.0
        if dimmed != self.by_pwm:
            self._device.close()
            self._device = self._dimmed() if dimmed else self._plain()
            self.by_pwm = dimmed
        self._device.value = level
        self._level = level

    def off(self) -> None:
        """No light."""
        self.value = 0.0

    def close(self) -> None:
        """Give the pin back; may be called twice."""
        self._device.close()

    def _plain(self) -> Device:
        from gpiozero import LED

        return LED(self._pin, pin_factory=self._factory)

    def _dimmed(self) -> Device:
        from gpiozero import PWMLED

        return PWMLED(self._pin, frequency=DIMMED_HZ, pin_factory=self._factory)
