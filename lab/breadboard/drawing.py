"""The wiring as a picture (SVG): the header beside a breadboard, coloured wires, every pin by its name."""

from __future__ import annotations

import math

from hardware.gpio.wiring import HEADER, Wiring
from lab.breadboard.board import (
    FIVE_VOLTS,
    GROUND,
    MINUS,
    PLUS,
    SUPPLY,
    THREE_VOLTS,
    Board,
    Hole,
    Piece,
    Wire,
    laid_out,
)
from lab.svg import circle, document, line, path, rect, text

_PITCH, _LEFT, _PARTS_Y = 18, 372, 150
_ROWS = {PLUS: 262, MINUS: 280, **{row: 316 + 18 * n for n, row in enumerate("jihgf")}}
_ROWS |= {row: 424 + 18 * n for n, row in enumerate("edcba")} | {SUPPLY: 532}
_BOARD_TOP, _BOARD_END, _NAMES_Y, _CHANNELS_Y, _CHANNEL = 244, 550, 606, 628, 14
_PIN_X, _PIN_Y, _PIN_WIDE, _PIN_HIGH, _PIN_PITCH = 44, 190, 66, 18, 26
_LANES_X, _LANE = 212, 8
_FILLS = {"3V3": THREE_VOLTS, "5V": FIVE_VOLTS, "GND": GROUND}
_LEAD = "#7d7d7d"


def breadboard_svg(wiring: Wiring) -> str:
    """The whole picture as the text of an SVG file. Raises WiringFault when the wiring can't work."""
    board = laid_out(wiring)
    width = _x(board.columns) + 2 * _PITCH + 20
    height = _CHANNELS_Y + _CHANNEL * len(board.wires) + 96
    body = [
        text(width / 2, 40, "Wiring on a breadboard", "middle", size=22),
        text(
            width / 2,
            66,
            "the Pi's header from above, pin 1 nearest to the memory card",
            "middle",
            fill="#555",
        ),
        *_bare_board(board.columns),
        *_header(),
        *_wires(board),
        *(shape for piece in board.pieces for shape in _piece(piece)),
        *_legend(width, height),
    ]
    return document("Wiring of the Dudo companion on a breadboard", width, height, body)


def _x(column: int) -> int:
    return _LEFT + _PITCH * column


def _at(hole: Hole) -> tuple[int, int]:
    return _x(hole.column), _ROWS[hole.row]


def _bare_board(columns: int) -> list[str]:
    """Body, rails and holes, with the letters of the rows."""
    right = _x(columns) + _PITCH
    body = rect(
        _LEFT, _BOARD_TOP, right - _LEFT, _BOARD_END - _BOARD_TOP, 'rx="6" fill="#f6f3ea" stroke="#b9b29c"'
    )
    middle = rect(_LEFT, _ROWS["f"] + 12, right - _LEFT, 12, 'fill="#e3dcc8"')
    rails = [
        line(_x(1) - 8, _ROWS[rail] + offset, right - 12, _ROWS[rail] + offset, colour, 1.2)
        for rail, offset, colour in ((PLUS, -9, FIVE_VOLTS), (MINUS, 9, "#3a5fcd"), (SUPPLY, 9, THREE_VOLTS))
    ]
    every = " ".join(f"M{_x(n)} {y}h.1" for y in _ROWS.values() for n in range(1, columns + 1))
    holes = path(every, 'stroke="#8d8672" stroke-width="5" stroke-linecap="round"')
    letters = [
        text(_LEFT + 6, y + 4, row, "middle", fill="#8d8672", size=10)
        for row, y in _ROWS.items()
        if len(row) == 1
    ]
    numbers = [
        text(_x(n), _ROWS["j"] - 9, str(n), "middle", fill="#8d8672", size=9)
        for n in range(5, columns + 1, 5)
    ]
    return [body, middle, *rails, holes, *letters, *numbers]


def _pin_place(position: int) -> tuple[int, int]:
    """The left upper corner of a pin's label."""
    column, row = (position - 1) % 2, (position - 1) // 2
    return _PIN_X + column * (_PIN_WIDE + 4), _PIN_Y + row * _PIN_PITCH


def _header() -> list[str]:
    """All forty pins, each with its name on it."""
    board = rect(
        *(_PIN_X - 12, _PIN_Y - 14, 2 * _PIN_WIDE + 28, 20 * _PIN_PITCH + 20), 'rx="10" fill="#2b5d43"'
    )
    heading = text(_PIN_X + _PIN_WIDE + 2, _PIN_Y - 24, "Raspberry Pi", "middle", size=15)
    return [board, heading, *(shape for pin in HEADER.items() for shape in _pin(*pin))]


def _pin(position: int, name: str) -> list[str]:
    x, y = _pin_place(position)
    fill = _FILLS.get(name, "#f4e9c8")
    ink = "#fff" if name in ("GND", "5V") else "#111"
    corner = 0 if position == 1 else 7
    return [
        rect(x, y, _PIN_WIDE, _PIN_HIGH, f'rx="{corner}" fill="{fill}" stroke="#fff"'),
        text(x + 6, y + 13, str(position), "start", fill=ink, size=9),
        text(x + _PIN_WIDE - 6, y + 13, name, "end", fill=ink, size=11),
    ]


def _wires(board: Board) -> list[str]:
    """Wires of the upper pins run right of and above those of the lower pins, so that few cross."""
    ordered = sorted(board.wires, key=lambda wire: (wire.end.row not in _ROWS_OF_RAILS, wire.position))
    found = []
    for n, wire in enumerate(ordered):
        lane = _LANES_X + _LANE * (len(ordered) - n)
        found += _wire(wire, lane, _CHANNELS_Y + _CHANNEL * n)
    return found


_ROWS_OF_RAILS = (PLUS, MINUS, SUPPLY)


def _wire(wire: Wire, lane: int, channel: int) -> list[str]:
    """From the pin to its lane, along its channel, and up into its hole; to a rail straight from the left."""
    x, y = _pin_place(wire.position)
    end_x, end_y = _at(wire.end)
    if wire.position % 2:
        start = f"M{x + _PIN_WIDE - 10} {y + _PIN_HIGH}V{y + _PIN_HIGH + 4}H{lane}"
    else:
        start = f"M{x + _PIN_WIDE} {y + _PIN_HIGH / 2:g}H{lane}"
    rail = wire.end.row in _ROWS_OF_RAILS
    way = f"{start}V{end_y}H{end_x}" if rail else f"{start}V{channel}H{end_x}V{end_y}"
    shapes = [
        path(way, 'fill="none" stroke="#fff" stroke-width="7" stroke-linejoin="round"'),
        path(way, f'fill="none" stroke="{wire.colour}" stroke-width="4" stroke-linejoin="round"'),
        circle(end_x, end_y, 4.5, f'fill="{wire.colour}" stroke="#fff"'),
    ]
    return shapes if rail else [*shapes, _upright(end_x - 6, _NAMES_Y, wire.label)]


def _upright(x: float, y: float, words: str, size: int = 11) -> str:
    """Words that run upwards from (x, y)."""
    return f'<text transform="translate({x:g} {y:g}) rotate(-90)" style="font-size:{size}px">{words}</text>'


def _piece(piece: Piece) -> list[str]:
    """A part over its holes, or above the board with its leads."""
    draw = {
        "button": _button,
        "led": _led,
        "rgb": _rgb,
        "resistor": _resistor,
        "diode": _diode,
        "jumper": _jumper,
        "mosfet": _transistor,
        "npn": _transistor,
        "ring": _round_part,
        "buzzer": _round_part,
        "strip": _strip,
    }
    return draw[piece.kind](piece)


def _lead(hole: Hole, from_x: float, from_y: float, colour: str) -> str:
    x, y = _at(hole)
    return path(
        f"M{from_x:g} {from_y:g}L{x} {from_y + 34:g}V{y}", f'fill="none" stroke="{colour}" stroke-width="3"'
    )


def _button(piece: Piece) -> list[str]:
    one, other = piece.legs
    x = (_at(one)[0] + _at(other)[0]) / 2
    fill = {"DUDO": "#d23b3b", "CALZA": "#3f9a52", "OK": "#f2f2f2"}.get(piece.label, "#4d7fc1")
    return [
        _lead(one, x - 10, _PARTS_Y + 24, _LEAD),
        _lead(other, x + 10, _PARTS_Y + 24, GROUND),
        circle(x, _PARTS_Y, 29, 'fill="#333"'),
        circle(x, _PARTS_Y, 22, f'fill="{fill}" stroke="#111"'),
        text(x, _PARTS_Y - 40, piece.label, "middle", size=13),
    ]


def _round_part(piece: Piece) -> list[str]:
    """The light ring or the buzzer: its plus at the 5 V rail, its minus at the transistor."""
    plus, minus = piece.legs
    x = (_at(plus)[0] + _at(minus)[0]) / 2
    face = (
        circle(x, _PARTS_Y, 26, 'fill="none" stroke="#f0c23c" stroke-width="12"')
        if piece.kind == "ring"
        else circle(x, _PARTS_Y, 26, 'fill="#222"') + circle(x, _PARTS_Y, 5, 'fill="#999"')
    )
    return [
        _lead(plus, x + 10, _PARTS_Y + 26, FIVE_VOLTS),
        _lead(minus, x - 10, _PARTS_Y + 26, _LEAD),
        face,
        text(x, _PARTS_Y - 40, piece.label, "middle", size=13),
    ]


def _strip(piece: Piece) -> list[str]:
    """The first pixels of a strip, its data input at the left."""
    x = _at(piece.legs[1])[0]
    leads = zip(piece.legs, (-36, 0, 36), (_LEAD, FIVE_VOLTS, GROUND), strict=True)
    return [
        *(_lead(leg, x + out, _PARTS_Y + 14, colour) for leg, out, colour in leads),
        rect(x - 58, _PARTS_Y - 16, 116, 32, 'rx="4" fill="#f4f4f4" stroke="#111"'),
        *(rect(x - 46 + 36 * n, _PARTS_Y - 10, 20, 20, 'fill="#fff" stroke="#777"') for n in range(3)),
        text(x, _PARTS_Y - 26, piece.label, "middle", size=13),
    ]


def _led(piece: Piece) -> list[str]:
    (x1, y), (x2, _) = (_at(leg) for leg in piece.legs)
    middle = (x1 + x2) / 2
    return [
        circle(middle, y, 12, f'fill="{piece.colour}" fill-opacity=".85" stroke="#111"'),
        line(x2 + 5, y - 9, x2 + 5, y + 9, "#111", 2),
        text(x1 - 3, y + 27, "+", "middle", size=13),
        text(middle, 238, piece.label, "middle", size=12),
    ]


def _rgb(piece: Piece) -> list[str]:
    places = [_at(leg) for leg in piece.legs]
    y = places[0][1]
    middle = sum(x for x, _ in places) / 4
    feet = [
        circle(x, y, 4, f'fill="{colour}" stroke="#111"')
        for (x, _), colour in zip(places, ("#d33", "#555", "#2a2", "#36d"), strict=True)
    ]
    span = max(x for x, _ in places) - min(x for x, _ in places)
    bulb = rect(middle - span / 2 - 9, y - 13, span + 18, 26, 'rx="13" fill="#eef2f6" stroke="#111"')
    words = text(middle, 238, piece.label, "middle", size=12)
    letters = [
        text(x, y + 27, letter, "middle", size=11)
        for (x, _), letter in zip(places, ("R", "", "G", "B"), strict=True)
    ]
    return [bulb, *feet, *letters, words]


def _ends(piece: Piece) -> tuple[int, int, int]:
    """Column of an upright part, and its upper and lower end."""
    (x, y1), (_, y2) = (_at(leg) for leg in piece.legs)
    return x, min(y1, y2), max(y1, y2)


def _resistor(piece: Piece) -> list[str]:
    x, high, low = _ends(piece)
    middle = (high + low) / 2
    return [
        line(x, high, x, low, "#999", 2),
        rect(x - 5, middle - 12, 10, 24, 'rx="3" fill="#d9c39a" stroke="#111"'),
        _upright(x + 15, middle + 17, piece.label, 10),
    ]


def _diode(piece: Piece) -> list[str]:
    """It leans, so that no wire into its column hides it; its ring is at the cathode."""
    (x1, y1), (x2, y2) = (_at(leg) for leg in piece.legs)
    x, y, long = (x1 + x2) / 2, (y1 + y2) / 2, math.dist((x1, y1), (x2, y2))

    def along(start: float, end: float, colour: str) -> str:
        dx, dy = (x2 - x1) / long, (y2 - y1) / long
        return line(x + start * dx, y + start * dy, x + end * dx, y + end * dy, colour, 10)

    return [
        line(x1, y1, x2, y2, "#777", 2),
        circle(x1, y1, 3, 'fill="#777"') + circle(x2, y2, 3, 'fill="#777"'),
        along(-11, 11, "#333") + along(5, 8, "#ddd"),
        _upright(x2 + 12, y + 22, piece.label, 10),
    ]


def _jumper(piece: Piece) -> list[str]:
    (x, y1), (_, y2) = (_at(leg) for leg in piece.legs)
    ends = "".join(circle(x, y, 4, f'fill="{piece.colour}" stroke="#fff"') for y in (y1, y2))
    return [line(x, y1, x, y2, piece.colour, 4), ends]


def _transistor(piece: Piece) -> list[str]:
    places = [_at(leg) for leg in piece.legs]
    middle, y = places[1]
    letters = "GDS" if piece.kind == "mosfet" else "EBC"
    body = rect(middle - 28, y - 12, 56, 24, f'rx="{2 if piece.kind == "mosfet" else 10}" fill="#333"')
    feet = [
        text(x, y + 4, letter, "middle", fill="#fff", size=11)
        for (x, _), letter in zip(places, letters, strict=True)
    ]
    return [body, *feet, text(middle, y + 27, piece.label, "middle", size=10)]


def _legend(width: float, height: float) -> list[str]:
    lines = (
        "Five holes of a column are joined, above and below the middle. The long rows are 5 V and ground.",
        "The longer leg of an LED is +. MOSFET and transistor show their print. The diode's ring is at 5 V.",
        "Switch the power off before wiring. Check that 5 V reaches the upper row and nothing else.",
    )
    return [
        text(width / 2, height - 64 + 22 * n, words, "middle", fill="#555", size=13)
        for n, words in enumerate(lines)
    ]
