"""Buttons on gpiozero's mock pins: the same code as on real ones."""

import threading

import pytest

from companion.threads import Loop
from hardware.buttons.debounce import Timing
from hardware.buttons.pin_buttons import Edge, PinButtons, SimulatedBox, rated
from hardware.clock import SkippingClock, SystemClock
from hardware.errors import ButtonStuck, PinTaken
from hardware.gpio.pins import Pins, open_pins
from hardware.gpio.wiring import Wiring
from hardware.ports import Press
from tests.clocks import FakeClock

SHARED = Wiring()
PER_SEAT = Wiring(buttons=(("seat1", 17), ("seat2", 27), ("seat3", 22)))
MIXED = Wiring(buttons=(("ok", 4), ("seat1", 17), ("seat2", 27)))


@pytest.fixture
def heard():
    return []


@pytest.fixture
def buttons(pins, heard):
    opened = PinButtons(SHARED, pins)
    opened.listen(heard.append)
    yield opened
    opened.close()


def skip(pins: Pins, buttons: PinButtons, seconds: float) -> None:
    assert isinstance(pins.clock, SkippingClock)
    pins.clock.skip(seconds)
    buttons.settle()


def test_edges_on_the_pin_become_one_press(pins, buttons, heard):
    pin = pins.factory.pin("GPIO17")
    pin.drive_low()
    skip(pins, buttons, 0.2)
    pin.drive_high()
    skip(pins, buttons, 0.03)
    assert [(p.button, p.held) for p in heard] == [("dudo", False)]
    assert heard[0].at_s == pytest.approx(100.2)


def test_bounce_on_the_pin_is_one_press_and_shows_as_raw_edges(pins, buttons, heard):
    pin = pins.factory.pin("GPIO27")
    for _ in range(5):
        pin.drive_low()
        skip(pins, buttons, 0.001)
        pin.drive_high()
        skip(pins, buttons, 0.001)
    pin.drive_low()
    skip(pins, buttons, 0.3)
    pin.drive_high()
    skip(pins, buttons, 0.1)
    assert [p.button for p in heard] == ["calza"]
    assert [e.down for e in buttons.edges()] == [True, False] * 6


def test_a_hold_is_reported_while_the_finger_is_down(pins, buttons, heard):
    pins.factory.pin("GPIO22").drive_low()
    skip(pins, buttons, Timing().hold_s)
    assert [(p.button, p.held) for p in heard] == [("ok", True)]
    assert buttons.down() == ("ok",)


def test_a_stuck_button_is_a_fault_until_it_comes_free(pins, buttons):
    pin = pins.factory.pin("GPIO17")
    pin.drive_low()
    skip(pins, buttons, Timing().stuck_s + 0.1)
    assert [type(f) for f in buttons.faults()] == [ButtonStuck]
    assert "dudo" in str(buttons.faults()[0])
    pin.drive_high()
    skip(pins, buttons, 0.1)
    assert buttons.faults() == ()


def test_a_taken_pin_is_a_fault_and_the_others_work(pins, heard):
    from gpiozero import LED

    thief = LED(17, pin_factory=pins.factory)
    buttons = PinButtons(SHARED, pins)
    try:
        assert [type(f) for f in buttons.faults()] == [PinTaken]
        buttons.listen(heard.append)
        SimulatedBox(buttons, SHARED, pins).press("calza")
        thief.close()
        buttons._devices.open()
        assert buttons.faults() == ()
        SimulatedBox(buttons, SHARED, pins).press("dudo")
        assert [p.button for p in heard] == ["calza", "dudo"]
    finally:
        buttons.close()


def test_a_listener_that_raises_is_logged_and_the_next_press_is_heard(pins, buttons, caplog):
    heard = []

    def listener(press: Press) -> None:
        heard.append(press.button)
        raise RuntimeError("the table is upside down")

    buttons.listen(listener)
    box = SimulatedBox(buttons, SHARED, pins)
    box.press("dudo")
    box.press("ok")
    assert heard == ["dudo", "ok"]
    assert "the table is upside down" in caplog.text


@pytest.mark.parametrize("wiring", [SHARED, PER_SEAT, MIXED], ids=["shared", "per seat", "mixed"])
@pytest.mark.parametrize("held", [False, True])
def test_the_simulated_box_presses_every_button_of_any_mix(pins, wiring, held):
    heard: list[Press] = []
    buttons = PinButtons(wiring, pins)
    buttons.listen(heard.append)
    box = SimulatedBox(buttons, wiring, pins)
    for name in buttons.names * 2:
        box.press(name, held)
    buttons.close()
    assert [(p.button, p.held) for p in heard] == [(name, held) for name in buttons.names * 2]


def test_the_simulated_box_takes_no_time_and_leaves_no_drift():
    clock = FakeClock(5.0)
    pins = open_pins("mock", clock)
    heard: list[Press] = []
    buttons = PinButtons(SHARED, pins)
    buttons.listen(heard.append)
    SimulatedBox(buttons, SHARED, pins).press("dudo", held=True)
    buttons.close()
    assert clock.now_s() == 5.0
    clock.advance(10.0)
    assert pins.clock.now_s() == 15.0
    pins.close()
    assert [p.held for p in heard] == [True]


def test_a_press_arrives_by_the_thread_alone():
    pins = open_pins("mock", SystemClock())
    arrived = threading.Event()
    buttons = PinButtons(SHARED, pins, Timing(stable_s=0.001, minimum_s=0.0, hold_s=0.002))
    buttons.listen(lambda press: arrived.set())
    loop = Loop("buttons", buttons.settle)
    buttons.wake = loop.wake
    pins.factory.pin("GPIO17").drive_low()
    assert arrived.wait(10.0)
    loop.close()
    buttons.close()
    buttons.close()
    pins.close()


def test_only_mock_pins_can_be_pressed(pins, buttons):
    real = Pins("real", "", pins.factory, FakeClock())
    with pytest.raises(ValueError, match="only mock pins"):
        SimulatedBox(buttons, SHARED, real)


def edges(*steps: tuple[float, bool]) -> tuple[Edge, ...]:
    return tuple(Edge("dudo", down, at_s) for at_s, down in steps)


@pytest.mark.parametrize(
    ("pressed", "seen", "contact"),
    [
        (False, (), ("no_contact", 0.0)),
        (False, edges((0, True), (0.001, False)), ("noise", 1.0)),
        (True, edges((0, True), (0.2, False)), ("clean", 0.0)),
        (True, edges((0, True), (0.002, False), (0.003, True), (0.2, False)), ("bounces", 3.0)),
        (True, edges((0, True), (0.02, False), (0.04, True), (0.2, False)), ("worn", 40.0)),
    ],
)
def test_what_raw_edges_say_of_a_button(pressed, seen, contact):
    assert rated(pressed, seen) == (contact[0], pytest.approx(contact[1]))
