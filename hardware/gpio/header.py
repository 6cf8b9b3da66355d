"""The 40-pin header of the Raspberry Pi (all models since the B+), as data.

Source: the pinout in the Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from __future__ import annotations

from dataclasses import dataclass

_LAYOUT = """
3V3  5V   2    5V   3    GND  4    14   GND  15
17   18   27   GND  22   23   3V3  24   10   GND
9    25   11   8    GND  7    0    1    5    GND
6    12   13   GND  19   16   26   20   GND  21
"""


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One pin of the header: its position from 1 to 40, its name, and its BCM number if it is a GPIO."""

    position: int
    name: str
    bcm: int | None


@dataclass(frozen=True, slots=True)
class GpioPin:
    """The special use of one GPIO: `reserved` forbids it, `also` is its other common use.

    `pulled_up`: by a resistor on the board. `up_at_start`: by the processor until a program sets the pin
    (Broadcom, "BCM2835 ARM Peripherals", table 6-31; the same on later models).
    """

    position: int
    reserved: str = ""
    also: str = ""
    pulled_up: bool = False
    up_at_start: bool = False


def _header_pin(position: int, word: str) -> HeaderPin:
    if word.isdigit():
        return HeaderPin(position, f"GPIO{word}", int(word))
    return HeaderPin(position, word, None)


HEADER = tuple(_header_pin(position, word) for position, word in enumerate(_LAYOUT.split(), start=1))

_ALSO = {
    2: "I2C data",
    3: "I2C clock and the wake-up pin",
    7: "SPI select 1",
    8: "SPI select 0",
    9: "SPI input",
    10: "SPI output",
    11: "SPI clock",
    14: "the serial console (transmit)",
    15: "the serial console (receive)",
}
_EEPROM = "the board reads the identity of add-on boards there"

GPIO_PINS = {
    pin.bcm: GpioPin(
        pin.position,
        reserved=_EEPROM if pin.bcm in (0, 1) else "",
        also=_ALSO.get(pin.bcm, ""),
        pulled_up=pin.bcm in (2, 3),
        up_at_start=pin.bcm <= 8,
    )
    for pin in HEADER
    if pin.bcm is not None
}
GROUND_POSITIONS = tuple(pin.position for pin in HEADER if pin.name == "GND")
