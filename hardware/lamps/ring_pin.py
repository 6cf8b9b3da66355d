"""The pin of the light ring: plainly on or off, and dimmed by PWM only where somebody asks for less light.

The PWM of lgpio is made by software: its pulses jitter, and a picture shows that as bands. So a picture is
taken by a ring that is plainly on.
"""

from __future__ import annotations

from hardware.gpio.pins import Device

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
