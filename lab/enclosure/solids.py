"""Simple solids, placed by their middles and ends; a thin layer over the geometry kernel Manifold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, radians, sin

from manifold3d import CrossSection, Manifold

Point = tuple[float, float]

MIN_SIDES, MAX_SIDES, SIDE = 24, 96, 1.2
"""A circle is drawn with sides of about 1.2 mm, within these bounds."""
OVERLAP = 0.01
"""How far a hole reaches beyond the faces it goes through, in mm."""


def block(width: float, depth: float, bottom: float, top: float, at: Point = (0.0, 0.0)) -> Manifold:
    """A box with its middle at `at`, from `bottom` to `top`."""
    cube = Manifold.cube((width, depth, top - bottom))
    return cube.translate((at[0] - width / 2, at[1] - depth / 2, bottom))


def rounded(width: float, depth: float, bottom: float, top: float, radius: float = 5.0) -> Manifold:
    """A box with rounded upright edges around the axis."""
    inner = CrossSection.square((width - 2 * radius, depth - 2 * radius), center=True)
    outline = CrossSection.batch_hull(
        [CrossSection.circle(radius, MIN_SIDES).translate(corner) for corner in _corners(inner)]
    )
    return Manifold.extrude(outline, top - bottom).translate((0.0, 0.0, bottom))


def _corners(square: CrossSection) -> list[Point]:
    left, low, right, high = square.bounds()
    return [(left, low), (right, low), (right, high), (left, high)]


def sides_of(diameter: float) -> int:
    """With how many sides a circle is drawn: a multiple of four."""
    return max(MIN_SIDES, min(MAX_SIDES, round(pi * diameter / SIDE / 4) * 4))


def rod(diameter: float, bottom: float, top: float, at: Point = (0.0, 0.0), sides: int = 0) -> Manifold:
    """An upright cylinder; with six `sides` a nut, `diameter` across its corners."""
    round_sides = sides or sides_of(diameter)
    cylinder = Manifold.cylinder(top - bottom, diameter / 2, circular_segments=round_sides)
    return cylinder.translate((at[0], at[1], bottom))


def tube(outer: float, inner: float, bottom: float, top: float, at: Point = (0.0, 0.0)) -> Manifold:
    """An upright tube by its two diameters."""
    return rod(outer, bottom, top, at) - hole(inner, bottom, top, at)


def hole(diameter: float, bottom: float, top: float, at: Point = (0.0, 0.0)) -> Manifold:
    """What to take away for a round hole through everything between `bottom` and `top`."""
    return rod(diameter, bottom - OVERLAP, top + OVERLAP, at)


def union(parts: Iterable[Manifold]) -> Manifold:
    """All parts as one solid; an empty one without any."""
    return sum(parts, Manifold())


def hull(points: Sequence[tuple[float, float, float]]) -> Manifold:
    """The smallest convex solid around the points."""
    return Manifold.hull_points(list(points))


def prism(outline: Sequence[Point], length: float) -> Manifold:
    """An outline in (x, z) drawn out along y, its middle at y = 0."""
    half = length / 2
    return hull([(x, y, z) for x, z in outline for y in (-half, half)])


def around(radius: float, number: int, first_deg: float) -> list[Point]:
    """Points evenly on a circle."""
    angles = [radians(first_deg + 360 * n / number) for n in range(number)]
    return [(radius * cos(angle), radius * sin(angle)) for angle in angles]


def corners(width: float, depth: float, inset: float) -> list[Point]:
    """The four corners of a rectangle around the axis, drawn in by `inset`."""
    x, y = width / 2 - inset, depth / 2 - inset
    return [(x, y), (-x, y), (-x, -y), (x, -y)]
