"""The breadboard: what its holes join is the circuit of the wiring's table, and the picture names it all."""

from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import WiringFault
from hardware.gpio.wiring import HEADER, POSITIONS, SEAT_BUTTONS, Wiring, connections, wiring_from
from lab.breadboard.__main__ import main
from lab.breadboard.board import COLUMNS, MINUS, PLUS, SUPPLY, Board, Hole, Piece, laid_out
from lab.breadboard.drawing import breadboard_svg

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
ANODE = Wiring(common_anode=True)
STRIP = Wiring(strip=7)
LARGE = Wiring(buttons=tuple(zip(SEAT_BUTTONS[:6], (4, 5, 6, 7, 8, 9), strict=True)))

Net = tuple[int, str]


def net_of_pin(board: Board, bcm: int) -> Net:
    (wire,) = (wire for wire in board.wires if wire.position == POSITIONS[bcm])
    return wire.end.net


def pieces_at(board: Board, net: Net) -> list[Piece]:
    return [piece for piece in board.pieces if any(leg.net == net for leg in piece.legs)]


def joined(board: Board, net: Net) -> set[Net]:
    """All that a net is joined to by jumpers."""
    nets = {net}
    for piece in board.pieces:
        legs = {leg.net for leg in piece.legs}
        if piece.kind == "jumper" and legs & nets:
            nets |= legs
    return nets


RAIL = {name: (0, name) for name in (PLUS, MINUS, SUPPLY)}


def behind_the_resistor(board: Board, bcm: int) -> tuple[Net, str]:
    """The net behind the resistor of a pin, and the resistor's value."""
    start = net_of_pin(board, bcm)
    (resistor,) = pieces_at(board, start)
    assert resistor.kind == "resistor"
    (end,) = (leg.net for leg in resistor.legs if leg.net != start)
    return end, resistor.label


@pytest.mark.parametrize(
    "wiring", [Wiring(), ANODE, LARGE, STRIP], ids=["usual", "common anode", "seat buttons", "strip"]
)
def test_the_holes_join_what_the_circuit_joins(wiring):
    board = laid_out(wiring)
    rail = RAIL[SUPPLY if wiring.common_anode else MINUS]
    ohms = {"status red": "330 Ω", "status green": "100 Ω", "status blue": "68 Ω"}
    for at in connections(wiring):
        match at.kind:
            case "button":
                (button,) = pieces_at(board, net_of_pin(board, at.bcm))
                assert {leg.net for leg in button.legs} == {net_of_pin(board, at.bcm), RAIL[MINUS]}
            case "lamp":
                net, ohm = behind_the_resistor(board, at.bcm)
                (led,) = (piece for piece in pieces_at(board, net) if piece.kind == "led")
                assert (led.legs[0].net, ohm) == (net, "330 Ω")
                assert RAIL[MINUS] in joined(board, led.legs[1].net)
            case "status" | "anode":
                net, ohm = behind_the_resistor(board, at.bcm)
                (rgb,) = (piece for piece in pieces_at(board, net) if piece.kind == "rgb")
                leg = rgb.legs[{"red": 0, "green": 2, "blue": 3}[at.part.split()[1]]]
                assert (leg.net, ohm) == (net, ohms[at.part])
                assert rail in joined(board, rgb.legs[1].net)
            case "strip":
                net, ohm = behind_the_resistor(board, at.bcm)
                (strip,) = (piece for piece in pieces_at(board, net) if piece.kind == "strip")
                assert [leg.net for leg in strip.legs] == [net, RAIL[PLUS], RAIL[MINUS]]
                assert ohm == "330 Ω"
            case "ring":
                check_ring(board, at.bcm)
            case "buzzer":
                check_buzzer(board, at.bcm)


def check_ring(board: Board, bcm: int) -> None:
    gate, ohm = behind_the_resistor(board, bcm)
    (mosfet,) = (piece for piece in board.pieces if piece.kind == "mosfet")
    (ring,) = (piece for piece in board.pieces if piece.kind == "ring")
    assert (mosfet.legs[0].net, ohm) == (gate, "1 kΩ")
    assert RAIL[MINUS] in joined(board, mosfet.legs[2].net)
    assert [leg.net for leg in ring.legs] == [RAIL[PLUS], mosfet.legs[1].net]
    (low,) = (piece for piece in pieces_at(board, gate) if piece.label == "10 kΩ")
    assert {leg.net for leg in low.legs} == {gate, RAIL[MINUS]}


def check_buzzer(board: Board, bcm: int) -> None:
    base, ohm = behind_the_resistor(board, bcm)
    (npn,) = (piece for piece in board.pieces if piece.kind == "npn")
    (buzzer,) = (piece for piece in board.pieces if piece.kind == "buzzer")
    (diode,) = (piece for piece in board.pieces if piece.kind == "diode")
    collector = npn.legs[2].net
    assert (npn.legs[1].net, ohm) == (base, "1 kΩ")
    assert RAIL[MINUS] in joined(board, npn.legs[0].net)
    assert [leg.net for leg in buzzer.legs] == [RAIL[PLUS], collector]
    assert [leg.net for leg in diode.legs] == [collector, RAIL[PLUS]], "it blocks while the buzzer sounds"


def test_rails_get_the_voltage_that_they_are_named_after():
    named = {PLUS: "5V", MINUS: "GND", SUPPLY: "3V3"}
    board = laid_out(ANODE)
    rails = {wire.end.row: HEADER[wire.position] for wire in board.wires if wire.end.row in named}
    assert rails == named


WIRINGS = st.builds(
    lambda pins, count, seats, anode: Wiring(
        buttons=tuple(zip(SEAT_BUTTONS, pins[:count], strict=False)),
        status=tuple(pins[count : count + 3]),
        seats=tuple(pins[count + 3 : count + 3 + seats]),
        ring=pins[-1],
        buzzer=pins[-2],
        common_anode=anode,
    ),
    st.permutations(sorted(set(POSITIONS) - {0, 1, 2, 3})),
    st.integers(0, 8),
    st.integers(0, 8),
    st.booleans(),
)


@given(WIRINGS)
def test_no_two_legs_share_a_hole_and_no_pin_touches_another(wiring):
    board = laid_out(wiring)
    holes = [leg for piece in board.pieces for leg in piece.legs] + [wire.end for wire in board.wires]
    assert len(holes) == len(set(holes))
    assert all(1 <= hole.column <= board.columns for hole in holes)
    nets: dict[Net, set[int]] = defaultdict(set)
    for wire in board.wires:
        nets[wire.end.net].add(wire.position)
    assert [pins for pins in nets.values() if len(pins) > 1] == []
    assert len(board.wires) >= len(wiring.parts())


def test_the_usual_wiring_fits_on_one_board():
    board = laid_out(Wiring())
    assert board.columns == COLUMNS
    assert Hole(1, "a").net != Hole(1, "f").net


@pytest.mark.parametrize("wiring", [Wiring(), ANODE, LARGE, STRIP, Wiring((), None, (), None, None)])
def test_the_picture_names_every_pin_and_part_and_stays_on_its_paper(wiring):
    root = ElementTree.fromstring(breadboard_svg(wiring))
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert [word for word in words if word in HEADER.values()].count("GND") == 8
    assert set(HEADER.values()) <= set(words)
    for _, bcm in wiring.parts():
        assert words.count(f"GPIO{bcm}") == 2, "on the header and at the wire"
    for name, _ in wiring.buttons:
        assert name.upper() in words
    _, _, width, height = (float(n) for n in root.attrib["viewBox"].split())
    for item in root.iter():
        for name, limit in (
            ("x", width),
            ("cx", width),
            ("x2", width),
            ("y", height),
            ("cy", height),
            ("y2", height),
        ):
            assert 0 <= float(item.attrib.get(name, 0)) <= limit


def test_the_picture_in_docs_is_that_of_the_default_settings():
    kept = (DOCS / "breadboard.svg").read_text(encoding="utf-8")
    assert kept == breadboard_svg(wiring_from({}))


def test_a_wiring_that_cannot_work_has_no_board():
    with pytest.raises(WiringFault, match="GPIO17"):
        breadboard_svg(Wiring(ring=17))


def test_the_wiring_of_a_file_of_settings_is_drawn(tmp_path):
    settings, drawn = tmp_path / "mine.toml", tmp_path / "mine.svg"
    settings.write_text("[pins]\nring = 14\n")
    assert main(["--config", str(settings), "--out", str(drawn)]) == 0
    assert drawn.read_text(encoding="utf-8") == breadboard_svg(Wiring(ring=14))
