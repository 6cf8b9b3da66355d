"""WS281x strips: what goes over SPI, and the lamps on them."""

import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import HardwareError, LampMissing, NoPermission
from hardware.gpio.wiring import Wiring
from hardware.lamps.patterns import Rgb
from hardware.lamps.pin_lights import PinLights
from hardware.lamps.strip import BRIGHTNESS, SPI_HZ, Strip, encoded
from hardware.ports import BoxState, LampView, SeatLamp
from tests.hardware.shown import shown

WHITE, RED, OFF = (1.0, 1.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)
colours = st.lists(st.tuples(*[st.floats(0, 1)] * 3), max_size=13)


def decoded(sent: bytes) -> list[Rgb]:
    """What a strip takes from the bytes: highs of the line, each timed, until the line is long low."""
    line = "".join(f"{byte:08b}" for byte in sent).strip("0")
    highs = [len(high) for high in line.replace("0", " ").split()]
    bits = ["0" if high / SPI_HZ < 0.6e-6 else "1" for high in highs]
    values = [int("".join(bits[n : n + 8]), 2) for n in range(0, len(bits), 8)]
    triples = [values[n : n + 3] for n in range(0, len(values), 3)]
    return [(red / 255, green / 255, blue / 255) for green, red, blue in triples]


@given(colours)
def test_a_strip_takes_from_the_line_what_was_meant(shown):
    found = decoded(encoded(shown))
    assert len(found) == len(shown)
    for got, meant in zip(found, shown, strict=True):
        assert got == pytest.approx([part * BRIGHTNESS for part in meant], abs=1 / 500)


def test_each_bit_has_the_times_of_the_data_sheet():
    assert encoded([(0.0, 0.0, 0.0)])[1:10] == bytes([0b10010010, 0b01001001, 0b00100100] * 3)
    assert 0.25e-6 < 1 / SPI_HZ < 0.55e-6
    assert 0.65e-6 < 2 / SPI_HZ < 0.95e-6
    low = len(encoded([])) - 1
    assert low * 8 / SPI_HZ > 280e-6


def test_colours_out_of_bounds_are_clamped():
    assert decoded(encoded([(7.0, -1.0, 0.0)])) == decoded(encoded([(1.0, 0.0, 0.0)]))


@pytest.fixture
def line(monkeypatch):
    """A stand-in of spidev: what was `sent` last, and the `error` that every call raises."""
    state = SimpleNamespace(sent=b"", error=None)

    class SpiDev:
        def open(self, bus: int, device: int) -> None:
            self.writebytes2(b"")

        def writebytes2(self, sent: bytes) -> None:
            if state.error:
                raise state.error
            state.sent = sent

        def close(self) -> None:
            self.writebytes2(b"")

    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=SpiDev))
    return state


def test_a_strip_shows_its_colours(line):
    strip = Strip(3, simulated=False)
    strip.put(0, RED)
    strip.put(1, WHITE)
    assert line.sent == encoded([RED, WHITE, OFF])
    strip.close()
    strip.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileNotFoundError(2, "No such file"), LampMissing),
        (OSError(5, "Input/output error"), LampMissing),
        (PermissionError(13, "Permission denied"), NoPermission),
    ],
)
def test_a_strip_that_is_not_there_is_one_sentence_and_comes_back(line, error, kind):
    strip = Strip(1, simulated=False)
    for raised in (error, None, error):
        line.error = raised
        strip.put(0, WHITE)
        assert (type(strip.fault) is kind) == (raised is error)
        assert raised or line.sent == encoded([WHITE])
        if raised:
            with pytest.raises(kind):
                strip.check()
    strip.close()


def test_without_spidev_it_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(LampMissing, match="python3-spidev"):
        Strip(1, simulated=False).check()


# ---- the box's lamps on a strip ------------------------------------------------------------------

SEATS = (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.LOSES)


class Remembering(Strip):
    """Remembers what it shows; `broken` is what it raises instead."""

    colours: tuple[Rgb, ...] = ()
    broken: HardwareError | None = None

    def _send(self, colours: Sequence[Rgb]) -> None:
        if self.broken is not None:
            raise self.broken
        self.colours = tuple(colours)


@pytest.fixture
def strip():
    return Remembering(4, simulated=False)


@pytest.fixture
def lights(pins, clock, strip):
    opened = PinLights(Wiring(), pins, clock, strip=strip)
    yield opened
    opened.close()


def test_the_strip_says_what_the_lamps_would(clock, lights, strip):
    lights.show(LampView(BoxState.FAILS, SEATS))
    seen = shown(lights)
    assert strip.colours == (RED, WHITE, OFF, WHITE)
    assert (seen.rgb, seen.seats) == (RED, (1.0, 0.0, 1.0))
    clock.advance(0.6)
    lights.refresh()
    assert strip.colours[0] == OFF


def test_the_pins_of_status_and_seats_are_left_alone(pins, lights):
    lights.show(LampView(BoxState.FAILS, SEATS))
    lights.refresh()
    wiring = Wiring()
    assert wiring.status is not None
    assert {pins.factory.pin(f"GPIO{n}").function for n in (*wiring.status, *wiring.seats)} == {"input"}


def test_each_pixel_can_be_lit_alone(lights, strip):
    assert lights.parts()[-2:] == ("lamp of seat 3", "light ring")
    lights.test("lamp of seat 2")
    assert strip.colours == (OFF, OFF, WHITE, OFF)
    lights.test("status green")
    assert strip.colours == ((0.0, 1.0, 0.0), OFF, OFF, OFF)


def test_a_strip_that_goes_away_is_a_fault_until_it_is_back(clock, lights, strip):
    lights.show(LampView(BoxState.BIDDING, SEATS))
    lights.refresh()
    strip.broken = LampMissing("The wire is off.")
    lights.show(LampView(BoxState.FAILS, SEATS))
    lights.refresh()
    assert {fault.reason for fault in lights.faults()} == {"lamp_missing"}
    strip.broken = None
    clock.advance(0.6)
    lights.refresh()
    assert lights.faults() == ()


def test_a_strip_that_is_missing_at_start_comes_back(pins, clock, strip, caplog):
    strip.broken = LampMissing("No SPI.")
    lights = PinLights(Wiring(), pins, clock, strip=strip)
    assert {fault.reason for fault in lights.faults()} == {"lamp_missing"}
    lights._devices.open()
    assert caplog.text.count("No SPI.") == 1, "all its pixels fail for one reason"
    lights.show(LampView(BoxState.FAILS, SEATS))
    strip.broken = None
    lights._devices.open()
    lights.refresh()
    assert lights.faults() == ()
    assert strip.colours == (RED, WHITE, OFF, WHITE)
    lights.close()
    assert strip.colours == (OFF, OFF, OFF, OFF)


def test_a_simulated_strip_needs_no_spi(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    strip = Strip(4, simulated=True)
    strip.put(1, RED)
    assert (strip.seats, strip.fault) == (3, None)
    strip.close()
