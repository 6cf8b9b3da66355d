"""Keys of keyboards as buttons: one contract for real and simulated devices, learnt, pressed, pulled out."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.buttons.debounce import Timing
from hardware.buttons.keys import EvdevKeys, Key, KeyButtons, KeyEvent, Unplugged, parsed
from hardware.buttons.pin_buttons import PinButtons
from hardware.clock import SkippingClock, SystemClock
from hardware.errors import KeyboardMissing, KeysSoftwareMissing
from hardware.gpio.wiring import Wiring
from hardware.ports import TOGETHER, Press
from tests.hardware.simulated_keys import SimulatedKeys

Devices = EvdevKeys | SimulatedKeys
PRESENTER, ARCADE = "Presenter", "Arcade"
LEARNT = {
    Key(PRESENTER, "KEY_PAGEDOWN"): "dudo",
    Key(PRESENTER, "KEY_PAGEUP"): "calza",
    Key(ARCADE, "BTN_TRIGGER"): "dudo",
    Key(ARCADE, "BTN_THUMB"): "ok",
}


# ---- the contract of all devices -----------------------------------------------------------------


class Hands:
    """Moves keys of a device, real (by uinput) or simulated."""

    def __init__(self, keys: Devices, move: Callable[[str, bool], None], unplug: Callable[[], None]) -> None:
        self.keys, self.move, self.unplug = keys, move, unplug


def simulated() -> Iterator[Hands]:
    keys = SimulatedKeys(PRESENTER)
    yield Hands(keys, lambda code, down: keys.move(PRESENTER, code, down), lambda: keys.unplug(PRESENTER))
    keys.close()


def real() -> Iterator[Hands]:
    """A keyboard of the kernel's own making, read as any other."""
    evdev = pytest.importorskip("evdev", reason="python-evdev is not installed")
    if not os.access("/dev/uinput", os.W_OK):
        pytest.skip("this machine lets nobody make an input device (/dev/uinput)")
    codes = {"KEY_PAGEDOWN": evdev.ecodes.KEY_PAGEDOWN}
    made = evdev.UInput({evdev.ecodes.EV_KEY: list(codes.values())}, name=PRESENTER)

    def move(code: str, down: bool) -> None:
        made.write(evdev.ecodes.EV_KEY, codes[code], int(down))
        made.syn()

    keys = EvdevKeys(SystemClock())
    yield Hands(keys, move, made.close)
    keys.close()


@pytest.fixture(params=[simulated, real], ids=["simulated", "evdev"])
def hands(request):
    yield from request.param()


def polled(keys: Devices, wanted: int) -> list[KeyEvent | Unplugged]:
    found: list[KeyEvent | Unplugged] = []
    for _ in range(100):
        found += keys.poll(0.1)
        if len(found) >= wanted:
            break
    return found


def test_a_key_goes_down_and_up(hands):
    assert PRESENTER in hands.keys.devices()
    hands.move("KEY_PAGEDOWN", True)
    hands.move("KEY_PAGEDOWN", False)
    key = Key(PRESENTER, "KEY_PAGEDOWN")
    assert polled(hands.keys, 2) == [KeyEvent(key, True), KeyEvent(key, False)]
    assert hands.keys.fault() is None


def test_a_device_that_is_pulled_out_is_gone_once(hands):
    hands.unplug()
    assert polled(hands.keys, 1) == [Unplugged(PRESENTER)]
    assert PRESENTER not in hands.keys.devices()
    assert hands.keys.poll(0.0) == ()


def test_nothing_happens_is_nothing(hands):
    assert hands.keys.poll(0.0) == ()
    hands.keys.close()
    hands.keys.close()


# ---- keys as buttons -----------------------------------------------------------------------------


@pytest.fixture
def heard():
    return []


@pytest.fixture
def buttons(pins, heard):
    opened = PinButtons(Wiring(), pins)
    opened.listen(heard.append)
    yield opened
    opened.close()


@pytest.fixture
def keys():
    return SimulatedKeys(PRESENTER, ARCADE)


@pytest.fixture
def reader(keys, buttons):
    opened = KeyButtons(lambda: keys, buttons, LEARNT)
    yield opened
    opened.close()


@pytest.fixture
def after(pins, buttons, reader):
    """Takes in what was pressed, and lets time pass."""

    def pass_(seconds: float) -> None:
        reader.step()
        assert isinstance(pins.clock, SkippingClock)
        pins.clock.skip(seconds)
        buttons.settle()

    return pass_


def presses(heard: list[Press]) -> list[tuple[str, bool]]:
    return [(press.button, press.held) for press in heard]


DUDO, DUDO_TOO = (PRESENTER, "KEY_PAGEDOWN"), (ARCADE, "BTN_TRIGGER")
OK, STRANGE = (ARCADE, "BTN_THUMB"), (PRESENTER, "KEY_A")


@pytest.mark.parametrize(
    ("moves", "expected", "why"),
    [
        ([(DUDO, True, 0.2), (DUDO, False, 0.1)], [("dudo", False)], "a press"),
        ([(OK, True, Timing().hold_s + 0.1)], [("ok", True)], "a hold"),
        (
            [(OK, True, 0.0), *[(DUDO, True, 2.0)] * 3],
            [(TOGETHER, True)],
            "the gesture of two devices",
        ),
        (
            [(DUDO, True, 0.0), (DUDO_TOO, True, 0.2), (DUDO, False, 0.2), (DUDO_TOO, False, 0.2)],
            [("dudo", False)],
            "two keys of one button",
        ),
        ([(STRANGE, True, 0.2), (STRANGE, False, 0.2)], [], "nobody learnt it"),
    ],
)
def test_keys_press_their_buttons(keys, after, heard, moves, expected, why):
    for key, down, seconds in moves:
        keys.move(*key, down)
        after(seconds)
    assert presses(heard) == expected, why


def test_a_key_and_the_pin_of_a_button_are_one_finger(pins, keys, after, heard):
    pin = pins.factory.pin("GPIO17")
    pin.drive_low()
    after(0.2)
    keys.move(PRESENTER, "KEY_PAGEDOWN", True)
    after(0.2)
    pin.drive_high()
    after(0.2)
    assert presses(heard) == [], "the key still holds it"
    keys.move(PRESENTER, "KEY_PAGEDOWN", False)
    after(0.2)
    assert presses(heard) == [("dudo", False)]


@pytest.mark.parametrize("held_s", [0.01, 0.2, Timing().hold_s - 0.1])
def test_a_keyboard_pulled_out_presses_nothing_and_is_one_sentence(
    keys, reader, buttons, after, heard, held_s
):
    keys.move(PRESENTER, "KEY_PAGEDOWN", True)
    after(held_s)
    keys.unplug(PRESENTER)
    after(5.0)
    assert heard == []
    assert buttons.down() == ()
    assert [(type(fault), fault.reason) for fault in reader.faults()] == [
        (KeyboardMissing, "keyboard_missing")
    ]
    keys.move(ARCADE, "BTN_TRIGGER", True)
    after(0.2)
    keys.move(ARCADE, "BTN_TRIGGER", False)
    after(0.2)
    assert presses(heard) == [("dudo", False)], "the game goes on with the other one"
    keys.plug(PRESENTER)
    assert reader.faults() == ()


def test_a_hold_that_waits_for_a_gesture_is_forgotten_with_its_keyboard(keys, after, heard):
    keys.move(ARCADE, "BTN_THUMB", True)
    keys.move(PRESENTER, "KEY_PAGEDOWN", True)
    after(Timing().hold_s + 0.1)
    keys.unplug(PRESENTER)
    after(1.0)
    keys.unplug(ARCADE)
    after(5.0)
    assert [press for press in presses(heard) if press[0] in ("dudo", TOGETHER)] == []


def test_a_pin_that_is_down_stays_down_without_the_keyboard(pins, keys, buttons, after):
    pins.factory.pin("GPIO17").drive_low()
    keys.move(PRESENTER, "KEY_PAGEDOWN", True)
    after(0.2)
    keys.unplug(PRESENTER)
    after(0.2)
    assert buttons.down() == ("dudo",)


def test_buttons_that_the_box_has_not_are_left_out(pins, buttons):
    keys = SimulatedKeys(PRESENTER)
    reader = KeyButtons(lambda: keys, buttons, {Key("Elsewhere", "KEY_A"): "seat9"})
    assert reader.faults() == ()
    reader.close()
    with pytest.raises(KeyError):
        buttons.touch("seat9", True)


def test_learning_has_the_keys_read_now(keys, buttons):
    reader, woken = KeyButtons(lambda: keys, buttons, {}), list[int]()
    reader.wake = lambda: woken.append(1)
    assert reader.step() is None, "no key is wanted"
    reader.learn(LEARNT)
    assert woken == [1]
    keys.move(PRESENTER, "KEY_PAGEDOWN", True)
    assert reader.step() == 0.0
    assert buttons.down() == ("dudo",)
    reader.close()
    reader.close()
    assert reader.step() is None


# ---- kept keys ----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["[]", '{"keys": [{"device": "a"}]}',
     '{"keys": [{"device": "a", "code": "b", "button": "self-destruct"}]}'])  # fmt: skip
def test_a_damaged_file_is_refused(content):
    with pytest.raises((ValueError, KeyError, TypeError)):
        parsed(content.encode())


# ---- the real side without devices ---------------------------------------------------------------


def test_without_evdev_it_is_one_sentence(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "evdev", None)
    keys = EvdevKeys(SystemClock())
    assert isinstance(keys.fault(), KeysSoftwareMissing)
    assert keys.poll(0.0) == ()
    keys.close()


class FakeDevice:
    """What evdev gives, over a pipe."""

    def __init__(self, path: str) -> None:
        self.path, self.name, self.events, self.gone = path, PRESENTER, [], False
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        return self._read

    def capabilities(self) -> dict[int, list[int]]:
        return {1: [30]}

    def feed(self, *events: tuple[int, int, int]) -> None:
        self.events += [type("E", (), {"type": t, "code": c, "value": v}) for t, c, v in events]
        os.write(self._write, b"x")

    def read(self) -> Iterator[Any]:
        if self.gone:
            raise OSError(19, "No such device")
        os.read(self._read, 100)
        found, self.events = self.events, []
        return iter(found)

    def close(self) -> None:
        if self._read >= 0:
            os.close(self._read)
            os.close(self._write)
            self._read = -1


@pytest.fixture
def fake(monkeypatch):
    import sys
    from types import SimpleNamespace

    device = FakeDevice("/dev/input/event0")
    ecodes = SimpleNamespace(EV_KEY=1, bytype={1: {30: "KEY_A", 288: ["BTN_JOYSTICK", "BTN_TRIGGER"]}})
    module = SimpleNamespace(
        InputDevice=lambda path: device, ecodes=ecodes, list_devices=lambda folder: [device.path]
    )
    monkeypatch.setitem(sys.modules, "evdev", module)
    yield device
    device.close()


def test_events_of_evdev_become_keys(fake):
    keys = EvdevKeys(SystemClock())
    fake.feed((1, 30, 1), (4, 4, 30), (1, 30, 2), (1, 30, 0), (1, 288, 1), (1, 999, 1))
    assert [(event.key.code, event.down) for event in keys.poll(1.0) if isinstance(event, KeyEvent)] == [
        ("KEY_A", True),
        ("KEY_A", False),
        ("BTN_JOYSTICK", True),
        ("KEY_999", True),
    ]
    keys.close()


def test_a_device_of_evdev_that_fails_has_gone(fake):
    keys = EvdevKeys(SystemClock())
    fake.gone = True
    fake.feed()
    assert keys.poll(1.0) == (Unplugged(PRESENTER),)
    assert keys.devices() == ()
    keys.close()


def test_who_asks_for_the_devices_while_one_is_plugged_in_gets_an_answer(fake):
    keys = EvdevKeys(SystemClock())

    class Slow(FakeDevice):
        @property
        def name(self) -> str:
            keys._open["/dev/input/event1"] = fake
            return "Numpad"

        @name.setter
        def name(self, name: str) -> None: ...

    keys._open = {"/dev/input/event2": Slow("/dev/input/event2")}
    assert keys.devices() == ("Numpad",)
    assert keys.devices() == ("Numpad", PRESENTER)
    keys.close()
