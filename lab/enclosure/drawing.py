"""Drawings with measures (SVG): the outlines are slices of the very solids that are printed. All in mm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from manifold3d import CrossSection, Manifold

from lab.enclosure.box_walls import Panel, inner_bottom, inner_top, panels, rail_screws, view_size
from lab.enclosure.camera_mount import ear_places
from lab.enclosure.case import (
    button_places,
    case_cover,
    case_tray,
    lamp_places,
    pi_corner,
    pi_holes,
    status_place,
)
from lab.enclosure.measures import Enclosure, problems
from lab.enclosure.solids import Point
from lab.svg import circle, document, line, path, rect, text

WORKING_HEIGHTS = (300.0, 400.0, 490.0, 600.0, 700.0)
_SOLID = 'fill="#e6edf3" stroke="#1d3b53" stroke-width="1.4" fill-rule="evenodd"'
_DASHED = 'fill="none" stroke="#8a5a1a" stroke-width="1.2" stroke-dasharray="6 4"'
_MEASURE, _VIEW = "#9a1f1f", "#d9822b"
_GREY = "#555"


@dataclass(frozen=True, slots=True)
class Layout:
    """A place on paper: (0, 0) lies at `origin`, a millimetre is `scale` wide, y grows upwards."""

    origin: Point
    scale: float

    def at(self, point: Point) -> Point:
        """A point of the model on paper."""
        return self.origin[0] + point[0] * self.scale, self.origin[1] - point[1] * self.scale

    def outline(self, section: CrossSection) -> str:
        """A slice of a solid, its holes left open."""
        rings = [[self.at((float(x), float(y))) for x, y in ring] for ring in section.to_polygons()]
        steps = ["M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in ring) + " Z" for ring in rings]
        return path(" ".join(steps), _SOLID)

    def across(self, start: float, end: float, y: float, words: str = "") -> str:
        """A measure from left to right at height `y`."""
        (x1, y1), (x2, _) = self.at((start, y)), self.at((end, y))
        ticks = "".join(line(x, y1 - 5, x, y1 + 5, _MEASURE, 1) for x in (x1, x2))
        number = words or _rounded(abs(end - start))
        return line(x1, y1, x2, y1, _MEASURE, 1) + ticks + self._number((x1 + x2) / 2, y1 - 4, number)

    def up(self, start: float, end: float, x: float, words: str = "") -> str:
        """A measure from below upwards at `x`."""
        (x1, y1), (_, y2) = self.at((x, start)), self.at((x, end))
        ticks = "".join(line(x1 - 5, y, x1 + 5, y, _MEASURE, 1) for y in (y1, y2))
        number = words or _rounded(abs(end - start))
        return (
            line(x1, y1, x1, y2, _MEASURE, 1)
            + ticks
            + self._number(x1 + 6, (y1 + y2) / 2 + 4, number, "start")
        )

    def note(self, point: Point, words: str, anchor: str = "middle") -> str:
        """Words at a point of the model."""
        x, y = self.at(point)
        return text(x, y, words, anchor, fill=_GREY, size=12)

    def _number(self, x: float, y: float, words: str, anchor: str = "middle") -> str:
        return text(x, y, words, anchor, fill=_MEASURE, size=12)


def _rounded(length: float) -> str:
    return f"{round(length, 1):g}"


def case_drawing(enclosure: Enclosure) -> str:
    """Cover and lid tray from above, with the places of all holes."""
    cover = Layout((290, 250), 2.0)
    tray = Layout((830, 250), 2.0)
    body = [
        text(290, 34, "Cover, from above", "middle", size=18),
        text(830, 34, "Tray of the lid, its floor from above", "middle", size=18),
        *_cover_view(enclosure, cover),
        *_tray_view(enclosure, tray),
        text(
            560,
            500,
            f"Measures in mm. Front is below. Floor {enclosure.floor:g}, walls {enclosure.wall:g}.",
            "middle",
            fill=_GREY,
        ),
    ]
    return document("Case of the Dudo companion, with measures", 1120, 520, body)


def _slice(solid: Manifold, height: float) -> CrossSection:
    return solid.slice(height)


def _cover_view(enclosure: Enclosure, layout: Layout) -> list[str]:
    half_x, half_y = enclosure.width / 2, enclosure.depth / 2
    button_y, lamp_y = button_places(enclosure)[0][1], lamp_places(enclosure)[0][1]
    status_x, status_y = status_place(enclosure)
    lamps, fit = lamp_places(enclosure), enclosure.clearance
    flat = _slice(case_cover(enclosure), enclosure.floor / 2).mirror((1.0, 0.0))
    return [
        layout.outline(flat),
        layout.across(-half_x, half_x, -half_y - 14),
        layout.up(-half_y, half_y, half_x + 12),
        layout.across(button_places(enclosure)[0][0], 0.0, -half_y + 6),
        layout.up(-half_y, button_y, 34.0),
        layout.up(-half_y, lamp_y, -36.0),
        layout.up(-half_y, status_y, 12.0),
        layout.across(lamps[0][0], lamps[1][0], lamp_y + 6) if len(lamps) > 1 else "",
        layout.note(
            (button_places(enclosure)[2][0], button_y - 3), f"3 x ⌀{enclosure.button.thread + fit:g}"
        ),
        layout.note((lamps[-1][0], lamp_y + 6), f"{len(lamps)} x ⌀{5 + fit:g}"),
        layout.note((status_x + 9, status_y + 6), f"⌀{10 + fit:g}", "start"),
    ]


def _tray_view(enclosure: Enclosure, layout: Layout) -> list[str]:
    half_x, half_y = enclosure.width / 2, enclosure.depth / 2
    x, y = pi_corner(enclosure)
    corner = layout.at((x - enclosure.pi.length, y))
    board = rect(*corner, enclosure.pi.length * layout.scale, enclosure.pi.width * layout.scale, _DASHED)
    ring = circle(*layout.at((0.0, 0.0)), enclosure.ring.outer / 2 * layout.scale, _DASHED)
    holes, ears, rails = pi_holes(enclosure), ear_places(enclosure), rail_screws(enclosure)
    return [
        layout.outline(_slice(case_tray(enclosure, camera=True), enclosure.floor / 2)),
        board,
        ring,
        *[circle(*layout.at(at), 2.7 / 2 * layout.scale, _DASHED) for at in holes],
        layout.across(-half_x, half_x, -half_y - 14),
        layout.up(-half_y, half_y, half_x + 12),
        layout.across(holes[1][0], holes[0][0], y - 36),
        layout.across(0.0, ears[0][0], ears[0][1] + 6),
        layout.up(0.0, ears[0][1], ears[0][0] + 8),
        layout.across(0.0, rails[2][0], -8.0),
        layout.up(0.0, rails[3][1], rails[2][0] - 6),
        layout.note((x - enclosure.pi.length / 2, y - 22), "Raspberry Pi"),
        layout.note((0.0, -enclosure.ring.outer / 2 - 7), f"ring ⌀{enclosure.ring.outer:g} below, 4 x ⌀3.4"),
        layout.note((0.0, -16.0), f"lens ⌀{enclosure.camera.mount + 2 * enclosure.clearance:g}"),
    ]


def box_drawing(enclosure: Enclosure) -> str:
    """The lid-box from the front and from the side, a panel as it is cut, and a table for other heights."""
    scale = min(0.45, 330 / enclosure.height)
    body = [
        text(230, 34, "From the front", "middle", size=18),
        text(620, 34, "From the side", "middle", size=18),
        *_elevation(enclosure, Layout((230, 120), scale), 0),
        *_elevation(enclosure, Layout((620, 120), scale), 1),
        *_panel_view(enclosure, Layout((960, 120), scale)),
        *_height_table(enclosure, 60, 520),
    ]
    return document("Lid-box of the Dudo companion, with measures", 1180, 740, body)


def _elevation(enclosure: Enclosure, layout: Layout, axis: int) -> list[str]:
    """Half widths along one axis: lid, panels, and the camera's view."""
    lid = (enclosure.width, enclosure.depth)[axis] / 2
    near, far = inner_top(enclosure)[axis] / 2, inner_bottom(enclosure)[axis] / 2
    seen = view_size(enclosure)[axis] / 2
    low, tall = -enclosure.wall_height, enclosure.inside + 2 * enclosure.floor
    box = rect(*layout.at((-lid, tall)), 2 * lid * layout.scale, tall * layout.scale, _SOLID)
    lens = layout.at((0.0, enclosure.camera.pupil - enclosure.lens_below))
    walls = [line(*layout.at((s * near, 0.0)), *layout.at((s * far, low)), "#1d3b53", 3) for s in (-1, 1)]
    rays = [line(*lens, *layout.at((s * seen, low)), _VIEW, 1.2) for s in (-1, 1)]
    table = line(*layout.at((-far - 30, low)), *layout.at((far + 30, low)), "#111", 2)
    return [
        box,
        *walls,
        *rays,
        table,
        layout.across(-lid, lid, tall + 12 / layout.scale),
        layout.across(-seen, seen, low - 26 / layout.scale, f"seen {2 * seen:.0f}"),
        layout.across(-far, far, low - 52 / layout.scale, f"inside {2 * far:.0f}"),
        layout.up(low, -enclosure.lens_below, 0.0, f"{enclosure.height:.0f}"),
    ]


def _panel_view(enclosure: Enclosure, layout: Layout) -> list[str]:
    panel = panels(enclosure)[0]
    half, wide = panel.top / 2, panel.bottom / 2
    shape = [layout.at(at) for at in ((-half, 0.0), (half, 0.0), (wide, -panel.slant), (-wide, -panel.slant))]
    return [
        text(960, 34, "A panel as it is cut", "middle", size=18),
        path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in shape) + " Z", _SOLID),
        layout.across(-half, half, 12 / layout.scale, "top"),
        layout.across(-wide, wide, -panel.slant - 26 / layout.scale, "bottom"),
        layout.up(-panel.slant, 0.0, 0.0, "slant"),
    ]


def _height_table(enclosure: Enclosure, x: float, y: float) -> list[str]:
    """Panels for several working heights; each is cut twice."""
    heading = f"Panels of {enclosure.panel:g} mm for {enclosure.camera.lens.name}; two of each"
    names = ("top", "bottom", "slant", "leans")
    rows: list[tuple[str, ...]] = [("height", "table seen", *names, *names)]
    for height in WORKING_HEIGHTS:
        at = replace(enclosure, height=height)
        if not problems(at):
            rows.append(_height_row(at))
    columns = [x + across for across in (0, 100, 300, 380, 460, 540, 680, 760, 840, 920)]
    cells = [
        text(column, y + 34 + 28 * n, cell, "start", fill="#111" if n > 1 else _GREY, size=13)
        for n, row in enumerate(rows, start=1)
        for column, cell in zip(columns, row, strict=True)
    ]
    groups = [text(columns[n], y + 34, name, "start") for n, name in ((2, "front and back"), (6, "sides"))]
    return [text(x, y, heading, "start", size=16), *groups, *cells]


def _height_row(enclosure: Enclosure) -> tuple[str, ...]:
    width, depth = view_size(enclosure)
    cells = [cell for panel in panels(enclosure) for cell in _panel_cells(panel)]
    return (f"{enclosure.height:.0f}", f"{width:.0f} x {depth:.0f}", *cells)


def _panel_cells(panel: Panel) -> Sequence[str]:
    return f"{panel.top:.0f}", f"{panel.bottom:.0f}", f"{panel.slant:.0f}", f"{panel.lean_deg:.0f}°"
