"""The wiring drawn and as a table."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.errors import WiringFault
from hardware.gpio.drawing import wiring_svg
from hardware.gpio.wiring import HEADER, Wiring
from hardware.gpio.wiring_table import as_data, as_text, connections

DOCS = Path(__file__).parents[2] / "docs"
ANODE = Wiring(buttons=(("seat1", 2), ("ok", 4)), seats=(), common_anode=True)
SVG = "{http://www.w3.org/2000/svg}"


def words_of(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("wiring", [Wiring(), ANODE, Wiring((), None, (), None, None)])
def test_the_drawing_names_every_part_and_pin(wiring):
    words = words_of(wiring_svg(wiring))
    assert {pin.name for pin in HEADER if pin.name.startswith("GPIO")} <= set(words)
    for name, _ in wiring.buttons:
        assert f"{name.upper()} button" in words
    assert sum(word.isdigit() for word in words) == 40
    assert words.count("ground") == 8


def test_nothing_in_the_drawing_lies_outside_it():
    root = ElementTree.fromstring(wiring_svg(Wiring()))
    _, _, width, height = (float(n) for n in root.attrib["viewBox"].split())
    for item in root.iter():
        for name, limit in (
            ("x", width),
            ("x1", width),
            ("x2", width),
            ("y", height),
            ("y1", height),
            ("y2", height),
        ):
            assert 0 <= float(item.attrib.get(name, 0)) <= limit


def test_the_drawing_in_docs_is_that_of_the_usual_wiring():
    assert (DOCS / "wiring.svg").read_text(encoding="utf-8") == wiring_svg(Wiring())


@pytest.mark.parametrize("make", [wiring_svg, as_text, as_data, connections])
def test_a_wiring_that_cannot_work_is_not_drawn(make):
    with pytest.raises(WiringFault, match="GPIO17"):
        make(Wiring(ring=17))  # type: ignore[operator]


def test_the_table_goes_by_the_header():
    rows = as_data(Wiring())["connections"]
    assert [row["position"] for row in rows] == sorted(row["position"] for row in rows)
    assert len(rows) == len(Wiring().parts())
    assert {row["bcm"]: row["position"] for row in rows}[17] == 11
    text = as_text(Wiring(ring=8))
    assert "SPI select 0" in text
    assert "Ground is on the pins 6, 9" in text


def test_a_common_anode_goes_to_the_supply():
    assert "3.3V" in words_of(wiring_svg(ANODE))
    assert "common lead to 3.3 V" in as_text(ANODE)


def test_a_strip_stands_for_status_light_and_seat_lamps():
    words = words_of(wiring_svg(Wiring(strip=7)))
    assert {"WS281x", "Strip of 7 pixels", "Light ring"} <= set(words)
    assert not any("seat" in word or "tatus" in word for word in words)
