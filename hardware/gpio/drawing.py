"""The wiring as a drawing (SVG): the header from above, every part beside its pin with its whole circuit."""

from __future__ import annotations

from hardware.gpio.wiring import HEADER, HeaderPin, Wiring
from hardware.gpio.wiring_table import Connection, connections, series_ohm
from hardware.svg import document, line, rect, text

_ROW, _TOP, _WIDTH, _MIDDLE = 38, 120, 1000, 500
_HEIGHT = _TOP + 20 * _ROW + 114
_OUTLINE = 'fill="#fff" stroke="#111" stroke-width="2"'
_FILLS = {"3V3": "#e8a33d", "5V": "#c8402f", "GND": "#222222"}
_WIRES = {
    "button": "#2f6fb5",
    "status": "#8a3fb0",
    "anode": "#8a3fb0",
    "lamp": "#2c8a4b",
    "strip": "#2c8a4b",
    "ring": "#b8860b",
    "buzzer": "#9c4a1a",
}
_BOXES = {"ring": "MOSFET", "buzzer": "NPN", "strip": "WS281x"}
_COLOURS = {"status red": "#d33", "status green": "#2a2", "status blue": "#36d"}


def wiring_svg(wiring: Wiring) -> str:
    """The whole drawing as the text of an SVG file. Raises WiringFault when the wiring can't work."""
    by_position = {connection.position: connection for connection in connections(wiring)}
    body = [_heading(), _board()]
    for pin in HEADER:
        body.append(_pin(pin))
        if pin.position in by_position:
            body.append(_connection(by_position[pin.position]))
        else:
            body.append(_unused(pin))
    return document("Wiring of the Dudo companion", _WIDTH, _HEIGHT, [*body, _legend()])


def _heading() -> str:
    return text(_MIDDLE, 40, "Wiring of the Dudo companion", "middle", size=22) + text(
        _MIDDLE,
        66,
        "the 40-pin header from above; pin 1 is nearest to the memory card",
        "middle",
        fill="#555",
    )


def _board() -> str:
    """The body of the header."""
    return rect(_MIDDLE - 52, _TOP - 24, 104, 20 * _ROW + 10, 'rx="10" fill="#2b5d43"')


def _side(position: int) -> int:
    """-1 for the left row of odd pins, 1 for the right row of even ones."""
    return -1 if position % 2 else 1


def _place(position: int) -> tuple[int, int]:
    """Centre of a pin."""
    return _MIDDLE + 22 * _side(position), _TOP + (position - 1) // 2 * _ROW


def _pin(pin: HeaderPin) -> str:
    x, y = _place(pin.position)
    fill = _FILLS.get(pin.name, "#f4e9c8")
    ink = "#fff" if pin.name in ("GND", "5V") else "#111"
    shape = f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="#fff"/>'
    if pin.position == 1:
        shape = f'<rect x="{x - 14}" y="{y - 14}" width="28" height="28" fill="{fill}" stroke="#fff"/>'
    return shape + text(x, y + 5, str(pin.position), "middle", fill=ink, size=13)


def _unused(pin: HeaderPin) -> str:
    """The name of a pin without a part: a supply, ground, or a GPIO that is free."""
    x, y = _place(pin.position)
    name = {"GND": "ground", "3V3": "3.3 V", "5V": "5 V"}.get(pin.name, pin.name)
    side = _side(pin.position)
    return text(x + 40 * side, y + 5, name, "start" if side > 0 else "end", fill="#888", size=12)


def _connection(connection: Connection) -> str:
    """A wire from the pin outwards, the circuit on it, its end, and the part's name."""
    x, y = _place(connection.position)
    side = _side(connection.position)
    start, end = x + 14 * side, x + 190 * side
    wire = line(start, y, end, y, _WIRES[connection.kind])
    name = text(x + 38 * side, y - 5, f"GPIO{connection.bcm}", _towards(side), fill="#555", size=11)
    label = text(end + 34 * side, y + 5, _capital(connection.part), _towards(side), size=15)
    return wire + name + _symbol(connection, x + 125 * side, y, side) + _end(connection, end, y, side) + label


def _towards(side: int) -> str:
    """Text that grows away from the header."""
    return "start" if side > 0 else "end"


def _capital(part: str) -> str:
    kind, _, name = part.partition(" ")
    return f"{name.upper()} button" if kind == "button" else part[0].upper() + part[1:]


def _symbol(connection: Connection, x: int, y: int, side: int) -> str:
    """The circuit symbol around (x, y)."""
    if connection.kind == "button":
        return _switch(x, y)
    if word := _BOXES.get(connection.kind):
        ohm = 330 if connection.kind == "strip" else 1000
        return _resistor(x - 26 * side, y, ohm) + _box(x + 26 * side, y, word)
    lamp = _COLOURS.get(connection.part, "#e0b000")
    led = _led(x + 26 * side, y, side, lamp, connection.kind == "anode")
    return _resistor(x - 26 * side, y, series_ohm(connection.part)) + led


def _switch(x: int, y: int) -> str:
    """A push button: two contacts and a lever above them."""
    gap = rect(x - 14, y - 2, 28, 4, 'fill="#fff"')
    contacts = "".join(f'<circle cx="{at}" cy="{y}" r="4" fill="#111"/>' for at in (x - 14, x + 14))
    return gap + contacts + line(x - 16, y - 9, x + 16, y - 9, "#111") + line(x, y - 9, x, y - 16, "#111")


def _resistor(x: int, y: int, ohm: int) -> str:
    value = f"{ohm // 1000}kΩ" if ohm >= 1000 else f"{ohm}Ω"
    return rect(x - 15, y - 6, 30, 12, _OUTLINE) + text(x, y + 4, value, "middle", size=9)


def _led(x: int, y: int, side: int, colour: str, backwards: bool) -> str:
    """A diode pointing the way the current flows: away from the pin, or towards it with a common anode."""
    along = -side if backwards else side
    base, tip = x - 9 * along, x + 9 * along
    body = f'<path d="M{base} {y - 9} L{base} {y + 9} L{tip} {y} Z" fill="{colour}" stroke="#111"/>'
    return body + line(tip, y - 9, tip, y + 9, "#111")


def _box(x: int, y: int, word: str) -> str:
    return rect(x - 30, y - 11, 60, 22, f'rx="4" {_OUTLINE}') + text(x, y + 4, word, "middle", size=12)


def _end(connection: Connection, x: int, y: int, side: int) -> str:
    """Where the wire ends: ground, or 3.3 V for a common anode."""
    if connection.kind == "anode":
        return text(x + 3 * side, y + 4, "3.3V", _towards(side), fill="#b36b00", size=11)
    bars = [(0, 10), (5, 6), (10, 3)]
    return "".join(line(x + dx * side, y - half, x + dx * side, y + half, "#111") for dx, half in bars)


def _legend() -> str:
    lines = (
        "Three bars are ground: any of the black pins. A GPIO in grey is free.",
        "MOSFET and NPN switch the minus of ring and buzzer to ground; their plus goes to 5 V.",
        "10 kΩ from the MOSFET's gate to ground. A diode 1N4148 across the buzzer, its ring at 5 V.",
        "Switch the power off before wiring.",
    )
    y = _TOP + 20 * _ROW + 20
    return "".join(text(_MIDDLE, y + 24 * n, line, "middle", fill="#555") for n, line in enumerate(lines))
