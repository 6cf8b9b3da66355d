"""The wiring on a breadboard: which leg of which part goes into which hole. Pure data.

A column of five holes is one net in each half of the board, a rail is one net along the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.gpio.wiring import HEADER, Connection, Wiring, connections, series_ohm

COLUMNS = 63
"""Of a board with 830 holes. A wiring that needs more goes on on a second board."""

PLUS, MINUS, SUPPLY = "plus", "minus", "supply"
"""The rails: 5 V and ground above, 3.3 V below, where a common anode needs it."""

_WIRE_COLOURS = (
    *("#2f6fb5", "#2c8a4b", "#d9a400", "#8a3fb0", "#d9722b", "#12908f"),
    *("#b5366b", "#6b7a1f", "#7a4a21", "#4c55c4", "#5f7f95", "#a0522d"),
)
GROUND, FIVE_VOLTS, THREE_VOLTS = "#222222", "#c8402f", "#e8a33d"


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole: `column` from 1, `row` a to e below the middle, f to j above it, or a rail's name."""

    column: int
    row: str

    @property
    def net(self) -> tuple[int, str]:
        """What is connected to this hole inside the board."""
        if self.row in (PLUS, MINUS, SUPPLY):
            return 0, self.row
        return self.column, "lower" if self.row in "abcde" else "upper"


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from a pin of the header (1 to 40) to a hole."""

    position: int
    end: Hole
    colour: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part with its legs in holes, in the order that its `kind` has them.

    led: anode, cathode. rgb: red, common, green, blue. resistor, jumper, diode (anode, cathode), button: two
    ends. mosfet: gate, drain, source. npn: emitter, base, collector. ring, buzzer: plus, minus.
    strip: data, plus, minus.
    """

    kind: str
    legs: tuple[Hole, ...]
    label: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A wired breadboard with `columns` columns."""

    columns: int
    wires: tuple[Wire, ...]
    pieces: tuple[Piece, ...]


def laid_out(wiring: Wiring) -> Board:
    """The board of a wiring, groups in order of the header. Raises WiringFault when the wiring can't work."""
    column, wires, pieces = 2, [], list[Piece]()
    for group in _groups(wiring):
        ends, parts = _placed(group, column, wiring.common_anode)
        wires += ends
        pieces += parts
        column += _WIDTHS.get(group[0].kind, _STATUS_WIDTH)
    coloured = [
        Wire(at.position, hole, _WIRE_COLOURS[n % len(_WIRE_COLOURS)], f"GPIO{at.bcm}")
        for n, (at, hole) in enumerate(wires)
    ]
    columns = max(COLUMNS, column)
    return Board(columns, (*coloured, *_supplies(pieces, columns)), tuple(pieces))


def _groups(wiring: Wiring) -> list[list[Connection]]:
    """The connections part by part; the three of the status light are one."""
    every = connections(wiring)
    status = sorted(
        (one for one in every if one.part.startswith("status")),
        key=lambda one: ("red", "green", "blue").index(one.part.split()[1]),
    )
    groups = [[one] for one in every if one not in status] + ([status] if status else [])
    return sorted(groups, key=lambda group: group[0].position)


_WIDTHS = {"button": 4, "lamp": 4, "strip": 8, "ring": 8, "buzzer": 8}
_STATUS_WIDTH = 9
"""In columns."""

_Placed = tuple[list[tuple[Connection, Hole]], list[Piece]]
"""Where the wires from the header end, and the parts, of one group."""


def _placed(group: Sequence[Connection], column: int, anode: bool) -> _Placed:
    """The wires and parts of a group from a column on."""
    made = {"button": _button, "lamp": _lamp, "strip": _strip, "ring": _ring, "buzzer": _buzzer}
    make = made.get(group[0].kind)
    return make(group[0], column) if make else _status(group, column, anode)


def _button(at: Connection, column: int) -> _Placed:
    """A button between its pin's column and ground."""
    name = at.part.partition(" ")[2].upper()
    legs = Hole(column + 1, "e"), Hole(column + 2, MINUS)
    return [(at, Hole(column + 1, "b"))], [Piece("button", legs, name)]


def _lamp(at: Connection, column: int) -> _Placed:
    """A resistor across the middle, then the LED, then ground."""
    n = at.part.rpartition(" ")[2]
    return [(at, Hole(column, "b"))], [
        _resistor(Hole(column, "e"), Hole(column, "f"), series_ohm(at.part)),
        Piece("led", (Hole(column, "h"), Hole(column + 1, "h")), f"seat {n}", "#e0b000"),
        Piece("jumper", (Hole(column + 1, "j"), Hole(column + 1, MINUS)), "", GROUND),
    ]


def _status(group: Sequence[Connection], column: int, anode: bool) -> _Placed:
    """A resistor for each colour; the common leg goes to ground, or to 3.3 V with a common anode."""
    columns = (column, column + 4, column + 6)
    resistors = [
        _resistor(Hole(at, "e"), Hole(at, "f"), series_ohm(one.part))
        for one, at in zip(group, columns, strict=True)
    ]
    common = Hole(column + 2, "h")
    red, green, blue = (Hole(at, "h") for at in columns)
    rail, colour = (SUPPLY, THREE_VOLTS) if anode else (MINUS, GROUND)
    rgb = Piece("rgb", (red, common, green, blue), "status")
    jumper = Piece("jumper", (Hole(column + 2, "j"), Hole(column + 2, rail)), "", colour)
    return [(one, Hole(at, "b")) for one, at in zip(group, columns, strict=True)], [*resistors, rgb, jumper]


def _strip(at: Connection, column: int) -> _Placed:
    """A resistor in the data line; plus and minus come from the rails."""
    data = Hole(column + 1, "h")
    return [(at, Hole(column + 1, "b"))], [
        _resistor(Hole(column + 1, "e"), Hole(column + 1, "f"), series_ohm(at.part)),
        Piece("strip", (data, Hole(column + 3, PLUS), Hole(column + 5, MINUS)), at.part),
    ]


def _ring(at: Connection, column: int) -> _Placed:
    """The MOSFET switches the ring's minus; a resistor keeps its gate low until the program starts."""
    gate, drain, source = column + 1, column + 2, column + 3
    return [(at, Hole(gate, "b"))], [
        _resistor(Hole(gate, "e"), Hole(gate, "f"), 1000),
        Piece("mosfet", (Hole(gate, "h"), Hole(drain, "h"), Hole(source, "h")), "MOSFET"),
        _resistor(Hole(gate, "j"), Hole(gate, MINUS), 10000),
        Piece("jumper", (Hole(source, "j"), Hole(source, MINUS)), "", GROUND),
        Piece("ring", (Hole(column + 5, PLUS), Hole(drain, "i")), "light ring, 5 V"),
    ]


def _buzzer(at: Connection, column: int) -> _Placed:
    """The transistor switches the buzzer's minus; the diode takes the kick of a magnetic buzzer's coil."""
    emitter, base, collector = column + 1, column + 2, column + 3
    return [(at, Hole(base, "b"))], [
        _resistor(Hole(base, "e"), Hole(base, "f"), 1000),
        Piece("npn", (Hole(emitter, "h"), Hole(base, "h"), Hole(collector, "h")), "2N2222"),
        Piece("jumper", (Hole(emitter, "j"), Hole(emitter, MINUS)), "", GROUND),
        Piece("diode", (Hole(collector, "i"), Hole(collector + 1, PLUS)), "1N4148"),
        Piece("buzzer", (Hole(column + 5, PLUS), Hole(collector, "j")), "buzzer"),
    ]


def _resistor(one: Hole, other: Hole, ohm: int) -> Piece:
    return Piece("resistor", (one, other), f"{ohm // 1000} kΩ" if ohm >= 1000 else f"{ohm} Ω")


def _supplies(pieces: Sequence[Piece], columns: int) -> list[Wire]:
    """Wires from the header to the rails that are used."""
    used = {leg.row for piece in pieces for leg in piece.legs}
    rails = (
        (PLUS, "5V", FIVE_VOLTS, "5 V"),
        (MINUS, "GND", GROUND, "ground"),
        (SUPPLY, "3V3", THREE_VOLTS, "3.3 V"),
    )
    return [
        Wire(next(at for at, pin in HEADER.items() if pin == name), Hole(1, rail), colour, label)
        for rail, name, colour, label in rails
        if rail in used
    ]
