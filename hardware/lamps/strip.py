"""WS281x strips as status light and seat lamps, on SPI.

The first pixel is the status light, the others are the seats in order of the table. The strip's data line is
on GPIO10, the output of SPI 0, which a Raspberry Pi 5 has as well: neither PWM nor DMA of its own is needed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardware.errors import HardwareError, LampMissing, NoPermission
from hardware.lamps.patterns import Rgb

if TYPE_CHECKING:
    from spidev import SpiDev

SPI_HZ = 2_400_000
_LATCH_BYTES = 100
"""Low for 330 µs, more than the 280 µs after which a WS2812B takes over what it was sent."""

BRIGHTNESS = 0.3
"""Of full light: thirteen pixels of 60 mA then draw 0.24 A, and dazzle nobody."""


def encoded(colours: Sequence[Rgb]) -> bytes:
    """What SPI sends at SPI_HZ for these pixels. Pure.

    Each bit of the data lasts three of SPI: 100 for a 0, 110 for a 1 (high for 0.42 or 0.83 µs). Green
    comes first, then red and blue, the highest bit of each first. Source: data sheet of the WS2812B.
    """
    bits = 0
    count = 0
    for red, green, blue in colours:
        for part in (green, red, blue):
            level = round(255 * BRIGHTNESS * min(1.0, max(0.0, part)))
            for place in range(7, -1, -1):
                bits = bits << 3 | (0b110 if level >> place & 1 else 0b100)
            count += 24
    idle = bytes(_LATCH_BYTES)
    return b"\0" + bits.to_bytes(count // 8, "big") + idle


_SWITCH_ON = "Switch SPI on with raspi-config, and check the strip's wire to GPIO10."


def _opened() -> SpiDev:
    try:
        from spidev import SpiDev
    except ImportError as error:
        hint = "Install it: sudo apt install python3-spidev, or the extra strip."
        raise LampMissing(f"The library spidev can't be imported ({error}).", hint) from error
    spi = SpiDev()
    spi.open(0, 0)
    spi.max_speed_hz, spi.mode = SPI_HZ, 0
    return spi


class Strip:
    """The pixels of a strip on SPI 0 as single lamps. Each change is sent at once, or nowhere if `simulated`.

    SPI is opened with the first colours, and again after each fault.
    """

    def __init__(self, pixels: int, *, simulated: bool) -> None:
        self._colours, self._simulated = [(0.0, 0.0, 0.0)] * pixels, simulated
        self._spi: SpiDev | None = None
        self.fault: HardwareError | None = None
        """Why the strip was not lit the last time."""

    @property
    def seats(self) -> int:
        """How many seats have a lamp."""
        return len(self._colours) - 1

    def check(self) -> None:
        """Send what is shown; raises LampMissing or NoPermission."""
        if not self._simulated:
            self._send(self._colours)
        self.fault = None

    def put(self, pixel: int, rgb: Rgb) -> None:
        """Light one pixel. What is in the way is in `fault`, and the next change tries again."""
        self._colours[pixel] = rgb
        try:
            self.check()
        except HardwareError as fault:
            self.fault = fault.afresh()

    def close(self) -> None:
        """Give SPI back; may be called twice."""
        spi, self._spi = self._spi, None
        if spi is not None:
            with contextlib.suppress(OSError):
                spi.close()

    def _send(self, colours: Sequence[Rgb]) -> None:
        try:
            if self._spi is None:
                self._spi = _opened()
            self._spi.writebytes2(encoded(colours))
        except HardwareError:
            raise
        except PermissionError as error:
            self.close()
            raise NoPermission(f"This user may not use SPI ({error}).") from error
        except OSError as error:
            self.close()
            raise LampMissing(f"The strip can't be driven ({error}).", _SWITCH_ON) from error


class Pixel:
    """A pixel as a lamp whose `value` is a colour, or a level of white. Opening it raises what the strip
    raises."""

    def __init__(self, lamps: Strip, number: int) -> None:
        self._lamps, self._number = lamps, number
        self._value: Rgb | float = 0.0
        lamps.check()

    @property
    def value(self) -> Rgb | float:
        """What is shown."""
        return self._value

    @value.setter
    def value(self, value: Rgb | float) -> None:
        self._value = value
        self._lamps.put(self._number, value if isinstance(value, tuple) else (value, value, value))

    def off(self) -> None:
        """No light."""
        self.value = 0.0

    def close(self) -> None:
        """The strip is given back by whoever opened it."""
