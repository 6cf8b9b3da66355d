"""The wiring as a table: for every part its pin of the header, and what goes between the two."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from hardware.gpio.wiring import GPIO_PINS, HEADER, Wiring, checked, notes

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
    found = [
        Connection(GPIO_PINS[pin].position, pin, part, _kind(part, wiring))
        for part, pin in checked(wiring).parts()
    ]
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
    grounds = ", ".join(str(pin.position) for pin in HEADER if pin.name == "GND")
    return "\n".join([*lines, "", f"Ground is on the pins {grounds}.", *notes(wiring)])
