"""The box below the lid: four panels along the edges of the view, and the rails that hold them."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, hypot, radians, tan

from manifold3d import Manifold

from lab.enclosure.measures import Enclosure
from lab.enclosure.solids import Point, hole, hull, prism, union

RAIL_TOP, RAIL_HIGH, SCREW_IN = 16.0, 25.0, 9.0
RAIL_SCREWS = (-45.0, 45.0)
MARGIN = 5.0
"""What the box is wider than the view on each side at the table, in mm."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel as it is cut: a trapezoid. `lean_deg` is its angle from upright. Lengths in mm."""

    name: str
    top: float
    bottom: float
    slant: float
    lean_deg: float


def view_size(enclosure: Enclosure, spare_deg: float = 0.0) -> tuple[float, float]:
    """Width and depth of the table in the picture in mm, with `spare_deg` more on each side."""
    lens, span = enclosure.camera.lens, enclosure.height + enclosure.camera.pupil
    return (
        2 * span * tan(radians(lens.width_deg / 2 + spare_deg)),
        2 * span * tan(radians(lens.height_deg / 2 + spare_deg)),
    )


def inner_top(enclosure: Enclosure) -> tuple[float, float]:
    """The box inside, at the floor of the lid."""
    width, depth = inner_bottom(enclosure)
    return (
        enclosure.width - 2 * enclosure.panel / _cos(width - enclosure.width, enclosure),
        enclosure.depth - 2 * enclosure.panel / _cos(depth - enclosure.depth, enclosure),
    )


def inner_bottom(enclosure: Enclosure) -> tuple[float, float]:
    """The box inside, at the table: the view and what it is kept free by; never narrower than the lid."""
    width, depth = view_size(enclosure, enclosure.spare_deg)
    return max(width + 2 * MARGIN, enclosure.width), max(depth + 2 * MARGIN, enclosure.depth)


def _cos(spread: float, enclosure: Enclosure) -> float:
    """Cosine of a panel's lean that spreads the box by `spread` from lid to table."""
    return enclosure.wall_height / hypot(enclosure.wall_height, spread / 2)


def panels(enclosure: Enclosure) -> tuple[Panel, Panel]:
    """The panel in front and behind, and that at the sides; the former cover the edges of the latter."""
    (wide, deep), (wider, deeper) = inner_top(enclosure), inner_bottom(enclosure)
    high = enclosure.wall_height
    front, side = (deeper - deep) / 2, (wider - wide) / 2
    more = 2 * enclosure.panel / _cos(wider - wide, enclosure)
    return (
        Panel("front and back", wide + more, wider + more, hypot(high, front), _lean(front, high)),
        Panel("sides", deep, deeper, hypot(high, side), _lean(side, high)),
    )


def _lean(out: float, high: float) -> float:
    return degrees(atan2(out, high))


def rail(enclosure: Enclosure, *, side: bool) -> Manifold:
    """A rail as it is printed, upside down: the floor's face at 0, its slanted face towards +x."""
    front, sides = panels(enclosure)
    slope = tan(radians((sides if side else front).lean_deg))
    length = (enclosure.depth if side else enclosure.width) - 50
    outline = [(0.0, 0.0), (RAIL_TOP, 0.0), (RAIL_TOP + RAIL_HIGH * slope, RAIL_HIGH), (0.0, RAIL_HIGH)]
    screws = union(hole(2.7, 0.0, 16.0, (RAIL_TOP - SCREW_IN, y)) for y in RAIL_SCREWS)
    return prism(outline, length) - screws


def mounted_rails(enclosure: Enclosure) -> Manifold:
    """The four rails below the lid."""
    width, depth = inner_top(enclosure)
    side = rail(enclosure, side=True).mirror((0.0, 0.0, 1.0)).translate((width / 2 - RAIL_TOP, 0.0, 0.0))
    front = rail(enclosure, side=False).mirror((0.0, 0.0, 1.0)).translate((depth / 2 - RAIL_TOP, 0.0, 0.0))
    back = front.rotate((0.0, 0.0, 90.0))
    return union([side, side.mirror((1.0, 0.0, 0.0)), back, back.mirror((0.0, 1.0, 0.0))])


def rail_screws(enclosure: Enclosure) -> list[Point]:
    """Where the rails' screws pass the floor of the lid."""
    width, depth = inner_top(enclosure)
    x, y = width / 2 - SCREW_IN, depth / 2 - SCREW_IN
    sides = [(sign * x, at) for sign in (-1, 1) for at in RAIL_SCREWS]
    return sides + [(at, sign * y) for sign in (-1, 1) for at in RAIL_SCREWS]


def mounted_panels(enclosure: Enclosure) -> Manifold:
    """The four panels from lid to table."""
    (wide, deep), (wider, deeper) = inner_top(enclosure), inner_bottom(enclosure)
    shift = enclosure.panel / _cos(wider - wide, enclosure)
    side = _wall(wide / 2, wider / 2, deep, deeper, shift, enclosure.wall_height)
    lap = 2 * shift
    shift = enclosure.panel / _cos(deeper - deep, enclosure)
    front = _wall(deep / 2, deeper / 2, wide + lap, wider + lap, shift, enclosure.wall_height)
    back = front.rotate((0.0, 0.0, 90.0))
    return union([side, side.mirror((1.0, 0.0, 0.0)), back, back.mirror((0.0, 1.0, 0.0))])


def _wall(near: float, far: float, top: float, bottom: float, thick: float, high: float) -> Manifold:
    """A panel that leans towards +x: `near` and `far` are its inner face's distances from the axis."""
    upper = [(near + out, sign * top / 2, 0.0) for out in (0.0, thick) for sign in (-1, 1)]
    lower = [(far + out, sign * bottom / 2, -high) for out in (0.0, thick) for sign in (-1, 1)]
    return hull(upper + lower)
