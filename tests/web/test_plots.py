"""Plots stay inside their frame and say what they were given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.pages.plots import HEIGHT, STRIP, WIDTH, bar, columns, course_plot, expected_height, strip

COURSES = st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=60), max_size=12)


@given(COURSES)
def test_a_plot_stays_inside_its_frame(values):
    longest = max(map(len, values), default=1)
    courses = {str(n): tuple(value + [0] * (longest - len(value))) for n, value in enumerate(values)}
    plot = course_plot(courses, {})
    spots = [spot.split(",") for line in plot.lines for spot in line.points.split()]
    assert len(spots) == longest * len(values)
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in spots)
    assert all(0 < at < WIDTH for at, _ in plot.across)
    assert all(0 < at < HEIGHT for at, _ in plot.up)
    assert all(len(line.marks) <= 17 for line in plot.lines)


def test_more_is_higher_later_is_further_right_and_the_end_is_marked():
    (line,) = course_plot({"Ana": (5, 4, 4, 0)}, {"Ana": "red"}).lines
    xs, ys = zip(*([float(n) for n in spot.split(",")] for spot in line.points.split()), strict=True)
    assert list(xs) == sorted(set(xs))
    assert ys[0] < ys[1] == ys[2] < ys[3]
    assert line.marks[0] == pytest.approx((xs[-1], ys[-1]), abs=0.06)


@pytest.mark.parametrize(
    ("courses", "across", "up"),
    [
        ({"a": (5, 4, 3)}, ["0", "1", "2"], ["0", "1", "2", "3", "4", "5"]),
        ({"a": (2,)}, ["0"], ["0", "1", "2"]),
        ({"a": tuple(range(30))}, ["0", "4", "8", "12", "16", "20", "24", "28"], ["0", "4", "8", "12"]),
    ],
)
def test_axes_have_a_few_whole_numbers(courses, across, up):
    plot = course_plot(courses, {})
    assert [label for _, label in plot.across] == across
    assert [label for _, label in plot.up][: len(up)] == up


@given(st.lists(st.floats(0, 1), max_size=200))
def test_every_bid_is_a_dot_of_the_strip(chances):
    dots = strip(chances)
    assert len(dots) == len(chances)
    assert all(0 <= x <= STRIP and 0 <= row <= 3 for x, row in dots)


@given(st.lists(st.integers(0, 500), min_size=6, max_size=6))
def test_columns_are_as_high_as_their_counts(counts):
    shown = columns(counts)
    assert [(face, count) for face, count, _ in shown] == list(enumerate(counts, 1))
    assert all(0 <= height <= 100 for _, _, height in shown)
    assert 0 <= expected_height(counts) <= 100
    assert sorted(shown, key=lambda c: c[1]) == sorted(shown, key=lambda c: (c[2], c[1]))


@pytest.mark.parametrize(
    ("part", "whole", "length"), [(0, 0, 0), (1, 2, 50), (3, 3, 100), (5, 3, 100), (1, 3, 33.3)]
)
def test_a_bar_is_its_part_of_a_hundred(part, whole, length):
    assert bar(part, whole) == length
