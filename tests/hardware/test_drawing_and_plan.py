"""The wiring drawn and as a table, and the plan of camera heights."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import WiringFault
from hardware.gpio.drawing import wiring_svg
from hardware.gpio.wiring import HEADER, Wiring
from hardware.gpio.wiring_table import as_data, as_text, connections
from hardware.optics import plan

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


LENS = {lens.key: lens for lens in plan.LENSES}


@pytest.mark.parametrize(
    ("key", "height_mm", "width_mm", "depth_mm", "die_px"),
    [
        ("module3", 300, 389.6, 224.3, 100.0),
        ("module2", 400, 482.6, 362.9, 56.7),
        ("module3-wide", 200, 494.0, 264.8, 81.1),
        ("hq-6mm", 500, 520.6, 393.9, 64.4),
    ],
)
def test_the_field_of_view_from_a_height(key, height_mm, width_mm, depth_mm, die_px):
    seen = plan.view(LENS[key], height_mm)
    assert (seen.width_mm, seen.depth_mm) == pytest.approx((width_mm, depth_mm), abs=0.1)
    assert seen.die_px == pytest.approx(die_px, abs=0.1)


@given(st.sampled_from(plan.LENSES), st.floats(20, 200), st.floats(10, 25))
def test_heights_and_pixels_are_each_others_inverse(lens, die_px, die_mm):
    height_mm = plan.height_for(lens, die_px, die_mm)
    assert plan.view(lens, height_mm, die_mm).die_px == pytest.approx(die_px, rel=1e-6)


@pytest.mark.parametrize(
    ("key", "height_mm", "problem"),
    [
        ("module1", 400, "too near: this lens is sharp from 1000 mm"),
        ("module3", 1100, "too high"),
        ("module3", 150, "lower than needed"),
        ("module3", 450, ""),
    ],
)
def test_what_speaks_against_a_height(key, height_mm, problem):
    said = plan.view(LENS[key], height_mm).problems
    assert any(problem in words for words in said) if problem else said == ()


def test_the_plan_names_every_camera_and_calls_the_unfit_unfit():
    text = plan.plan_text()
    assert all(lens.name in text for lens in plan.LENSES)
    assert "unfit" in text[text.index("Camera Module 1") :]
    assert "Camera Module 2" not in plan.plan_text(keys=("module3",))


def test_the_table_in_docs_is_the_plan():
    assert plan_table() in (DOCS / "guide" / "build.md").read_text(encoding="utf-8")


def plan_table(die_mm: float = 16.0) -> str:
    """The plan as a table in Markdown."""
    rows = [
        "| camera | works from – to | good height | sees from there | dice there |",
        "| --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*rows, *(_table_row(lens, die_mm) for lens in plan.LENSES)])


def _table_row(lens: plan.Lens, die_mm: float) -> str:
    low_mm, high_mm = plan.heights(lens, die_mm)
    if low_mm > high_mm:
        return f"| {lens.name} | unfit: sharp only from {lens.nearest_mm:.0f} mm | – | – | – |"
    seen = plan.view(lens, max(low_mm, plan.height_for(lens, plan.GOOD_PX, die_mm)), die_mm)
    field = f"{seen.width_mm / 10:.0f} x {seen.depth_mm / 10:.0f} cm"
    good = f"{seen.height_mm / 10:.0f} cm"
    span = f"{low_mm / 10:.0f} – {high_mm / 10:.0f} cm"
    return f"| {lens.name} | {span} | {good} | {field} | {seen.die_px:.0f} pixels |"
