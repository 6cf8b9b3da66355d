"""The positions in the plots of statistics, in the units of their viewBox. Pure.

Players differ by the shape of their marks and the dashes of their line as well as by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

WIDTH, HEIGHT = 340.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 24.0, 12.0, 10.0, 22.0

MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-4-4h8v8h-8z",
    "M0-5.2l5 8.6h-10z",
    "M0-5.4l5.4 5.4l-5.4 5.4l-5.4-5.4z",
    "M0 5.2l5-8.6h-10z",
    "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z",
)
"""Outlines of the marks around (0, 0): disc, square, triangle, diamond, triangle on its point, cross."""

MAX_MARKED = 16
"""A course of more points is marked at some of them only."""


class Line(Struct, frozen=True):
    """One player's line: the points of a polyline, and the places of its marks."""

    name: str
    colour: str
    style: int
    points: str
    marks: tuple[tuple[float, float], ...]


class Plot(Struct, frozen=True):
    """Lines with the ticks of both axes: where along it each is, and its label."""

    lines: tuple[Line, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]


def course_plot(courses: Mapping[str, Sequence[float]], colours: Mapping[str, str]) -> Plot:
    """One line for every course, a little apart where players have the same."""
    steps = max((len(course) for course in courses.values()), default=1) - 1
    top = max((max(course) for course in courses.values() if course), default=0) or 1
    apart = min(3.0, 14.0 / max(1, len(courses)))
    lines = tuple(
        _line(name, colours.get(name, "white"), number, course, (steps, top, apart * number))
        for number, (name, course) in enumerate(courses.items())
    )
    across = tuple((_x(n, steps), str(n)) for n in _ticks(steps))
    up = tuple((_y(n, top), str(n)) for n in _ticks(int(top)))
    return Plot(lines, across, up)


def _line(
    name: str, colour: str, style: int, course: Sequence[float], scale: tuple[int, float, float]
) -> Line:
    steps, top, lift = scale
    spots = [(_x(n, steps), _y(value, top) - lift) for n, value in enumerate(course)]
    every = 1 + (len(spots) - 1) // MAX_MARKED
    marked = tuple((round(x, 1), round(y, 1)) for x, y in spots[::-1][::every])
    return Line(name, colour, style, " ".join(f"{x:.1f},{y:.1f}" for x, y in spots), marked)


def _x(step: float, steps: int) -> float:
    return LEFT + 4 + step * (WIDTH - LEFT - RIGHT - 4) / max(1, steps)


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM - 14) / top


def _ticks(most: int) -> range:
    """Whole numbers from 0 up to `most`, seven steps at the utmost."""
    return range(0, most + 1, 1 + most // 8)


STRIP = 200.0


def strip(chances: Sequence[float]) -> tuple[tuple[float, int], ...]:
    """A dot for every chance from 0 to 1, at x in a row: those on one another are stacked, four high."""
    taken: dict[int, int] = {}
    dots = []
    for chance in sorted(chances):
        cell = round(chance * STRIP / 6)
        row = taken.get(cell, 0)
        taken[cell] = row + 1
        dots.append((round(6 + chance * (STRIP - 12), 1), min(row, 3)))
    return tuple(dots)


def columns(counts: Sequence[int]) -> tuple[tuple[int, int, float], ...]:
    """The face, count and height of each column of counts, on the scale of `expected_height`."""
    return tuple((face, n, round(n * _scale(counts), 1)) for face, n in enumerate(counts, 1))


def expected_height(counts: Sequence[int]) -> float:
    """How high a column is that has just what is to be expected."""
    return round(sum(counts) / 6 * _scale(counts), 1)


def _scale(counts: Sequence[int]) -> float:
    """The highest column, or half as much again as expected, fills the plot."""
    return 100 / (max(*counts, sum(counts) / 4) or 1)


def bar(part: float, whole: float) -> float:
    """How long a bar of 100 is for `part` of `whole`."""
    return round(100 * min(part, whole) / whole, 1) if whole else 0.0
