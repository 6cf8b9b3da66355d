"""Trying out every part of the box: lights each lamp, listens to each button, takes a picture.

A `Bench` does single steps and gives plain values, so that a terminal and a page can both lead through them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardware.buttons import Edge, PinButtons, SimulatedBox, open_buttons
from hardware.cameras import open_camera
from hardware.debounce import Timing
from hardware.errors import CameraMissing, HardwareError
from hardware.lights import PinLights, open_lights
from hardware.measure import PictureQuality, advice, quality
from hardware.pins import Pins, open_pins
from hardware.pixels import Image
from hardware.ports import BoxState, Camera, Clock, Press
from hardware.sound import PinSound, open_sound
from hardware.wiring import Wiring, checked


@dataclass(frozen=True, slots=True)
class ButtonReport:
    """What one button did: whether a press came, its raw edges, and in words how clean they were."""

    button: str
    pressed: bool
    edges: tuple[Edge, ...]
    words: str


@dataclass(frozen=True, slots=True)
class PictureReport:
    """One picture: its size in pixels, how sharp and bright it is, and what to change."""

    source: str
    width_px: int
    height_px: int
    quality: PictureQuality
    advice: tuple[str, ...]

    @property
    def words(self) -> str:
        """One line for people."""
        q = self.quality
        size = f"{self.width_px} x {self.height_px} pixels"
        return f"{size}, sharpness {q.sharpness:.0f}, brightness {q.brightness:.0%}, burnt out {q.glare:.1%}"


class Bench:
    """All parts of the box, opened for a test. What can't be opened is in `faults()`; the rest works."""

    def __init__(self, wiring: Wiring, pins: Pins, camera: Camera | None, clock: Clock) -> None:
        self.pins, self.camera, self._clock = pins, camera, clock
        self._wiring = wiring
        self._lights: PinLights = open_lights(wiring, pins, clock)
        self._sound: PinSound = open_sound(wiring, pins, clock)
        self._buttons: PinButtons = open_buttons(wiring, pins)
        self._pressed = threading.Condition()
        self._presses: list[Press] = []
        self._buttons.listen(self._heard)

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

    def pause(self, seconds: float) -> None:
        """Give people time to look; simulated lamps need none."""
        if not self.pins.simulated:
            self._clock.wait_s(seconds)

    def press(self, button: str) -> None:
        """Press a simulated button; raises ValueError on real pins."""
        SimulatedBox(self._buttons, self._wiring, self.pins).press(button)

    def await_press(self, button: str, timeout_s: float) -> ButtonReport:
        """Wait until `button` is pressed, at most `timeout_s`, and say what its contact did."""
        with self._pressed:
            pressed = self._pressed.wait_for(lambda: self._has(button), timeout_s)
            self._presses.clear()
        return button_report(button, pressed, self._buttons.edges())

    def picture(self) -> PictureReport:
        """Take a picture and measure it. Raises the camera's errors."""
        if self.camera is None:
            raise CameraMissing("No camera was asked for.")
        frame = self.camera.capture()
        height_px, width_px = frame.image_bgr.shape[:2]
        found = quality(frame.image_bgr)
        return PictureReport(frame.source, width_px, height_px, found, advice(found))

    def close(self) -> None:
        """Give every part back; may be called twice."""
        for part in (self._buttons, self._sound, self._lights, self.camera, self.pins):
            if part is not None:
                part.close()

    def _heard(self, press: Press) -> None:
        with self._pressed:
            self._presses.append(press)
            self._pressed.notify_all()

    def _has(self, button: str) -> bool:
        return any(press.button == button for press in self._presses)


def button_report(button: str, pressed: bool, edges: Sequence[Edge]) -> ButtonReport:
    """What the raw edges of the last press of `button` say."""
    own = tuple(edge for edge in edges if edge.button == button)
    if not own:
        return ButtonReport(button, pressed, own, "no contact at all: check the wire and the pin")
    if not pressed:
        return ButtonReport(button, pressed, own, f"{len(own)} edges but no press: noise, or a bad contact")
    bounce_s = _longest_bounce_s(own)
    if bounce_s == 0:
        return ButtonReport(button, pressed, own, "clean, no bounce")
    words = f"{len(own)} edges, bounces for {1000 * bounce_s:.1f} ms"
    limit_s = Timing().stable_s
    late = f"; more than {1000 * limit_s:.0f} ms: replace the button" if bounce_s >= limit_s else ""
    return ButtonReport(button, pressed, own, words + late)


def _longest_bounce_s(edges: Sequence[Edge]) -> float:
    """The longest time in which edges follow one another more quickly than a finger can."""
    longest_s = running_s = 0.0
    for earlier, later in pairwise(edges):
        gap_s = later.at_s - earlier.at_s
        running_s = running_s + gap_s if gap_s < Timing().minimum_s else 0.0
        longest_s = max(longest_s, running_s)
    return longest_s


def open_bench(
    wiring: Wiring, pins: str, camera: str, clock: Clock, draw: Callable[[], Image] | None = None
) -> Bench:
    """A bench with the pins and the camera of those names. Raises WrongChoice, WiringFault, PinsMissing."""
    checked(wiring)
    eye = open_camera(camera, clock=clock, draw=draw)
    return Bench(wiring, open_pins(pins, clock), eye, clock)
