"""How high cameras must be, and the table of it in the guide."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.calibration.advice import GOOD_PX
from lab.enclosure import plan

DOCS = Path(__file__).parents[2] / "docs"
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
    seen = plan.view(lens, max(low_mm, plan.height_for(lens, GOOD_PX, die_mm)), die_mm)
    field = f"{seen.width_mm / 10:.0f} x {seen.depth_mm / 10:.0f} cm"
    good = f"{seen.height_mm / 10:.0f} cm"
    span = f"{low_mm / 10:.0f} – {high_mm / 10:.0f} cm"
    return f"| {lens.name} | {span} | {good} | {field} | {seen.die_px:.0f} pixels |"
