"""Self-test of every part of the box: lights each lamp, reads each button, takes a picture.

A `Bench` does single steps and returns values with keys instead of sentences. It opens parts of its own, or
uses those of a running box.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardware.buttons.debounce import USUAL
from hardware.buttons.pin_buttons import Edge, PinButtons
from hardware.calibration.advice import Advice, on_light
from hardware.errors import CameraMissing, HardwareError
from hardware.gpio.pins import Pins
from hardware.gpio.wiring import Wiring
from hardware.lamps.pin_lights import PinLights
from hardware.lamps.strip import open_strip
from hardware.optics.focus import PictureQuality, quality
from hardware.ports import BoxState, Camera, Clock, Press
from hardware.sound.buzzer import PinSound

CONTACTS = ("no_contact", "noise", "clean", "bounces", "worn")
"""How the raw edges of a button rate its contact."""


@dataclass(frozen=True, slots=True)
class ButtonReport:
    """One button: whether it was pressed, its raw edges, and its contact, one of CONTACTS.

    `bounce_ms` is the longest time for which the contact bounced.
    """

    button: str
    pressed: bool
    edges: tuple[Edge, ...]
    contact: str
    bounce_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class PictureReport:
    """One picture: its size in pixels, how sharp and bright it is, and what to change."""

    width_px: int
    height_px: int
    quality: PictureQuality
    advice: tuple[Advice, ...]


class Bench:
    """All parts of the box, under test. What can't be opened is in `faults()`; the rest works.

    The caller passes presses of the buttons to `heard`.
    """

    def __init__(
        self,
        wiring: Wiring,
        pins: Pins,
        lights: PinLights,
        sound: PinSound,
        buttons: PinButtons,
        camera: Camera | None,
    ) -> None:
        self.pins, self.camera = pins, camera
        self._wiring, self._lights, self._sound, self._buttons = wiring, lights, sound, buttons
        self._pressed = threading.Lock()
        self._presses: list[Press] = []
        self._since_s = float("-inf")

    @property
    def lamps(self) -> tuple[str, ...]:
        return self._lights.parts()

    @property
    def has_buzzer(self) -> bool:
        return self._wiring.buzzer is not None

    @property
    def buttons(self) -> tuple[str, ...]:
        return self._buttons.names

    def faults(self) -> tuple[HardwareError, ...]:
        """Parts that can't be used, and why."""
        return (*self._lights.faults(), *self._sound.faults(), *self._buttons.faults())

    def light(self, lamp: str | None) -> None:
        """Light one lamp alone; None for the usual view."""
        self._lights.test(lamp)

    def beep(self) -> None:
        """Sound the buzzer once, long."""
        self._sound.play(BoxState.STANDS)

    def heard(self, press: Press) -> None:
        """Note a press."""
        with self._pressed:
            self._presses.append(press)

    def forget(self) -> None:
        """Start again: forget presses, and ignore edges before now."""
        edges = self._buttons.edges()
        with self._pressed:
            self._presses.clear()
            self._since_s = edges[-1].at_s if edges else self._since_s

    def reports(self) -> tuple[ButtonReport, ...]:
        """A report on every button since the test began."""
        edges = [edge for edge in self._buttons.edges() if edge.at_s > self._since_s]
        with self._pressed:
            return tuple(button_report(name, self._has(name), edges) for name in self.buttons)

    def down(self) -> tuple[str, ...]:
        """The buttons whose contact is closed now."""
        return self._buttons.down()

    def picture(self) -> PictureReport:
        """Take a picture and measure it. Raises the camera's errors."""
        if self.camera is None:
            raise CameraMissing("No camera was asked for.")
        frame = self.camera.capture()
        height_px, width_px = frame.image_bgr.shape[:2]
        found = quality(frame.image_bgr)
        return PictureReport(width_px, height_px, found, on_light(found))

    def close(self) -> None:
        """Give every part back; may be called twice."""
        for part in (self._buttons, self._sound, self._lights, self.camera, self.pins):
            if part is not None:
                part.close()

    def _has(self, button: str) -> bool:
        return any(press.button == button for press in self._presses)


def button_report(button: str, pressed: bool, edges: Sequence[Edge]) -> ButtonReport:
    """The report on `button` from its raw edges."""
    own = tuple(edge for edge in edges if edge.button == button)
    bounce_s = _longest_bounce_s(own)
    if not pressed:
        return ButtonReport(button, pressed, own, "noise" if own else "no_contact", 1000 * bounce_s)
    if bounce_s == 0:
        return ButtonReport(button, pressed, own, "clean")
    contact = "worn" if bounce_s >= USUAL.stable_s else "bounces"
    return ButtonReport(button, pressed, own, contact, 1000 * bounce_s)


def _longest_bounce_s(edges: Sequence[Edge]) -> float:
    """The longest time in seconds in which edges follow each other faster than a finger can."""
    longest_s = running_s = 0.0
    for earlier, later in pairwise(edges):
        gap_s = later.at_s - earlier.at_s
        running_s = running_s + gap_s if gap_s < USUAL.minimum_s else 0.0
        longest_s = max(longest_s, running_s)
    return longest_s


def bench_on(wiring: Wiring, pins: Pins, camera: Camera | None, clock: Clock) -> Bench:
    """A bench with parts of its own on `pins`."""
    buttons = PinButtons(wiring, pins)
    lights = PinLights(wiring, pins, clock, strip=open_strip(wiring.strip, simulated=pins.simulated))
    bench = Bench(wiring, pins, lights, PinSound(wiring, pins, clock), buttons, camera)
    buttons.listen(bench.heard)
    return bench
