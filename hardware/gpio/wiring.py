"""The 40-pin header of the Raspberry Pi (all models since the B+), which part is on which of its pins, what
is wrong with an assignment, and all of it as a table. Pins are BCM numbers.

Source: the pinout in the Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import cast

from hardware.errors import WiringFault

_LAYOUT = """
3V3  5V   2    5V   3    GND  4    14   GND  15
17   18   27   GND  22   23   3V3  24   10   GND
9    25   11   8    GND  7    0    1    5    GND
6    12   13   GND  19   16   26   20   GND  21
"""


HEADER = {
    position: f"GPIO{word}" if word.isdigit() else word
    for position, word in enumerate(_LAYOUT.split(), start=1)
}
"""The names of its pins, by their positions from 1 to 40."""
POSITIONS = {int(name[4:]): position for position, name in HEADER.items() if name.startswith("GPIO")}
"""The position of each GPIO."""

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
EEPROM, PULLED_UP, SPI = (0, 1), (2, 3), (7, 8, 9, 11)
"""Those by which the board reads the identity of add-on boards, those with a resistor to 3.3 V on the board,
and those of SPI 0 beside STRIP_PIN."""
FIRST_OFF = 9
"""From this one on the processor keeps pins off until a program sets them (Broadcom, "BCM2835 ARM
Peripherals", table 6-31; the same on later models)."""

SEAT_BUTTONS = tuple(f"seat{n}" for n in range(1, 13))
BUTTON_NAMES = ("dudo", "calza", "ok", *SEAT_BUTTONS)
STRIP_PIN = 10
"""The output of SPI 0, whose other pins a strip takes as well."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins of the box by BCM number; a part that is missing has none.

    `buttons` are pairs (name, pin), names of `BUTTON_NAMES` in any mix; a button connects its pin to ground.
    `status` are the pins of the red, green and blue leads. `seats` are the seat lamps in order of the table.
    `ring` and `buzzer` switch a transistor. With `common_anode` the status light is lit by a low pin.
    A `strip` of so many pixels is status light and seat lamps instead of theirs.
    """

    buttons: tuple[tuple[str, int], ...] = (("dudo", 17), ("calza", 27), ("ok", 22))
    status: tuple[int, int, int] | None = (18, 19, 13)
    seats: tuple[int, ...] = (23, 24, 25, 16, 20, 21)
    ring: int | None = 12
    buzzer: int | None = 26
    common_anode: bool = False
    strip: int = 0

    def parts(self) -> tuple[tuple[str, int], ...]:
        """Every part that has a pin, as (name, pin), always in the same order."""
        parts = [(f"button {name}", pin) for name, pin in self.buttons]
        if self.strip:
            parts += [(f"strip of {self.strip} pixels", STRIP_PIN)]
        elif self.status is not None:
            parts += zip(("status red", "status green", "status blue"), self.status, strict=True)
        seats = () if self.strip else self.seats
        parts += [(f"lamp of seat {n}", pin) for n, pin in enumerate(seats, start=1)]
        parts += [("light ring", self.ring)] if self.ring is not None else []
        parts += [("buzzer", self.buzzer)] if self.buzzer is not None else []
        return tuple(parts)


def faults(wiring: Wiring) -> tuple[str, ...]:
    """Everything that makes this wiring impossible, one sentence each; empty when it works."""
    return (*_name_faults(wiring), *_conflicts(wiring), *_impossible(wiring))


def checked(wiring: Wiring) -> Wiring:
    """The same wiring; raises WiringFault with all faults when it can't work."""
    found = faults(wiring)
    if found:
        raise WiringFault(" ".join(found))
    return wiring


def notes(wiring: Wiring) -> tuple[str, ...]:
    """Remarks on pins that work but also serve an interface of the Pi, or glow until the program starts."""
    return (
        *(
            f"GPIO{pin} ({part}) is also {_ALSO[pin]}: leave that interface off."
            for part, pin in wiring.parts()
            if pin in _ALSO and not part.startswith("strip")
        ),
        *(
            f"GPIO{pin} ({part}) is on until the program starts; GPIO9 to GPIO27 are off."
            for part, pin in wiring.parts()
            if pin < FIRST_OFF and _glows(part, wiring)
        ),
    )


def _glows(part: str, wiring: Wiring) -> bool:
    """Whether a high pin switches a part on."""
    return not part.startswith("button") and not (part.startswith("status") and wiring.common_anode)


def _name_faults(wiring: Wiring) -> list[str]:
    names = Counter(name for name, _ in wiring.buttons)
    unknown = [name for name in names if name not in BUTTON_NAMES]
    twice = [name for name, count in names.items() if count > 1]
    return [
        *(f"There is no button called {name}; use dudo, calza, ok or seat1 to seat12." for name in unknown),
        *(f"The button {name} is given {names[name]} pins; give it one." for name in twice),
    ]


def _conflicts(wiring: Wiring) -> list[str]:
    users: dict[int, list[str]] = {}
    for part, pin in wiring.parts():
        users.setdefault(pin, []).append(part)
    return [
        f"GPIO{pin} is given to {' and '.join(parts)}; one pin can serve only one part."
        for pin, parts in sorted(users.items())
        if len(parts) > 1
    ]


def _impossible(wiring: Wiring) -> list[str]:
    bus = [
        f"GPIO{pin} ({part}) is {_ALSO[pin]}, and a strip takes that bus; use another pin."
        for part, pin in wiring.parts()
        if wiring.strip and pin in SPI
    ]
    return bus + [reason for part, pin in wiring.parts() if (reason := _why_impossible(part, pin))]


def _why_impossible(part: str, pin: int) -> str:
    """Why `part` can't sit on `pin`, or "" when it can."""
    if pin not in POSITIONS:
        return f"GPIO{pin} ({part}) is not on the 40-pin header; GPIO2 to GPIO27 are."
    if pin in EEPROM:
        return f"GPIO{pin} ({part}) is reserved: the board reads the identity of add-on boards there."
    if pin in PULLED_UP and not part.startswith("button"):
        return (
            f"GPIO{pin} ({part}) has a fixed resistor to 3.3 V and would glow at start; use it for a button."
        )
    return ""


KEYS = tuple(field.name for field in fields(Wiring) if field.name != "strip")


def wiring_from(pins: Mapping[str, object], strip: int = 0) -> Wiring:
    """The wiring that the settings' [pins] describe, defaults for what is not there. Every key may be `false`
    where the part is missing. `strip` counts pixels. Raises WiringFault with all faults."""
    wrong = [f"[pins] has no {key}; there are {', '.join(KEYS)}." for key in pins if key not in KEYS]
    given = {key: value for key, value in pins.items() if key in KEYS}
    wrong += [said for key, value in given.items() if (said := _shape_fault(key, value))]
    if wrong:
        raise WiringFault(" ".join(wrong))
    values = {key: _value(key, value) for key, value in given.items()}
    return checked(replace(Wiring(strip=strip), **values))  # type: ignore[arg-type]  # their forms were looked at


def _shape_fault(key: str, value: object) -> str:
    """The fault in the form of one key's value, "" when it has the right one."""
    if key == "common_anode":
        return "" if isinstance(value, bool) else "[pins] common_anode is true or false."
    if value is False:
        return ""
    if key == "buttons":
        good = isinstance(value, Mapping) and all(_is_pin(pin) for pin in value.values())
        return "" if good else "[pins] buttons is like { dudo = 17, calza = 27, ok = 22 }."
    if key in ("status", "seats"):
        pins = value if isinstance(value, list | tuple) else [None]
        good = all(_is_pin(pin) for pin in pins)
        three = key == "seats" or (good and len(pins) == 3)
        return "" if good and three else f"[pins] {key} is a list of {'three ' * (key == 'status')}pins."
    return "" if _is_pin(value) else f"[pins] {key} is a pin's BCM number, or false."


def _is_pin(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _value(key: str, value: object) -> object:
    """A TOML value of the right form as the value of the field."""
    if value is False and key != "common_anode":
        return () if key in ("buttons", "seats") else None
    if key == "buttons":
        return tuple(cast("Mapping[str, int]", value).items())
    return tuple(value) if isinstance(value, list) else value


_CIRCUITS = {
    "button": "a push button from the pin to ground",
    "status": "{ohm} Ω in series to the lead of an RGB LED, common lead to ground",
    "anode": "{ohm} Ω in series to the lead of an RGB LED, common lead to 3.3 V",
    "lamp": "{ohm} Ω and an LED in series to ground",
    "strip": "{ohm} Ω in series to the strip's data input, its plus to 5 V, its minus to ground",
    "ring": "1 kΩ to the gate of a logic-level MOSFET (10 kΩ gate to ground), ring between its drain and 5 V",
    "buzzer": "1 kΩ to the base of an NPN transistor, an active 5 V buzzer between its collector and 5 V",
}

_OHMS = {"status green": 100, "status blue": 68}


@dataclass(frozen=True, slots=True)
class Connection:
    """One part on one pin. `position` counts on the header from 1 to 40; `kind` names the circuit."""

    position: int
    bcm: int
    part: str
    kind: str

    @property
    def circuit(self) -> str:
        """The components between the pin and the part, in words."""
        return _CIRCUITS[self.kind].format(ohm=series_ohm(self.part))


def series_ohm(part: str) -> int:
    """The resistor in series with a lamp, in ohm. Green and blue need 3 V of the 3.3 V, so theirs are small:
    all then carry 2 to 4 mA."""
    return _OHMS.get(part, 330)


def connections(wiring: Wiring) -> tuple[Connection, ...]:
    """Every connection, by position on the header. Raises WiringFault when the wiring can't work."""
    parts = checked(wiring).parts()
    found = [Connection(POSITIONS[pin], pin, part, _kind(part, wiring)) for part, pin in parts]
    return tuple(sorted(found, key=lambda connection: connection.position))


def _kind(part: str, wiring: Wiring) -> str:
    word = part.split()[0]
    if word == "light":
        return "ring"
    return "anode" if word == "status" and wiring.common_anode else word


def as_data(wiring: Wiring) -> dict[str, object]:
    """The wiring as plain data: connections and notes. Raises WiringFault."""
    rows = [{**asdict(c), "circuit": c.circuit} for c in connections(wiring)]
    return {"connections": rows, "notes": list(notes(wiring))}


def as_text(wiring: Wiring) -> str:
    """The table of header pins for a terminal. Raises WiringFault."""
    head = ("pin", "name", "part", "between pin and part")
    rows = [head] + [(str(c.position), f"GPIO{c.bcm}", c.part, c.circuit) for c in connections(wiring)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]) for row in rows
    ]
    grounds = ", ".join(str(position) for position, name in HEADER.items() if name == "GND")
    return "\n".join([*lines, "", f"Ground is on the pins {grounds}.", *notes(wiring)])
