"""Pins chosen by name, the assignment of parts to pins by the settings, the errors, and the clocks."""

import builtins
import importlib
import pkgutil
import subprocess
import sys
import tomllib
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hardware
from hardware import errors
from hardware.buttons.pin_buttons import PinButtons
from hardware.clock import SkippingClock
from hardware.errors import WiringFault
from hardware.gpio.pins import EVERY_S, KEPT_STATES, choose_pins, explain, open_pins, pi_model
from hardware.gpio.wiring import (
    HEADER,
    POSITIONS,
    Wiring,
    as_data,
    as_text,
    checked,
    faults,
    notes,
    wiring_from,
)
from hardware.lamps.pin_lights import PinLights
from tests.clocks import FakeClock

PI5 = "Raspberry Pi 5 Model B Rev 1.0"


@pytest.mark.parametrize(
    ("choice", "model", "kind", "why"),
    [
        ("auto", PI5, "real", PI5),
        ("auto", "", "mock", "is no Raspberry Pi"),
        ("real", "", "real", "the settings ask"),
        ("mock", PI5, "mock", "the settings ask"),
    ],
)
def test_which_pins_and_why(choice, model, kind, why):
    chosen, said = choose_pins(choice, model)
    assert chosen == kind
    assert why in said


def test_an_unknown_name_is_refused():
    with pytest.raises(errors.WrongChoice, match="auto, real, mock"):
        choose_pins("rpigpio", "")


@pytest.mark.parametrize(
    ("content", "model"), [(PI5 + "\0", PI5), ("Libre Computer AML-S905X-CC\0", ""), (None, "")]
)
def test_the_model_is_read_from_the_device_tree(tmp_path, content, model):
    file = tmp_path / "model"
    if content is not None:
        file.write_text(content)
    assert pi_model(file) == model


def test_real_pins_are_never_replaced_by_mock_ones(monkeypatch, tmp_path):
    real_import = builtins.__import__

    def no_lgpio(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "lgpio" or name.startswith("gpiozero.pins.lgpio"):
            raise ModuleNotFoundError("No module named 'lgpio'")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_lgpio)
    model = tmp_path / "model"
    model.write_text(PI5)
    for choice in ("real", "auto"):
        with pytest.raises(errors.PinsMissing, match="python3-lgpio"):
            open_pins(choice, FakeClock(), model)


def test_pins_that_may_come_later_are_a_fault_of_each_part_and_then_work(monkeypatch, clock, pins):
    opened: list[Any] = []

    def real_factory() -> Any:
        if not opened:
            raise errors.NoPermission("This user may not use the pins.")
        return opened[0]

    monkeypatch.setattr("hardware.gpio.pins._real_factory", real_factory)
    later = open_pins("real", clock, persistent=True)
    wiring = Wiring(seats=(), ring=None)
    parts = PinButtons(wiring, later), PinLights(wiring, later, clock)
    assert [{type(f) for f in part.faults()} for part in parts] == [{errors.NoPermission}] * 2
    opened.append(pins.factory)
    clock.advance(EVERY_S - 0.1)
    parts[0].settle(), parts[1].refresh()
    assert all(part.faults() for part in parts)
    clock.advance(0.1)
    parts[0].settle(), parts[1].refresh()
    assert not any(part.faults() for part in parts)
    for part in parts:
        part.close()


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (PermissionError(13, "Permission denied"), errors.NoPermission),
        (OSError("can not open gpiochip"), errors.NoPermission),
        (RuntimeError("'GPIO busy'"), errors.PinTaken),
        (ValueError("pin GPIO17 is already in use by <LED>"), errors.PinTaken),
        (FileNotFoundError(2, "No such file"), errors.PinsMissing),
        (ValueError("strange"), errors.PinError),
    ],
)
def test_what_lgpio_says_becomes_a_fault_of_ours(raised, error):
    assert type(explain("button dudo", raised)) is error


@pytest.mark.parametrize(
    ("wiring", "words"),
    [
        (Wiring(), ()),
        (Wiring(buttons=(), status=None, seats=(), ring=None, buzzer=None), ()),
        (Wiring(ring=17), ("GPIO17 is given to button dudo and light ring",)),
        (Wiring(status=(5, 5, 13)), ("GPIO5 is given to status red and status green",)),
        (Wiring(buzzer=28), ("GPIO28 (buzzer) is not on the 40-pin header",)),
        (Wiring(ring=-1), ("GPIO-1 (light ring) is not on",)),
        (Wiring(ring=0), ("GPIO0 (light ring) is reserved",)),
        (Wiring(seats=(3,)), ("GPIO3 (lamp of seat 1) has a fixed resistor",)),
        (Wiring(buttons=(("ok", 3),)), ()),
        (Wiring(buttons=(("doubt", 4),)), ("There is no button called doubt",)),
        (Wiring(buttons=(("ok", 4), ("ok", 14))), ("The button ok is given 2 pins",)),
        (Wiring(ring=17, buzzer=40), ("GPIO17 is given", "GPIO40 (buzzer) is not")),
        (Wiring(strip=7, ring=18), ()),
        (Wiring(strip=7, ring=10), ("GPIO10 is given to strip of 7 pixels and light ring",)),
        (Wiring(strip=7, ring=11), ("GPIO11 (light ring) is SPI clock, and a strip takes that bus",)),
    ],
)
def test_wirings_that_cannot_work_say_why_all_at_once(wiring, words):
    found = faults(wiring)
    assert len(found) == len(words)
    assert all(word in fault for word, fault in zip(words, found, strict=True))


def test_a_checked_wiring_raises_all_faults_in_one():
    with pytest.raises(errors.WiringFault, match=r"GPIO17.*GPIO40"):
        checked(Wiring(ring=17, buzzer=40))


def test_a_pin_with_another_use_is_only_noted():
    assert "SPI select 0" in notes(Wiring(ring=8))[0]
    assert notes(Wiring()) == notes(Wiring(strip=7)) == ()


pins_or_not = st.integers(-2, 45)


@given(
    st.lists(st.tuples(st.sampled_from(["dudo", "ok", "seat1", "seat9"]), pins_or_not), max_size=4),
    st.lists(pins_or_not, max_size=6),
    pins_or_not,
)
def test_a_wiring_without_faults_has_distinct_pins_of_the_header(buttons, seats, ring):
    wiring = Wiring(buttons=tuple(buttons), seats=tuple(seats), ring=ring)
    if not faults(wiring):
        used = [pin for _, pin in wiring.parts()]
        assert len(set(used)) == len(used)
        assert set(used) <= set(POSITIONS) - {0, 1}


def test_the_header_agrees_with_gpiozero(pins):
    theirs = pins.factory.board_info.headers["J8"].pins
    assert {n: theirs[n].name for n in range(1, 41)} == HEADER


def every_error() -> list[type[errors.HardwareError]]:
    return [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.HardwareError)]


@pytest.mark.parametrize("error", every_error(), ids=lambda e: e.__name__)
def test_every_fault_has_a_reason_a_sentence_and_a_hint(error):
    fault = error("The dog ate it.", "Feed the dog.")
    assert str(fault) == "The dog ate it. Feed the dog."
    assert fault.reason.replace("_", "").isalpha()
    again = fault.afresh()
    assert (type(again), str(again), again.reason) == (error, str(fault), fault.reason)
    assert str(error("The dog ate it.")) != "The dog ate it."


def test_reasons_are_all_different():
    reasons = [error.reason for error in every_error()]
    assert len(set(reasons)) == len(reasons)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 10)), max_size=20))
def test_a_skipping_clock_never_runs_back_and_is_caught_up(steps):
    base = FakeClock()
    clock = SkippingClock(base)
    last_s = 0.0
    for skips, seconds in steps:
        clock.skip(seconds) if skips else base.advance(seconds)
        assert clock.now_s() >= last_s
        last_s = clock.now_s()
    base.advance(1000.0)
    assert clock.now_s() == base.now_s()


def test_a_lamp_that_blinks_for_an_hour_takes_no_more_memory_than_for_a_minute(pins):
    """At 20 steps a second; gpiozero's own mock pin keeps each of them."""
    pin = pins.factory.pin(17)
    pin.function = "output"
    blink(pin, 20 * 60)
    tracemalloc.start()
    try:
        blink(pin, 20 * 3600)
        grown_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown_bytes < 100_000
    assert [state.state for state in pin.states] == [1.0, 0.0] * (KEPT_STATES // 2)


def blink(pin: Any, steps: int) -> None:
    for step in range(steps):
        pin.state = (step + 1) % 2


def test_nothing_touches_hardware_at_import():
    names = [m.name for m in pkgutil.walk_packages(hardware.__path__, "hardware.")]
    for name in names:
        importlib.import_module(name)
    code = f"import sys, importlib\nfor n in {names}: importlib.import_module(n)\n"
    code += "bad = {'gpiozero', 'picamera2', 'libcamera', 'lgpio'} & set(sys.modules)\nassert not bad, bad"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("make", [as_text, as_data])
def test_a_wiring_that_cannot_work_has_no_table(make):
    with pytest.raises(errors.WiringFault, match="GPIO17"):
        make(Wiring(ring=17))


def test_the_table_goes_by_the_header():
    rows = as_data(Wiring())["connections"]
    assert [row["position"] for row in rows] == sorted(row["position"] for row in rows)
    assert {row["bcm"]: row["position"] for row in rows}[17] == 11
    text = as_text(Wiring(ring=8, common_anode=True))
    assert "SPI select 0" in text
    assert "Ground is on the pins 6, 9" in text
    assert "common lead to 3.3 V" in text
    assert "seat" not in as_text(Wiring(strip=7))


@pytest.mark.parametrize(
    ("wiring", "pins"),
    [
        (Wiring(), []),
        (Wiring(status=(5, 6, 13)), [5, 6]),
        (Wiring(status=(5, 6, 13), common_anode=True), []),
        (Wiring(ring=4), [4]),
        (Wiring(buttons=(("dudo", 4), ("ok", 5))), []),
    ],
)
def test_a_lamp_that_glows_until_the_program_starts_is_reported(wiring, pins):
    found = [note for note in notes(wiring) if "until the program starts" in note]
    assert [int(note.partition(" ")[0].removeprefix("GPIO")) for note in found] == pins


@pytest.mark.parametrize(
    ("text", "wiring"),
    [
        ("", Wiring()),
        ("ring = 14", Wiring(ring=14)),
        ("ring = false\nbuzzer = false", Wiring(ring=None, buzzer=None)),
        ("status = false\nseats = false", Wiring(status=None, seats=())),
        ("seats = [16, 20]\ncommon_anode = true", Wiring(seats=(16, 20), common_anode=True)),
        ("status = [10, 9, 11]", Wiring(status=(10, 9, 11))),
        ("buttons = { seat1 = 17, ok = 4 }", Wiring(buttons=(("seat1", 17), ("ok", 4)))),
        ("buttons = false", Wiring(buttons=())),
    ],
)
def test_settings_become_a_wiring(text, wiring):
    assert wiring_from(tomllib.loads(text)) == wiring


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rings = 18", "[pins] has no rings; there are buttons, status"),
        ("ring = true", "[pins] ring is a pin's BCM number, or false."),
        ('ring = "GPIO18"', "[pins] ring is a pin's BCM number"),
        ("status = [1, 2]", "[pins] status is a list of three pins."),
        ("seats = 4", "[pins] seats is a list of pins."),
        ("buttons = [1]", "[pins] buttons is like"),
        ("common_anode = 1", "[pins] common_anode is true or false."),
        ("ring = 17", "GPIO17 is given to button dudo and light ring"),
        ("ring = 99\nbuzzer = 0", "GPIO0 (buzzer) is reserved"),
        ("ring = true\nfan = 3", "has no fan"),
    ],
)
def test_faults_are_reported_in_the_settings_words(text, words):
    with pytest.raises(WiringFault) as caught:
        wiring_from(tomllib.loads(text))
    assert words in str(caught.value)
