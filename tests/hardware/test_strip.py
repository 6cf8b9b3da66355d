"""WS281x strips: what goes over SPI, one contract for real and simulated sides, and the lamps on them."""

import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import LampMissing, NoPermission
from hardware.gpio.wiring import Wiring
from hardware.lamps.patterns import Rgb
from hardware.lamps.pin_lights import PinLights
from hardware.lamps.strip import (
    BRIGHTNESS,
    SPI_HZ,
    SimulatedStrip,
    SpiStrip,
    Strip,
    StripLamps,
    encoded,
    open_strip,
)
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


# ---- one contract for both sides -----------------------------------------------------------------


class Side:
    """A strip, what it shows, and a way to break it."""

    def __init__(
        self, strip: Strip, shown: Callable[[], Sequence[Rgb]], snap: Callable[[OSError | None], None]
    ) -> None:
        self.strip, self.shown, self.snap = strip, shown, snap


def simulated(monkeypatch: pytest.MonkeyPatch) -> Side:
    strip = SimulatedStrip()

    def snap(error: OSError | None) -> None:
        kinds = {PermissionError: NoPermission("no")}
        strip.broken = kinds.get(type(error), LampMissing("gone")) if error else None

    return Side(strip, lambda: [tuple(BRIGHTNESS * part for part in rgb) for rgb in strip.colours], snap)


def on_spi(monkeypatch: pytest.MonkeyPatch) -> Side:
    """The real side, over a stand-in of spidev whose line is read as a strip would."""
    state = SimpleNamespace(sent=b"", error=None, opened=0)

    class SpiDev:
        def open(self, bus: int, device: int) -> None:
            state.opened += 1
            if state.error:
                raise state.error

        def writebytes2(self, sent: bytes) -> None:
            if state.error:
                raise state.error
            state.sent = sent

        def close(self) -> None:
            if state.error:
                raise state.error

    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=SpiDev))
    return Side(SpiStrip(), lambda: decoded(state.sent), lambda error: setattr(state, "error", error))


@pytest.fixture(params=[simulated, on_spi], ids=["simulated", "spi"])
def side(request, monkeypatch):
    made: Side = request.param(monkeypatch)
    return made


def test_a_strip_shows_its_colours(side):
    side.strip.show([RED, WHITE, OFF])
    expected = [[BRIGHTNESS * part for part in rgb] for rgb in (RED, WHITE, OFF)]
    assert [list(rgb) for rgb in side.shown()] == [pytest.approx(rgb, abs=1 / 500) for rgb in expected]
    side.strip.close()
    side.strip.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileNotFoundError(2, "No such file"), LampMissing),
        (OSError(5, "Input/output error"), LampMissing),
        (PermissionError(13, "Permission denied"), NoPermission),
    ],
)
def test_a_strip_that_is_not_there_is_one_sentence_and_comes_back(side, error, kind):
    side.snap(error)
    with pytest.raises(kind):
        side.strip.show([RED])
    side.snap(None)
    side.strip.show([WHITE])
    assert list(side.shown()[0]) == pytest.approx([BRIGHTNESS] * 3, abs=1 / 500)
    side.snap(error)
    with pytest.raises(kind):
        side.strip.show([RED])
    side.strip.close()


def test_without_spidev_it_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(LampMissing, match="python3-spidev"):
        SpiStrip().show([RED])


# ---- the box's lamps on a strip ------------------------------------------------------------------

SEATS = (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.LOSES)


@pytest.fixture
def strip():
    return SimulatedStrip()


@pytest.fixture
def lights(pins, clock, strip):
    opened = PinLights(Wiring(), pins, clock, strip=StripLamps(strip, 4))
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
    lights = PinLights(Wiring(), pins, clock, strip=StripLamps(strip, 4))
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


def test_there_is_a_strip_where_it_has_pixels():
    assert open_strip(0, simulated=True) is None
    found = open_strip(4, simulated=True)
    assert found.seats == 3
