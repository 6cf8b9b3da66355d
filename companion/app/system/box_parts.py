"""The parts on the pins of the box: buttons, lamps and sound, what lamps and sound tell of the table, what
presses tell it; and which settings no machine can use."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.app.table_parts import Runtime
from companion.errors import BadCommand, CompanionError
from companion.outside.topics import prefix_fault
from companion.settings import Mqtt, Settings
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.snapshot import PRESSES, hindrance, seat_words, state_word
from companion.table.table import Fault, Snapshot, Table
from companion.threads import QUICK_S
from companion.upkeep import SwitchOff
from hardware.buttons import keys
from hardware.buttons.keys import EvdevKeys, KeyButtons
from hardware.buttons.pin_buttons import PinButtons, SimulatedBox
from hardware.cameras.choose import Machine, choose
from hardware.errors import HardwareError
from hardware.gpio.pins import open_pins
from hardware.gpio.wiring import wiring_from
from hardware.lamps.pin_lights import PinLights
from hardware.lamps.strip import Strip
from hardware.ports import SWITCH_OFF, TOGETHER, BoxState, LampView, Press, SeatLamp

_log = logging.getLogger(__name__)


class BoxParts:
    """Every part on a pin, opened. `fingers` press the buttons of `simulated` pins; None on real ones."""

    def __init__(self, runtime: Runtime) -> None:
        """Open everything, with the keys that were learnt; it ends with the box. Raises a HardwareError."""
        settings, clock, ending = runtime.settings, runtime.clock, runtime.ending
        self.wiring = wiring = wiring_from(settings.pins, settings.box.strip)
        pins = open_pins(settings.box.pins, clock, persistent=True)
        ending.on_close(pins.close)
        _log.info("pins: %s", pins.why)
        self.buttons = PinButtons(wiring, pins)
        learnt = runtime.files.file(keys.FILE)
        self.keys = KeyButtons(lambda: EvdevKeys(clock), self.buttons, learnt.read(keys.parsed, {}))
        strip = Strip(wiring.strip, simulated=pins.simulated) if wiring.strip else None
        self.lights = PinLights(wiring, pins, clock, strip)
        for name, part, turn in (
            ("buttons", self.buttons, self.buttons.settle),
            ("keys", self.keys, self.keys.step),
            ("lights", self.lights, self.lights.refresh),
        ):
            ending.on_close(part.close)
            part.wake = runtime.every(name, turn, QUICK_S).wake
        self.fingers = SimulatedBox(self.buttons, wiring, pins) if pins.simulated else None
        self.simulated = pins.simulated

    def faults(self) -> tuple[HardwareError, ...]:
        """What does not work of any part."""
        return tuple(f for part in (self.buttons, self.lights, self.keys) for f in part.faults())


class Signals:
    """Shows every snapshot with the lamps, and plays a sound when the state word changes."""

    def __init__(self, lights: PinLights) -> None:
        self._lights = lights
        self._sounded, self._complained = BoxState.IDLE, ""

    def show(self, now: Snapshot) -> None:
        """Show `now`. The same fault sounds once, until it is gone."""
        shown = lamp_view(now)
        self._lights.show(shown)
        if shown.state != self._sounded and not (shown.fault and shown.fault == self._complained):
            self._lights.play(shown.state)
        self._sounded = shown.state
        reasons = [fault.reason for _, fault in now.faults]
        self._complained = shown.fault or (self._complained if self._complained in reasons else "")


def lamp_view(now: Snapshot) -> LampView:
    """Everything the lamps show of `now`: pure, made from the state word and not from all a page shows."""
    state = BoxState(state_word(now))
    fault = hindrance(now)
    reason = fault.reason if fault and state is BoxState.FAULT else ""
    seats = tuple(SeatLamp(word) for word in seat_words(now.state))
    return LampView(state, seats, reason, now.state.reveal is not None)


class Presses:
    """Sends presses of the box to the table or to a test of the buttons, those of a page to the box."""

    def __init__(
        self, table: Table, box: BoxParts, test: Callable[[Press], bool], switch_off: SwitchOff
    ) -> None:
        """The presses of a `box`, whose fingers press its buttons where they are simulated. Those that the
        `test` takes mean nothing for the game."""
        self._table, self._test, self._switch_off = table, test, switch_off
        self._names, self._fingers = tuple(box.buttons.names), box.fingers
        self.gestures = 0
        """How often two buttons were held: whoever does so stands at the box."""

    def heard(self, press: Press) -> None:
        """A press of the box, from its own thread. If it is refused, every page shows why."""
        try:
            self._do(press)
        except CompanionError as error:
            values = tuple((key, str(value)) for key, value in error.values.items())
            self._table.report(PRESSES, Fault(error.reason, values))

    def _do(self, press: Press) -> None:
        if press.button == TOGETHER:
            self.gestures += 1
            self._table.refresh()
        elif press.button == SWITCH_OFF:
            if self._switch_off.can:
                self._switch_off.off("two buttons")
        elif not self._test(press):
            self._table.do(asked_by(press, self._table.snapshot()))
            self._table.report(PRESSES, None)

    def press(self, button: str, held: bool = False) -> None:
        """Press a button of the simulated box, or two for TOGETHER.

        Raises BadCommand where the box is real or has no such button.
        """
        if self._fingers and button == TOGETHER:
            self._fingers.hold_together(*self._two())
        elif self._fingers is None or button not in self._names:
            raise BadCommand("no_such_button", button=button)
        else:
            self._fingers.press(button, held)

    def _two(self) -> tuple[str, ...]:
        """The buttons that a gesture of the simulated box holds."""
        names = self._names
        return ("ok", next(name for name in names if name != "ok")) if "ok" in names else names[:2]


def asked_by(press: Press, now: Snapshot) -> Command:
    """The command of a press. A seat's button names the player; holding OK takes the last step back."""
    if press.button == "ok" and press.held:
        return cmd.Undo()
    if press.button.startswith("seat"):
        players = now.state.game.players if now.state.game else ()
        seat = int(press.button.removeprefix("seat")) - 1
        if seat >= len(players):
            raise BadCommand("no_such_seat", seat=seat + 1)
        return cmd.Press("calza" if press.held else "dudo", players[seat].name)
    return cmd.Press(press.button)


def fitting(settings: Settings) -> Settings:
    """The settings with what no machine can use at its default, and a fault for each.

    Pins that do not fit together are left alone. A camera by a name that is none is chosen by the machine.
    """
    faults = list(settings.faults)
    try:
        wiring_from(settings.pins, settings.box.strip)
    except HardwareError as error:
        faults.append(f"[pins] {error}")
        settings = replace(settings, pins={}, box=replace(settings.box, pins="mock", strip=0))
    try:
        choose(settings.camera.use, Machine("", False, ()))
    except HardwareError as error:
        faults.append(f"[camera] use: {error}")
        settings = replace(settings, camera=replace(settings.camera, use="auto"))
    instead: Mapping[str, Any] = {"prefix": Mqtt().prefix, "discovery": ""}
    for key, usual in instead.items():
        given = getattr(settings.mqtt, key)
        if given != usual and (fault := prefix_fault(given)):
            faults.append(f"[mqtt] {key}: {fault}")
            settings = replace(settings, mqtt=replace(settings.mqtt, **{key: usual}))
    return replace(settings, faults=tuple(faults))
