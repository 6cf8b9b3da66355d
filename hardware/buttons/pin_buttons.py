"""The buttons of the box: debounces the edges of pins into presses, on real and mock pins alike; and fingers
that press mock pins.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from hardware.buttons.debounce import (
    USUAL,
    ButtonEvent,
    ButtonState,
    EventKind,
    Timing,
    Together,
    advance,
    at_rest,
    due_s,
    edge,
    gesture_due_s,
    sorted_out,
)
from hardware.clock import SkippingClock, sooner
from hardware.errors import ButtonStuck, HardwareError
from hardware.gpio.pins import Device, Devices, Pins, explain
from hardware.gpio.wiring import Wiring
from hardware.ports import Clock, Press

_log = logging.getLogger(__name__)
_EDGES_KEPT = 200
_OLDEST_BELIEVED_S = 1.0


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw change of level, before debouncing: `down` means the contact closed."""

    button: str
    down: bool
    at_s: float


def rated(pressed: bool, edges: Sequence[Edge]) -> tuple[str, float]:
    """How a button's own raw edges rate its contact, and the longest time for which it bounced, in ms."""
    bounce_s = _longest_bounce_s(edges)
    if not pressed:
        return "noise" if edges else "no_contact", 1000 * bounce_s
    if bounce_s == 0:
        return "clean", 0.0
    return "worn" if bounce_s >= USUAL.stable_s else "bounces", 1000 * bounce_s


def _longest_bounce_s(edges: Sequence[Edge]) -> float:
    """The longest time in seconds in which edges follow each other faster than a finger can."""
    longest_s = running_s = 0.0
    for earlier, later in pairwise(edges):
        gap_s = later.at_s - earlier.at_s
        running_s = running_s + gap_s if gap_s < USUAL.minimum_s else 0.0
        longest_s = max(longest_s, running_s)
    return longest_s


class PinButtons:
    """The box's buttons on the pins of a factory. A pin that can't be opened is a fault, not the end."""

    def __init__(self, wiring: Wiring, pins: Pins, timing: Timing = USUAL) -> None:
        self.wake: Callable[[], None] = lambda: None
        """Has whoever calls `settle` call it now."""
        self.names = tuple(name for name, _ in wiring.buttons)
        self.timing = timing
        self._wiring, self._pins = dict(wiring.buttons), pins
        self._clock: Clock = pins.clock
        self._lock, self._delivery = threading.Lock(), threading.RLock()
        self._states: dict[str, ButtonState] = {}
        self._contacts: set[str] = set()
        self._waiting: deque[tuple[str, ButtonEvent]] = deque()
        self._together = Together()
        self._edges: deque[Edge] = deque(maxlen=_EDGES_KEPT)
        self._on_press: Callable[[Press], None] = _nobody
        makers = {name: partial(self._opened, name) for name in self.names}
        self._devices = Devices(makers, self._clock, lambda name, error: explain(f"button {name}", error))

    def listen(self, on_press: Callable[[Press], None]) -> None:
        """Call `on_press` for every press from now on. What it raises is logged and harms nothing."""
        self._on_press = on_press

    def faults(self) -> tuple[HardwareError, ...]:
        """The faults of this moment: pins that could not be opened, and buttons that are stuck."""
        with self._lock:
            stuck = [name for name, state in self._states.items() if state.stuck]
        return self._devices.faults() + tuple(ButtonStuck(f"The button {name} is stuck.") for name in stuck)

    def down(self) -> tuple[str, ...]:
        """The buttons whose contact is closed at this moment."""
        with self._lock:
            return tuple(name for name in self.names if self._is_down(name))

    def edges(self) -> tuple[Edge, ...]:
        """The latest raw edges, oldest first, to examine bounce and noise."""
        with self._lock:
            return tuple(self._edges)

    def touch(self, name: str, down: bool) -> None:
        """Something that is no pin, such as a key, presses a button down or lets go: then it is up unless its
        pin is down. KeyError for another name."""
        if name not in self._wiring:
            raise KeyError(name)
        with self._lock:
            now_s = self._clock.now_s()
            self._states.setdefault(name, at_rest(False, now_s))
            (self._contacts.add if down else self._contacts.discard)(name)
            self._edges.append(Edge(name, down, now_s))
            self._feed(name, edge(self._states[name], self._is_down(name), now_s, self.timing))
        self.wake()

    def forget_contact(self, name: str) -> None:
        """What closed the contact has gone for good: nobody has pressed anything."""
        with self._lock:
            self._contacts.discard(name)
            if not self._is_down(name):
                self._states[name] = at_rest(False, self._clock.now_s())
                self._waiting = deque(event for event in self._waiting if event[0] != name)
                waiting = tuple(event for event in self._together.waiting if event[0] != name)
                self._together = replace(self._together, waiting=waiting)

    def settle(self) -> float | None:
        """Report all events up to now; returns the seconds until there may be more, None for never."""
        with self._delivery:
            self._devices.open_when_due()
            with self._lock:
                self._catch_up()
                events = tuple(self._waiting)
                self._waiting.clear()
                step = sorted_out(self._together, events, self._states, self._clock.now_s(), self.timing)
                self._together = step.state
            for name, event in step.report:
                self._report(name, event)
            if step.gesture is not None:
                name, at_s = step.gesture
                self._hand_over(Press(name, True, at_s))
            return self._pause_s()

    def close(self) -> None:
        """Stop listening and give the pins back; may be called twice."""
        self._on_press = _nobody
        self._devices.close()

    def _opened(self, name: str) -> Device:
        """Open one pin. gpiozero's Button would poll in a thread for its own holds; we need only edges."""
        device = self._pins.device("DigitalInputDevice", self._wiring[name], pull_up=True)
        with self._lock:
            self._states[name] = at_rest(bool(device.is_active), self._clock.now_s())
        device.when_activated = lambda: self._edge(name, True, device.active_time)
        device.when_deactivated = lambda: self._edge(name, False, device.inactive_time)
        return device

    def _is_down(self, name: str) -> bool:
        """Whether a button is down, by its pin or otherwise."""
        device = self._devices.there.get(name)
        return name in self._contacts or (device is not None and bool(device.is_active))

    def _edge(self, name: str, down: bool, age_s: float | None) -> None:
        """An edge arrived; its time is the pin's own stamp as long as that makes sense."""
        believed = age_s is not None and not self._pins.simulated and 0 <= age_s < _OLDEST_BELIEVED_S
        at_s = self._clock.now_s() - (age_s if age_s is not None and believed else 0.0)
        with self._lock:
            self._edges.append(Edge(name, down, at_s))
            level = down or name in self._contacts
            self._feed(name, edge(self._states[name], level, at_s, self.timing))
        self.wake()

    def _catch_up(self) -> None:
        """Let time pass for every button; a level that changed without an edge counts from now."""
        now_s = self._clock.now_s()
        for name in tuple(self._states):
            self._feed(name, edge(self._states[name], self._is_down(name), now_s, self.timing))
            self._feed(name, advance(self._states[name], now_s, self.timing))

    def _feed(self, name: str, step: tuple[ButtonState, tuple[ButtonEvent, ...]]) -> None:
        self._states[name], events = step
        self._waiting.extend((name, event) for event in events)

    def _report(self, name: str, event: ButtonEvent) -> None:
        if event.kind in (EventKind.STUCK, EventKind.FREED):
            _log.warning("button %s: %s", name, event.kind.value)
            return
        self._hand_over(Press(name, event.kind is EventKind.HELD, event.at_s))

    def _hand_over(self, press: Press) -> None:
        try:
            self._on_press(press)
        except Exception:
            _log.exception("a press of %s could not be handled", press.button)

    def _pause_s(self) -> float | None:
        with self._lock:
            times = [due_s(state, self.timing) for state in self._states.values()]
            times.append(gesture_due_s(self._together, self._states, self.timing))
        pending = [time for time in times if time is not None]
        pause_s = max(0.0, min(pending) - self._clock.now_s()) if pending else None
        return sooner(pause_s, self._devices.pause_s())


def _nobody(press: Press) -> None:
    """Nobody listens yet."""


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
        timing = self._buttons.timing
        self._hold((name,), timing.hold_s if held else timing.minimum_s)

    def hold_together(self, *names: str) -> None:
        """Hold these buttons together until that is a gesture, and let go; raises KeyError as `press`."""
        self._hold(names, self._buttons.timing.hold_s, self._buttons.timing.together_s)

    def _hold(self, names: Sequence[str], *spans_s: float) -> None:
        """Hold these buttons for all spans, one after the other."""
        pins = [self._factory.pin(f"GPIO{self._numbers[name]}") for name in names]
        timing = self._buttons.timing
        with self._lock:
            self._pass(timing.lockout_s)
            for pin in pins:
                pin.drive_low()
            for seconds in (timing.stable_s, *spans_s):
                self._pass(seconds)
            for pin in pins:
                pin.drive_high()
            self._pass(timing.stable_s)

    def _pass(self, seconds: float) -> None:
        self._clock.skip(seconds)
        self._buttons.settle()
